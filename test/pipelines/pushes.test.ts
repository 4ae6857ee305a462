/** Pushes that are not merges: the first one, a force push, a fork, a tag; on both hosts. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { githubWorkflow, type PipelineParts } from '../../src/cli/init/github.ts';
import { gitlabPipeline } from '../../src/cli/init/gitlab.ts';
import { git } from '../stores/machines.ts';
import { checkout, push, put, repository, scratch, step, type Repository } from './host.ts';

const parts: PipelineParts = { source: { kind: 'lockfile' }, hasSnapshot: true };

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly jobs: Readonly<
    Record<
      string,
      { readonly if: string; readonly steps: readonly { run?: string; env?: object }[] }
    >
  >;
}
const github: Workflow = parse(githubWorkflow(parts));
const gitlab = parse(gitlabPipeline(parts));

/** The script of each host's job `run`, and the variables its host sets. */
const hosts = {
  GitHub: {
    script: github.jobs['run']?.steps.find(({ run }) => run?.includes('mapfile'))?.run ?? '',
    env: (before: string, after: string) => ({ BEFORE: before, GITHUB_SHA: after }),
  },
  GitLab: {
    script: gitlab.run.script.join('\n'),
    env: (before: string, after: string) => ({
      CI_COMMIT_BEFORE_SHA: before,
      CI_COMMIT_SHA: after,
    }),
  },
} as const;

const zeros = '0'.repeat(40);

/** Replaces the installed deskhand and records its arguments. */
function recorder(): { readonly bin: string; readonly ran: () => readonly string[] } {
  const bin = scratch();
  const log = join(bin, 'log');
  writeFileSync(log, '');
  writeFileSync(join(bin, 'deskhand'), `#!/bin/sh\necho "$2" >> '${log}'\n`);
  chmodSync(join(bin, 'deskhand'), 0o755);
  return { bin, ran: () => readFileSync(log, 'utf8').split('\n').filter(Boolean) };
}

describe.each(Object.entries(hosts))('%s', (_name, { script, env }) => {
  /** What the job runs on a machine that clones the branch after the push. */
  async function ran(books: Repository, before: string, after: string) {
    const { bin, ran: started } = recorder();
    const job = { cwd: checkout(books, after, []), bin };
    const said = await step(script, {
      ...job,
      env: { RUNNER_TEMP: scratch(), ...env(before, after) },
    });
    return { ...said, started: started() };
  }

  function begun(): { readonly books: Repository; readonly first: string } {
    const books = repository();
    put(books.clone, { 'plans/old one.json': '{}', 'a.txt': 'a' });
    return { books, first: push(books, 'main', 'begin') };
  }

  test('a merge runs its plans, whatever their names are', async () => {
    const { books, first } = begun();
    put(books.clone, { 'plans/new one.json': '{}', 'plans/ünd\n2.json': '{}' });
    const after = push(books, 'main', 'plans');
    const { code, started } = await ran(books, first, after);
    expect(code).toBe(0);
    expect(started.toSorted()).toEqual(['2.json', 'plans/new one.json', 'plans/ünd'].toSorted());
  });

  test('the first push runs nothing and reports it', async () => {
    const { books, first } = begun();
    const { code, text, started } = await ran(books, zeros, first);
    expect([code, started]).toEqual([0, []]);
    expect(text).toContain('the commit before this push is not known: no plan is run');
  });

  test('a force push runs the plans it added to the replaced commit', async () => {
    const { books } = begun();
    put(books.clone, { 'plans/replaced.json': '{}' });
    const before = push(books, 'main', 'replaced');
    git(books.clone, ['reset', '--quiet', '--hard', 'HEAD~1']);
    put(books.clone, { 'plans/forced.json': '{}' });
    git(books.clone, ['add', '--all']);
    git(books.clone, ['commit', '--quiet', '--message', 'forced']);
    git(books.clone, ['push', '--quiet', '--force', 'origin', 'HEAD:main']);
    const after = git(books.clone, ['rev-parse', 'HEAD']);
    const known = await ran(books, before, after);
    expect([known.code, known.started]).toEqual([0, ['plans/forced.json']]);
    // The host has deleted the replaced commit.
    git(books.bare, ['gc', '--quiet', '--prune=now']);
    const gone = await ran(books, before, after);
    expect([gone.code, gone.started]).toEqual([0, []]);
    expect(gone.text).toContain('the commit before this push is not known');
  });

  test('a plan that fails ends the job, and later plans are not started', async () => {
    const { books, first } = begun();
    put(books.clone, { 'plans/a.json': '{}', 'plans/b.json': '{}' });
    const after = push(books, 'main', 'plans');
    const { bin } = recorder();
    writeFileSync(join(bin, 'deskhand'), '#!/bin/sh\necho "began $2"; exit 6\n');
    const { code, text } = await step(script, {
      cwd: checkout(books, after, []),
      bin,
      env: { RUNNER_TEMP: scratch(), ...env(first, after) },
    });
    expect([code, text]).toEqual([6, 'began plans/a.json\n']);
  });
});

test('a tag starts nothing', () => {
  // On GitHub a push with branches alone is never one of a tag.
  expect(github.on['push']).toEqual({ branches: ['main'] });
  // On GitLab a pipeline of a tag has no CI_COMMIT_BRANCH, and a rule with no match starts none.
  expect(gitlab.workflow.rules).toEqual([
    { if: '$CI_PIPELINE_SOURCE == "merge_request_event"' },
    { if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' },
  ]);
});

test('in a fork nothing runs, and its pull request is not planned', () => {
  for (const name of ['run', 'resume', 'look']) {
    expect(github.jobs[name]?.if).toContain('!github.event.repository.fork');
  }
  const { if: planned } = github.jobs['plan'] ?? {};
  expect(planned).toContain('github.event.pull_request.head.repo.full_name == github.repository');
});

describe('a merge request on GitLab', () => {
  const request = { CI_PIPELINE_SOURCE: 'merge_request_event', CI_MERGE_REQUEST_PROJECT_ID: '1' };

  test('is validated and planned', () => {
    const own = { ...request, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '1', CI_PROJECT_ID: '1' };
    expect(startedOn(own)).toEqual(['check', 'plan']);
  });

  test('from a fork is only validated, there and when a member starts it in the project', () => {
    const fork = { ...request, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '2' };
    expect(startedOn({ ...fork, CI_PROJECT_ID: '2' })).toEqual(['check']);
    expect(startedOn({ ...fork, CI_PROJECT_ID: '1' })).toEqual(['check']);
  });

  test('runs its plans after the merge, and a schedule checks drift', () => {
    const main = { CI_COMMIT_BRANCH: 'main', CI_DEFAULT_BRANCH: 'main', CI_PROJECT_ID: '1' };
    expect(startedOn({ ...main, CI_PIPELINE_SOURCE: 'push' })).toEqual(['check', 'run']);
    expect(startedOn({ ...main, CI_PIPELINE_SOURCE: 'schedule' })).toEqual(['look']);
    const web = { ...main, CI_PIPELINE_SOURCE: 'web' };
    expect([startedOn(web), startedOn({ ...web, RUN: 'r-1' })]).toEqual([[], ['resume']]);
  });
});

type Variables = Readonly<Record<string, string>>;

/** The jobs that GitLab starts where it sets these variables. */
function startedOn(variables: Variables): readonly string[] {
  const holds = ({ rules }: { rules: readonly { if: string }[] }): boolean =>
    rules.some(({ if: rule }) => rule.split(' && ').every((part) => isTrue(part, variables)));
  if (!holds(gitlab.workflow)) return [];
  const names = Object.keys(gitlab).filter((name) => gitlab[name].script !== undefined);
  return names.filter((name) => holds(gitlab[name]));
}

/** `$A == "x"`, `$A == $B`, or `$A`: a variable that is set and not empty. */
function isTrue(part: string, variables: Variables): boolean {
  const [left = '', right] = part.split(' == ').map((side) => {
    return side.startsWith('$') ? variables[side.slice(1)] : side.replaceAll('"', '');
  });
  return part.includes(' == ') ? left === right : left !== '';
}
