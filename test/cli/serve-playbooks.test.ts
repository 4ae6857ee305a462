/** Playbooks on the page: checked, planned, run and tested, with real processes. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AnswerOf, routes } from '../../src/serve/server/routes/index.ts';
import { readRun } from '../../src/engine/journal/runs.ts';
import { served, type Served } from '../serve/server/desk.ts';
import { deskhand, folderWith } from './deskhand.ts';
import { ladder } from './ladder.ts';

type Shown = AnswerOf<(typeof routes)['GET /playbook']>;
type Made = AnswerOf<(typeof routes)['POST /plans']>;

let presses = 0;
const press = (): string => `press-${String(++presses).padStart(12, '0')}`;

const own = ladder.replace('account: main\n', '');
const tests = `playbook-test: 1
playbook: ladder.yaml
tests:
  - name: places three orders
    expect: { outcome: done }
  - name: stops
    expect: { outcome: stopped }
`;

async function json<A>(answer: Promise<Response>): Promise<A> {
  return (await (await answer).json()) as A;
}

const pathOf = (file: string): string => `/playbook?file=${encodeURIComponent(file)}`;

async function desk(files: Readonly<Record<string, string>>): Promise<Served> {
  return served({ folder: folderWith(files) });
}

test('are listed with their problems, and shown with inputs, steps and text', async () => {
  const server = await desk({
    'playbooks/ladder.yaml': own,
    'playbooks/bad.yaml': 'playbook: 1\nname: bad\nsteps: [{ id: a, uses: market/none }]\n',
    'playbooks/<img src=x>.yaml': 'playbook: [\n',
    'playbooks/bytes.yaml': 'playbook: "\ud800"',
  });
  const { playbooks } = await json<{ playbooks: { file: string; errors: number }[] }>(
    server.get('/playbooks'),
  );
  expect(playbooks.map(({ file, errors }) => [file, errors > 0])).toEqual([
    ['playbooks/<img src=x>.yaml', true],
    ['playbooks/bad.yaml', true],
    ['playbooks/bytes.yaml', true],
    ['playbooks/ladder.yaml', false],
  ]);
  const { view } = await json<Shown>(server.get(pathOf('playbooks/ladder.yaml')));
  expect(view.inputs).toMatchObject([{ name: 'rungs', type: 'integer', default: '3' }]);
  expect(view.steps).toEqual([
    { group: 'steps', id: 'orders', uses: 'futures/place-order', depth: 0, words: 'for each item' },
    { group: 'steps', id: 'tickers', uses: 'market/list-tickers', depth: 0, words: 'after orders' },
  ]);
  const bad = await json<Shown>(server.get(pathOf('playbooks/bad.yaml')));
  expect(bad.view.problems[0]?.frame).toMatch(/playbooks\/bad\.yaml:3:\d+[^]*\^/);
  expect(bad.view.lines.filter(({ isMarked }) => isMarked)).toMatchObject([{ number: '3' }]);
});

test('are checked again when they or a file that they use has changed', async () => {
  const outer = 'playbook: 1\nname: outer\nsteps: [{ id: a, uses: ./inner.yaml }]\n';
  const inner =
    'playbook: 1\nname: inner\nsteps: [{ id: a, uses: market/list-tickers, with: { category: SPOT } }]\n';
  const server = await desk({ 'playbooks/outer.yaml': outer, 'playbooks/inner.yaml': inner });
  const errors = async (): Promise<number> =>
    (await json<Shown>(server.get(pathOf('playbooks/outer.yaml')))).view.row.errors;
  expect(await errors()).toBe(0);
  writeFileSync(join(server.desk.folder, 'playbooks', 'inner.yaml'), `${inner}oops: 1\n`);
  expect(await errors()).toBeGreaterThan(0);
});

test('no other file is shown, planned or tested', async () => {
  const server = await desk({ 'playbooks/ladder.yaml': own, 'deskhand.yaml': 'profiles: {}\n' });
  const outside = folderWith({ 'secret.yaml': 'key: hunter2\n' });
  symlinkSync(join(outside, 'secret.yaml'), join(server.desk.folder, 'playbooks', 'link.yaml'));
  const hostile = [
    'deskhand.yaml',
    '../secret.yaml',
    '/etc/passwd',
    'playbooks/../deskhand.yaml',
    '--help',
    'playbooks/link.yaml',
  ];
  for (const file of hostile) {
    const shown = await server.get(pathOf(file));
    expect([file, shown.status >= 400, await shown.text()]).toEqual([
      file,
      true,
      expect.not.stringContaining('hunter2'),
    ]);
    const body = { press: press(), file };
    expect((await server.post('/plans', { ...body, inputs: {} })).status).toBeGreaterThanOrEqual(
      400,
    );
    expect((await server.post('/playbook/test', body)).status).toBeGreaterThanOrEqual(400);
  }
});

test('are planned with inputs, and exactly that plan is run, once', async () => {
  const server = await desk({ 'playbooks/ladder.yaml': own });
  const file = 'playbooks/ladder.yaml';
  const plan = (inputs: object): Promise<Response> =>
    server.post('/plans', { press: press(), file, inputs });
  const wrong = await json<Made>(plan({ rungs: 'many; rm -rf', other: '--yes' }));
  expect(wrong.plan).toBeUndefined();
  expect(wrong.lines.join('\n')).toMatch(/has no input "other"[^]*rungs: /);
  const made = await json<Made>(plan({ rungs: '2' }));
  expect(made).toMatchObject({ plan: expect.stringMatching(/^p-/), target: 'sandbox' });
  expect(made.lines.join('\n')).toMatch(/2 to create|2 orders/);
  const jobs = readdirSync(join(server.stateDir, 'serve', 'jobs'));
  expect(jobs.filter((name) => !/\.(?:json|out|err)$/.test(name))).toEqual([]); // no values stay
  const id = press();
  const runs = await Promise.all(
    [1, 2].map(() => json<{ run: string }>(server.post(`/plans/${made.plan}/run`, { press: id }))),
  );
  expect(runs[0]?.run).toMatch(/^r-/);
  expect(runs[1]).toEqual(runs[0]);
  const run = runs[0]?.run ?? '';
  await expect
    .poll(async () => (await readRun(server.stateDir, run)).at(-1)?.kind)
    .toBe('finished');
  const again = await server.post(`/plans/${made.plan}/run`, { press: press() });
  expect([again.status, await again.text()]).toEqual([409, expect.stringContaining(run)]);
  const { stdout, stderr } = await deskhand(['serve', 'log'], { cwd: server.desk.folder });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/ann +plan playbooks\/ladder.yaml +done/);
  expect(stdout).toMatch(new RegExp(`ann +run ${made.plan} +refused: `));
});

test('a plan that was changed, is of a live account or does not exist is not run', async () => {
  const server = await desk({ 'playbooks/ladder.yaml': own });
  const body = { press: press(), file: 'playbooks/ladder.yaml', inputs: {} };
  const { plan } = await json<Made>(server.post('/plans', body));
  const path = join(server.stateDir, 'plans', `${plan}.json`);
  writeFileSync(path, readFileSync(path, 'utf8').replace('"0.010"', '"9.010"'));
  const changed = await server.post(`/plans/${plan}/run`, { press: press() });
  expect([changed.status, await changed.text()]).toEqual([409, expect.stringContaining('changed')]);
  for (const [name, status] of [
    ['p-00000000', 404],
    ['p-1', 400],
    ['..%2f..%2fx', 400],
  ] as const) {
    expect((await server.post(`/plans/${name}/run`, { press: press() })).status).toBe(status);
  }
  expect(await json(server.get('/home'))).toMatchObject({ all: 0 });
});

test('are tested, and the last results are shown until something changes', async () => {
  const server = await desk({ 'playbooks/ladder.yaml': own, 'playbooks/ladder.test.yaml': tests });
  const file = 'playbooks/ladder.yaml';
  const before = await json<Shown>(server.get(pathOf(file)));
  expect(before.tests).toEqual({ files: ['playbooks/ladder.test.yaml'] });
  const answer = await server.post('/playbook/test', { press: press(), file });
  expect([answer.status, await answer.text()]).toEqual([200, '{"isRun":true}']);
  const after = await json<Shown>(server.get(pathOf(file)));
  expect(after.tests.last).toMatchObject({
    who: 'ann',
    isOlder: false,
    results: [
      { name: 'places three orders', verdict: 'passed', because: [] },
      { name: 'stops', verdict: 'failed', because: [expect.stringContaining('expected')] },
    ],
  });
  mkdirSync(join(server.desk.folder, 'playbooks'), { recursive: true });
  writeFileSync(join(server.desk.folder, file), `${own}# changed\n`);
  const changed = await json<Shown>(server.get(pathOf(file)));
  expect(changed.tests.last?.isOlder).toBe(true);
});

test('files of a run are sent to save, and only with the digest in its journal', async () => {
  const server = await desk({ 'ladder.yaml': own, 'other.csv': 'a secret' });
  const { stdout } = await deskhand(['run', 'ladder.yaml', '-o', 'json'], {
    cwd: server.desk.folder,
  });
  const { run } = JSON.parse(stdout) as { run: string };
  await server.poll();
  const get = (path: string, more = ''): Promise<Response> =>
    server.get(`/runs/${run}/file?path=${encodeURIComponent(path)}${more}`);
  const file = join(server.desk.folder, 'out', 'tickers.csv');
  const answer = await get('out/tickers.csv');
  expect([answer.status, await answer.text()]).toEqual([200, readFileSync(file, 'utf8')]);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-disposition': "attachment; filename*=UTF-8''tickers.csv",
    'content-type': 'application/octet-stream',
    'x-content-type-options': 'nosniff',
  });
  const manifest = await get('out/tickers.csv', '&part=manifest');
  expect(await manifest.text()).toBe(readFileSync(`${file}.manifest.json`, 'utf8'));
  for (const path of ['other.csv', '../out/tickers.csv', '/etc/passwd', 'out/./tickers.csv']) {
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  }
  writeFileSync(file, 'changed');
  const changed = await get('out/tickers.csv');
  expect([changed.status, await changed.text()]).toEqual([
    409,
    expect.stringContaining('changed or replaced since'),
  ]);
});
