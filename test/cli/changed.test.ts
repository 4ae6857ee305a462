/** Which playbooks a branch changes, according to the real git, and the report about all of them. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { plansMarkdown } from '../../src/report/markdown/branch-plans.ts';
import { samplePlan } from '../support/plans.ts';
import { deskhand, folderWith } from './deskhand.ts';
import { ladder } from './ladder.ts';

/** A git that refuses a checkout of another user; only Git itself knows whom it trusts. */
function gitRefusing(cwd: string) {
  const tools = folderWith({
    git: `#!/bin/sh
printf "fatal: detected dubious ownership in repository at '%s'\\nTo add an exception for this directory, call:\\n" '${cwd}' >&2
exit 128
`,
  });
  chmodSync(join(tools, 'git'), 0o700);
  return { PATH: `${tools}:${process.env['PATH']}`, TMPDIR: tools };
}

test('a plan in a checkout of another user says that it has no authors, and why', async () => {
  const { cwd } = repository();
  writeFileSync(join(cwd, 'mine.yaml'), reads('mine'));
  const { code, stderr } = await deskhand(['plan', 'mine.yaml'], { cwd, env: gitRefusing(cwd) });
  const said = stderr.replaceAll(/\s+/g, ' ');
  expect(code).toBe(0);
  expect(said).toContain('the plan has neither the authors of its playbook nor a commit');
  expect(said).toContain(`the checkout ${cwd} is owned by another user (uid `);
  expect(said).toContain(`git config --global --add safe.directory ${cwd}`);
});

test('a checkout of another user is told as such, with what Git offers', async () => {
  const { cwd } = repository();
  const env = gitRefusing(cwd);
  for (const verb of ['validate', 'plan']) {
    const { code, stderr } = await deskhand([verb, '--changed-since', 'HEAD'], { cwd, env });
    const said = stderr.replaceAll(/\s+/g, ' ');
    expect(code).toBe(2);
    expect(said).toContain(`the checkout ${cwd} is owned by another user (uid `);
    expect(said).toContain(`git config --global --add safe.directory ${cwd}`);
  }
});

test.each([
  [
    'outside of a repository',
    (): string => folderWith(),
    'HEAD',
    'not a git repository',
    'run the command in a checkout',
  ],
  [
    'an unknown ref',
    (): string => repository().cwd,
    'nowhere',
    'nowhere',
    'fetch the whole history',
  ],
])('Git’s own reason is shown: %s', async (_, folder, ref, reason, hint) => {
  const { code, stderr } = await deskhand(['validate', '--changed-since', ref], { cwd: folder() });
  expect(code).toBe(2);
  expect(stderr.toLowerCase()).toContain(reason);
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(hint);
});

const reads = (name: string): string => `playbook: 1
name: ${name}
steps:
  - id: tickers
    uses: market/list-tickers
    with: { category: SPOT }
`;
const outer = `playbook: 1
name: outer
steps:
  - { id: inner, uses: ./parts/inner.yaml }
`;

/** A repository with three playbooks, on its own branch. */
function repository(): { cwd: string; git: (...words: string[]) => void } {
  const cwd = folderWith({
    'playbooks/ladder.yaml': ladder,
    'playbooks/other.yaml': reads('other'),
    'playbooks/outer.yaml': outer,
    'playbooks/parts/inner.yaml': reads('inner'),
  });
  const git = (...words: string[]): void => {
    execFileSync('git', words, { cwd, stdio: 'pipe' });
  };
  git('init', '-q', '-b', 'main');
  git('config', 'user.email', 'ann@desk.example');
  git('config', 'user.name', 'Ann');
  git('add', '.');
  git('commit', '-qm', 'Playbooks');
  git('switch', '-qc', 'branch');
  return { cwd, git };
}

async function plansSince(cwd: string, ref = 'main'): Promise<string[]> {
  const words = ['plan', '--changed-since', ref, '-o', 'json'];
  const { stdout } = await deskhand(words, { cwd });
  return JSON.parse(stdout).plans.map(({ file }: { file: string }) => file);
}

describe('plan --changed-since', () => {
  test('finds committed, changed and new playbooks, and those that use them', async () => {
    const { cwd, git } = repository();
    expect(await plansSince(cwd)).toEqual([]);
    writeFileSync(join(cwd, 'playbooks', 'parts', 'inner.yaml'), `${reads('inner')}# changed\n`);
    git('commit', '-qam', 'Change a part');
    expect(await plansSince(cwd)).toEqual(['playbooks/outer.yaml']);
    writeFileSync(join(cwd, 'playbooks', 'ladder.yaml'), ladder.replace('0.030', '0.060'));
    writeFileSync(join(cwd, 'playbooks', 'new.yaml'), reads('new'));
    expect(await plansSince(cwd)).toEqual([
      'playbooks/ladder.yaml',
      'playbooks/new.yaml',
      'playbooks/outer.yaml',
    ]);
    git('switch', '-q', '-c', 'later', 'main', '--merge'); // main itself changed meanwhile
    git('rm', '-q', 'playbooks/other.yaml');
    expect(await plansSince(cwd)).not.toContain('playbooks/other.yaml');
  });

  test('saves every plan, and reports a playbook that cannot be planned beside the others', async () => {
    const { cwd } = repository();
    writeFileSync(join(cwd, 'playbooks', 'ladder.yaml'), ladder.replace('0.030', '0.060'));
    writeFileSync(join(cwd, 'playbooks', 'broken.yaml'), reads('broken').replace('SPOT', 'SPOTS'));
    const words = ['plan', '--changed-since', 'main', '--out-dir', 'plans', '-o', 'markdown'];
    const { code, stdout } = await deskhand(words, { cwd });
    expect(code).toBe(3);
    expect(stdout).toMatch(/^<!-- deskhand:plans:changed -->\n/);
    expect(stdout).toContain('### Plans of 2 playbooks changed since `main`');
    expect(stdout).toMatch(/\| ✖ \| `playbooks\/broken.yaml` \|  \| .*1 error/);
    expect(stdout).toMatch(/\| ✔ \| `playbooks\/ladder.yaml` \| `p-\w+` \| 3 to create/);
    expect(existsSync(join(cwd, 'plans', 'ladder.json'))).toBe(true);
    expect((await deskhand(['run', 'plans/ladder.json'], { cwd })).code).toBe(0);
  });

  test('an unknown ref, and file names together with the flag, are errors', async () => {
    const { cwd } = repository();
    for (const words of [['nowhere'], ['--output=x'], ['main', 'playbooks/ladder.yaml']]) {
      const { code, stderr } = await deskhand(['plan', '--changed-since', ...words], { cwd });
      expect([words, code]).toEqual([words, 2]);
      expect(stderr).toMatch(/^error\[usage\]/);
    }
  });

  test('validate accepts the same flag', async () => {
    const { cwd } = repository();
    writeFileSync(join(cwd, 'playbooks', 'ladder.yaml'), ladder.replace('0.030', '0.060'));
    const { code, stdout } = await deskhand(['validate', '--changed-since', 'main'], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining('playbooks/ladder.yaml: no pro')]);
  });
});

test('a violated guard is a GitHub annotation at its playbook', async () => {
  const cwd = folderWith({ 'ladder.yaml': ladder });
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, 'page.md') };
  const words = ['plan', 'ladder.yaml', '--var', 'rungs=20'];
  const { code, stdout } = await deskhand(words, { cwd, env });
  expect([code, stdout]).toEqual([
    5,
    expect.stringMatching(/^::error file=ladder.yaml,line=1,title=guard max-writes::/m),
  ]);
  expect(readFileSync(join(cwd, 'page.md'), 'utf8')).toContain('**This plan cannot run.**');
});

const large = samplePlan(5_000);

test.each([1, 30, 300])(
  'the plans of %i playbooks fit into one comment, in whole rows',
  (plans) => {
    const all = Array.from({ length: plans }, (_, index) => ({
      file: `playbooks/desk-${index}.yaml`,
      plan: large,
    }));
    const text = plansMarkdown(all, 'main');
    expect(text.length).toBeLessThanOrEqual(60_000);
    for (const line of text.split('\n').filter((row) => row.startsWith('|'))) {
      expect(line).toMatch(/^\| .* \|$/);
    }
    const rows = text.split('\n').filter((line) => /^\| . \| `playbooks/.test(line));
    expect(rows.length).toBe(plans);
  },
);
