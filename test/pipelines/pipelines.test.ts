/** The steps of the pipelines that `init` writes, executed as by their hosts, from branch to run. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { githubAction, githubWorkflow } from '../../src/cli/init/github.ts';
import { gitlabPipeline } from '../../src/cli/init/gitlab.ts';
import { ladder } from '../cli/ladder.ts';
import { startSandbox, type Started } from '../cli/sandbox.ts';
import { git } from '../stores/machines.ts';
import {
  checkout,
  commentsApi,
  installed,
  push,
  put,
  repository,
  scratch,
  step,
  type Comments,
  type Job,
  type Repository,
  type Said,
} from './host.ts';

interface Story {
  readonly books: Repository;
  readonly exchange: Started;
  readonly comments: Comments;
  readonly bin: string;
  /** The account's keys, as secrets of the host. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** A repository as `init` writes one, on main, with a profile that leads to a sandbox. */
async function begin(flag: string): Promise<Story> {
  const [exchange, comments, bin] = await Promise.all([startSandbox(), commentsApi(), installed()]);
  const books = repository();
  const made = await step(`deskhand init . ${flag}`, { cwd: books.clone, env: {}, bin });
  expect(made.code).toBe(0);
  const config = readFileSync(join(books.clone, 'deskhand.yaml'), 'utf8');
  const profile = `  main: { base-url: "${exchange.baseUrl}", secrets: { env: MAIN } }`;
  writeFileSync(join(books.clone, 'deskhand.yaml'), config.replace(/^  main: .*$/m, profile));
  push(books, 'main', 'begin');
  const own = exchange.env('hedge');
  const secrets = {
    MAIN_API_KEY: own['DESKHAND_API_KEY'] ?? '',
    MAIN_API_SECRET: own['DESKHAND_API_SECRET'] ?? '',
    MAIN_API_PASSPHRASE: own['DESKHAND_API_PASSPHRASE'] ?? '',
  };
  return { books, exchange, comments, bin, secrets };
}

/** A branch with a playbook and the plan to be run. @returns its commit */
async function branch({ books, bin, secrets }: Story): Promise<string> {
  git(books.clone, ['checkout', '--quiet', '-b', 'ladder']);
  put(books.clone, { 'playbooks/ladder.yaml': ladder });
  const words = 'deskhand plan playbooks/ladder.yaml --expires 1h --out plans/ladder.json';
  const planned = await step(words, { cwd: books.clone, env: secrets, bin });
  expect(planned).toMatchObject({ code: 0 });
  return push(books, 'ladder', 'a ladder');
}

function merge({ books }: Story): { readonly before: string; readonly after: string } {
  const before = git(books.bare, ['rev-parse', 'main']);
  git(books.clone, ['checkout', '--quiet', 'main']);
  git(books.clone, ['merge', '--quiet', '--no-ff', '--message', 'merge', 'ladder']);
  git(books.clone, ['push', '--quiet', 'origin', 'main']);
  return { before, after: git(books.clone, ['rev-parse', 'HEAD']) };
}

async function restingOn({ exchange, bin }: Story): Promise<number> {
  const words = 'deskhand call order/list-open category=USDT-FUTURES symbol=BTCUSDT -o json';
  const { text } = await step(words, { cwd: scratch(), env: exchange.env('hedge'), bin });
  return JSON.parse(text).answer.list.length;
}

interface Step {
  readonly name?: string;
  readonly run?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The steps of a job as the runner does them; expressions are looked up in `given`. */
async function githubJob(
  name: string,
  job: Job,
  given: Readonly<Record<string, string>>,
): Promise<readonly Said[]> {
  const workflow = parse(githubWorkflow({ hasSnapshot: true })) as {
    jobs: Record<string, { steps: Step[] }>;
  };
  const said: Said[] = [];
  for (const { run, env = {}, if: condition, ...rest } of workflow.jobs[name]?.steps ?? []) {
    if (run === undefined || rest.name === 'Install deskhand') continue;
    const hasFailed = said.some(({ code }) => code !== 0);
    if (hasFailed && condition !== '${{ !cancelled() }}') continue;
    const own = Object.fromEntries(
      Object.entries(env).map(([key, value]) => [key, evaluated(value, given)]),
    );
    expect(run).not.toContain('${{'); // a branch's name would become part of the script
    said.push(await step(run, { ...job, env: { ...job.env, ...own } }));
  }
  return said;
}

function evaluated(value: string, given: Readonly<Record<string, string>>): string {
  return value.replaceAll(/\$\{\{ ([\w.]+) \}\}/g, (_, name: string) => {
    const found = given[name.replace('secrets.', '')];
    if (found === undefined) throw new Error(`the host knows no ${name}`);
    return found;
  });
}

test('GitHub: pull request, comment, merge, run once, resume, look', async () => {
  const story = await begin('--github');
  const { books, bin, secrets, comments } = story;
  const commit = await branch(story);
  const temp = scratch();
  writeFileSync(join(temp, 'event.json'), JSON.stringify({ pull_request: { number: 7 } }));
  const base = {
    GITHUB_ACTIONS: 'true',
    GITHUB_REPOSITORY: 'desk/books',
    GITHUB_API_URL: comments.url,
    GITHUB_EVENT_PATH: join(temp, 'event.json'),
    GITHUB_STEP_SUMMARY: join(temp, 'summary.md'),
    GITHUB_BASE_REF: 'main',
    RUNNER_TEMP: temp,
  };

  const stranger = checkout(books, commit, ['--depth=1', '--branch=ladder']);
  const checked = await githubJob('check', { cwd: stranger, env: base, bin }, {});
  expect(checked.map(({ code }) => code)).toEqual([0, 0]);

  const planning = { cwd: checkout(books, commit, []), env: base, bin };
  const given = { ...secrets, 'github.token': 'token' };
  for (const bodies of [2, 2]) {
    const said = await githubJob('plan', planning, given);
    expect(said.map(({ code, text }) => [code, text])).toEqual([
      [0, ''],
      [0, expect.stringMatching(/(new|updated) comment on pull request 7 of desk\/books/)],
    ]);
    expect(comments.bodies()).toHaveLength(bodies);
  }
  expect(comments.bodies()[1]).toMatch(/^<!-- deskhand:plans?:\S+ -->/);
  expect(comments.bodies()[1]).toContain('3 to create');
  expect(comments.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET', 'PATCH']);
  expect(comments.requests.every(({ token }) => token === 'Bearer token')).toBe(true);
  expect(readdirSync(join(temp, 'plans'))).toEqual(['ladder.json']);

  const { before, after } = merge(story);
  const resting = await restingOn(story);
  const event = { ...secrets, 'github.event.before': before };
  const pushed = { ...base, GITHUB_SHA: after, GITHUB_REF: 'refs/heads/main' };
  const running = { cwd: checkout(books, after, []), env: pushed, bin };
  const ran = await githubJob('run', running, event);
  expect(ran.map(({ code, text }) => [code, text])).toEqual([[0, expect.stringContaining('Done')]]);
  expect(await restingOn(story)).toBe(resting + 3);
  expect(readdirSync(join(temp, 'reports'))).toHaveLength(1);

  // The same job on another machine: the plan has been used.
  const again = { cwd: checkout(books, after, []), env: pushed, bin };
  const [second] = await githubJob('run', again, event);
  expect(second).toMatchObject({
    code: 5,
    text: expect.stringContaining('this plan already ran'),
  });
  expect(await restingOn(story)).toBe(resting + 3);

  const run = /as (r-[a-z0-9]+)/.exec(second?.text ?? '')?.[1] ?? '';
  const shallow = { cwd: checkout(books, after, ['--depth=1']), env: pushed, bin };
  const [resumed] = await githubJob('resume', shallow, { ...secrets, 'inputs.resume': run });
  expect(resumed).toMatchObject({ code: 0, text: expect.stringContaining('is done') });
  const looked = await githubJob('look', shallow, secrets);
  expect(looked.map(({ code }) => code)).toEqual([0, 0]);
  expect(looked[1]?.text).toContain('ladder');
  await comments.close();
});

interface GitlabJob {
  readonly script: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
}

/** A job's lines in one shell, as the runner does them. */
async function gitlabJob(name: string, job: Job): Promise<Said> {
  const pipeline = parse(
    gitlabPipeline({ source: { kind: 'lockfile' }, hasSnapshot: true }),
  ) as Record<string, GitlabJob>;
  const { script = [], variables = {} } = pipeline[name] ?? {};
  return step(script.join('\n'), { ...job, env: { ...job.env, ...variables } });
}

test('GitLab: merge request, comment, merge, run once, resume, look', async () => {
  const story = await begin('--gitlab');
  const { books, bin, secrets, comments } = story;
  const commit = await branch(story);
  const base = { GITLAB_CI: 'true', CI_API_V4_URL: comments.url, CI_PROJECT_ID: '42' };

  const stranger = checkout(books, commit, ['--depth=20', '--branch=ladder']);
  expect(await gitlabJob('check', { cwd: stranger, env: base, bin })).toMatchObject({ code: 0 });
  expect(readFileSync(join(stranger, 'junit.xml'), 'utf8')).toContain('<testsuites');

  const request = {
    ...base,
    ...secrets,
    CI_MERGE_REQUEST_IID: '7',
    CI_MERGE_REQUEST_DIFF_BASE_SHA: git(books.bare, ['merge-base', 'main', 'ladder']),
    DESKHAND_COMMENT_TOKEN: 'token',
  };
  const planning = { cwd: checkout(books, commit, []), env: request, bin };
  expect(await gitlabJob('plan', planning)).toMatchObject({ code: 0 });
  expect(await gitlabJob('plan', planning)).toMatchObject({ code: 0 });
  expect(comments.bodies()).toHaveLength(2);
  expect(comments.bodies()[1]).toContain('3 to create');
  expect(comments.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET', 'PUT']);
  expect(comments.requests.every(({ token }) => token === 'token')).toBe(true);

  const { before, after } = merge(story);
  const resting = await restingOn(story);
  const pushed = { ...base, ...secrets, CI_COMMIT_BEFORE_SHA: before, CI_COMMIT_SHA: after };
  const running = { cwd: checkout(books, after, []), env: pushed, bin };
  expect(await gitlabJob('run', running)).toMatchObject({ code: 0 });
  expect(await restingOn(story)).toBe(resting + 3);
  const again = await gitlabJob('run', { cwd: checkout(books, after, []), env: pushed, bin });
  expect(again).toMatchObject({
    code: 5,
    text: expect.stringContaining('this plan already ran'),
  });
  expect(await restingOn(story)).toBe(resting + 3);

  const run = /as (r-[a-z0-9]+)/.exec(again.text)?.[1] ?? '';
  const shallow = { cwd: checkout(books, after, ['--depth=20']), env: pushed, bin };
  const asked = { ...shallow, env: { ...pushed, RUN: run } };
  expect(await gitlabJob('resume', asked)).toMatchObject({
    code: 0,
    text: expect.stringContaining('is done'),
  });
  expect(await gitlabJob('look', shallow)).toMatchObject({ code: 0 });
  await comments.close();
});

test('every action is pinned to a commit, every job has permissions, and secrets stay in steps', () => {
  const text = githubWorkflow({ hasSnapshot: true });
  const workflow = parse(text) as {
    permissions: object;
    jobs: Record<string, { permissions?: Record<string, string>; env?: object; steps: Step[] }>;
  };
  expect(workflow.permissions).toEqual({});
  const action = githubAction({ kind: 'lockfile' });
  const uses = [...`${text}${action}`.matchAll(/uses: (\S+)/g)].map(([, name = '']) => name);
  const own = uses.filter((name) => name === './.github/actions/deskhand');
  expect(own).toHaveLength(Object.keys(workflow.jobs).length);
  expect(uses.filter((name) => !/@[0-9a-f]{40}$/.test(name))).toEqual(own);
  for (const [name, job] of Object.entries(workflow.jobs)) {
    expect(job.permissions, name).toBeDefined();
    expect(job.env, name).toBeUndefined();
  }
  const { check, plan } = workflow.jobs;
  expect(JSON.stringify(check)).not.toContain('secrets.');
  expect(check?.permissions).toEqual({ contents: 'read' });
  expect(JSON.stringify(plan)).toContain('head.repo.full_name == github.repository');
  expect(text).not.toContain('pull_request_target');
  expect(action).toContain('npm ci --ignore-scripts\n');
});
