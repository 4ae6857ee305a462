/** The actions of this repository's own workflows are pinned by commit, as those of generated pipelines. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { gitlabPipeline } from '../../src/cli/init/gitlab.ts';
import { dependabot, renovate } from '../../src/cli/init/fresh.ts';
import { actionFolder, githubAction, githubWorkflow } from '../../src/cli/init/github.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, '.github', 'workflows');
const files = [join(root, 'action.yml'), ...readdirSync(folder).map((name) => join(folder, name))];

const usesIn = (text: string): readonly string[] =>
  [...text.matchAll(/uses: (.+)$/gm)].map(([, use = '']) => use);

test.each(files)('each action of %s is pinned by commit, and to one commit everywhere', (file) => {
  const generated = [
    ...usesIn(githubWorkflow({ hasSnapshot: true })),
    ...usesIn(githubAction({ kind: 'lockfile' })),
  ];
  for (const use of usesIn(readFileSync(file, 'utf8'))) {
    expect(use).toMatch(/^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    const same = generated.find((other) => other.split('@')[0] === use.split('@')[0]);
    if (same !== undefined) expect(use).toBe(same);
  }
});

test('a generated pipeline has each pin once, and something that keeps it fresh', () => {
  const workflow = githubWorkflow({ hasSnapshot: true });
  const action = githubAction({ kind: 'lockfile' });
  const { jobs }: { jobs: Record<string, { steps: { uses?: string }[] }> } = parse(workflow);
  for (const { steps } of Object.values(jobs)) {
    const used = steps.flatMap(({ uses = [] }) => uses);
    expect(used[0]).toContain('actions/checkout@'); // the action is in the checkout
    expect(used.filter((use) => use === `./${actionFolder}`)).toHaveLength(1);
  }
  expect(workflow).not.toMatch(/setup-node|npm ci/);
  expect(usesIn(action)).toEqual([expect.stringMatching(/^actions\/setup-node@[0-9a-f]{40} # v/)]);
  const [ofActions] = parse(dependabot({ kind: 'lockfile' })).updates;
  expect(ofActions).toMatchObject({ directories: ['/', `/${actionFolder}`] });
  const pipeline: { default: { image: string } } = parse(
    gitlabPipeline({ source: { kind: 'lockfile' }, hasSnapshot: true }),
  );
  expect(pipeline.default.image).toMatch(/^node:22-bookworm@sha256:[0-9a-f]{64}$/);
  expect(JSON.parse(renovate()).enabledManagers).toContain('gitlabci');
});

test('the example of a cloud is pinned, and its job may ask for an identity', () => {
  const text = readFileSync(join(root, 'docs', 'gitops.md'), 'utf8');
  const [, example = ''] =
    /```yaml cloud\n(# \.github\/workflows\/playbooks\.yaml\n[^]*?)```/.exec(text) ?? [];
  for (const use of usesIn(example)) expect(use).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  expect(parse(example).jobs.run.permissions).toMatchObject({ 'id-token': 'write' });
});

interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<
    Record<string, { readonly permissions?: object; readonly steps: readonly object[] }>
  >;
}

test('the job that may publish executes no package and no file of the repository', () => {
  const workflow: Workflow = parse(readFileSync(join(folder, 'release.yml'), 'utf8'));
  expect(workflow.permissions).toEqual({});
  for (const [name, job] of Object.entries(workflow.jobs)) {
    const text = JSON.stringify(job.steps);
    expect([name, /secrets\./.test(text)]).toEqual([name, false]); // a trusted publisher has none
    expect([name, JSON.stringify(job.permissions).includes('id-token')]).toEqual([
      name,
      name === 'publish',
    ]);
  }
  const publish = JSON.stringify(workflow.jobs['publish']?.steps);
  expect(publish).toContain('npm publish ./*.tgz --provenance');
  expect(publish).not.toMatch(/checkout@|npm (?:ci|install|run|test|exec)|npx/);
});

test('CI tests three systems with each supported version of Node', () => {
  const { jobs } = parse(readFileSync(join(folder, 'ci.yml'), 'utf8'));
  expect(jobs.test.strategy.matrix).toEqual({
    os: ['ubuntu-latest', 'macos-latest', 'windows-latest'],
    node: ['20.19', '22', '24', '26'],
  });
});
