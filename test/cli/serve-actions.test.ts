/** What a person does with a run from the page, with real processes. */
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { userInfo } from 'node:os';
import { describe, expect, test } from 'vitest';
import { second, standingClock } from '../../src/base/clock.ts';
import { queueOver } from '../../src/serve/server/queue-service.ts';
import { readAudit } from '../../src/serve/server/audit.ts';
import type { AnswerOf, routes } from '../../src/serve/server/routes/index.ts';
import { lockRun } from '../../src/engine/journal/lock.ts';
import { readRun } from '../../src/engine/journal/runs.ts';
import { begin, deskhand, folderWith } from './deskhand.ts';
import { files, openOrders } from './ladder.ts';
import { startSandbox } from './sandbox.ts';
import { hurried, killed, loseSecondAnswer, underWay } from './under-way.ts';
import { doneRun, doubtRun, killedRun, stoppedRun } from '../support/entries.ts';
import { recordRun } from '../support/recorded.ts';
import { SimulatedQueue } from '../stores/shared/simulated-queue.ts';
import { simulatedPlans } from '../stores/shared/simulated-plans.ts';
import { served, type Served } from '../serve/server/desk.ts';

type Offered = AnswerOf<(typeof routes)['GET /runs/{run}/actions']>;

let presses = 0;
const press = (): string => `press-${String(++presses).padStart(12, '0')}`;

async function json<A = Record<string, unknown>>(answer: Promise<Response>): Promise<A> {
  return (await (await answer).json()) as A;
}

async function refused(answer: Promise<Response>): Promise<unknown> {
  const response = await answer;
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  return [response.status, error?.code, error?.message];
}

/** A run whose process was killed after it placed two of three orders, and its desk. */
async function killedDesk() {
  const exchange = await startSandbox();
  await loseSecondAnswer(exchange);
  const cwd = folderWith(files);
  const env = { ...exchange.env('hedge'), ...hurried(exchange) };
  const begun = await underWay(exchange, { cwd, env });
  await killed(begun);
  const server = await served({ folder: cwd, env });
  await server.poll();
  return { server, cwd, env, run: begun.run };
}

async function ended({ stateDir }: Served, run: string): Promise<void> {
  await expect.poll(async () => (await readRun(stateDir, run)).at(-1)?.kind).toBe('finished');
}

describe('resume', () => {
  test('continues a run once, however often and by whom it is pressed', async () => {
    const { server, cwd, env, run } = await killedDesk();
    const shown = await json<Offered>(server.get(`/runs/${run}/actions`));
    expect(shown.resume).toMatchObject({
      why: 'looks the order up by its clientOid, then continues',
      doubts: [expect.stringContaining('BTCUSDT open long')],
    });
    expect(shown.resume?.open[0]?.text).toBeDefined();
    const mine = press();
    const answers = await Promise.all([
      server.post(`/runs/${run}/resume`, { press: mine }),
      server.post(`/runs/${run}/resume`, { press: mine }), // a double click
      server.post(`/runs/${run}/resume`, { press: press() }), // another person
    ]);
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect([answers[0]?.status, texts[0]]).toEqual([200, expect.stringContaining(run)]);
    expect(texts[1]).toBe(texts[0]);
    expect([answers[2]?.status, texts[2]]).toEqual([
      409,
      expect.stringMatching(
        new RegExp(`${run} is being executed by process \\d+ o[fn] .*, started by ann at`),
      ),
    ]);
    await ended(server, run);
    const entries = await readRun(server.stateDir, run);
    expect(entries.filter(({ kind }) => kind === 'resumed')).toHaveLength(1);
    expect(await openOrders(cwd, env)).toHaveLength(3);
    expect((await server.get(`/runs/${run}/actions`)).status).toBe(200);
    expect(server.errors).toEqual([]);
  });

  test('tells the second person who has the run', async () => {
    const server = await served();
    const run = await recordRun(server.stateDir, killedRun());
    const lock = await lockRun(server.stateDir, run);
    await server.poll();
    const ben = { who: 'ben', at: Date.UTC(2026, 0, 1, 12, 30), pid: process.pid };
    server.server.actions.starters.add(server.stateDir, run, ben, Promise.resolve());
    const answer = await refused(server.post(`/runs/${run}/resume`, { press: press() }));
    const shown = await json<Offered>(server.get(`/runs/${run}/actions`));
    await lock.release();
    expect(answer).toEqual([
      409,
      'locked',
      expect.stringMatching(
        new RegExp(
          `${run} is being executed by process ${process.pid} on .*, started by ben at 2026-01-01 12:30:00 UTC`,
        ),
      ),
    ]);
    expect(shown).toMatchObject({ holder: { who: 'ben', isAlive: true }, doubts: [] });
    expect(shown.resume).toBeUndefined();
  });

  test.each(['live', 'demo'] as const)(
    'of a %s account needs its name, and is not started without it',
    async (target) => {
      const server = await served();
      const entries = doubtRun().map((entry) =>
        entry.kind === 'started'
          ? { ...entry, destination: { ...entry.destination, target } }
          : entry,
      );
      const run = await recordRun(server.stateDir, entries);
      await server.poll();
      const { confirm } = await json<Offered>(server.get(`/runs/${run}/actions`));
      expect(confirm).toBe('mm-main');
      for (const typed of [undefined, '', 'MM-MAIN']) {
        const body = { press: press(), ...(typed !== undefined && { confirm: typed }) };
        const answer = await refused(server.post(`/runs/${run}/resume`, body));
        expect(answer).toEqual([409, 'confirm', `this is for the ${target} account mm-main`]);
        for (const [path, more] of [
          ['settle', {}],
          ['resolve', { address: 'x', outcome: 'abandon' }],
        ] as const) {
          expect((await server.post(`/runs/${run}/${path}`, { ...body, ...more })).status).toBe(
            409,
          );
        }
      }
    },
  );

  test('that is refused answers with what the command said', async () => {
    const server = await served();
    const run = await recordRun(server.stateDir, stoppedRun());
    await server.poll();
    const answer = await server.post(`/runs/${run}/resume`, { press: press() });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    const { error } = (await answer.json()) as { error: { message: string } };
    expect(error.message).not.toMatch(/^\{|undefined/);
    expect(error.message.length).toBeGreaterThan(10);
  });

  test('is not offered for a run that is done, and one that is unknown is not found', async () => {
    const server = await served();
    const run = await recordRun(server.stateDir, doneRun());
    await server.poll();
    expect(await json(server.get(`/runs/${run}/actions`))).toEqual({ doubts: [] });
    for (const path of ['r-none', '..%2f..%2fetc', '--help']) {
      for (const action of ['resume', 'stop', 'look-up']) {
        const { status } = await server.post(`/runs/${path}/${action}`, { press: press() });
        expect([path, action, status]).toEqual([path, action, 404]);
      }
    }
  });
});

const desks = `playbook: 1
name: desks
steps:
  - { id: sub, uses: account/create-sub, with: { username: alpha } }
`;
const faults = `version: 1
faults:
  - match: { operation: account/create-sub }
    times: 1
    action: { kind: reset }
`;

describe('resolve', () => {
  test.each([
    ['text', {}],
    ['JSON', { DESKHAND_LOG_FORMAT: 'json', DESKHAND_LOG: 'debug' }],
  ])(
    'on a server that logs %s records a statement with the person’s evidence, by the checks of the command',
    async (_format, env) => {
      const cwd = folderWith({ 'desks.yaml': desks, 'faults.yaml': faults });
      await deskhand(['sandbox', 'load', 'faults.yaml'], { cwd });
      const { stdout } = await deskhand(['run', 'desks.yaml', '-o', 'json'], { cwd });
      const { run } = JSON.parse(stdout) as { run: string };
      const server = await served({ folder: cwd, env });
      await server.poll();
      const shown = await json<Offered>(server.get(`/runs/${run}/actions`));
      expect(shown.doubts).toMatchObject([{ address: 'sub', outcomes: [{}, {}, {}] }]);
      const resolve = (body: object): Promise<Response> =>
        server.post(`/runs/${run}/resolve`, { press: press(), address: 'sub', ...body });
      expect(await refused(resolve({ outcome: 'placed', id: '--yes' }))).toEqual([
        400,
        'usage',
        '--placed takes the id of the exchange, digits only',
      ]);
      expect(await refused(resolve({ outcome: 'absent' }))).toEqual([
        409,
        'evidence',
        expect.stringContaining('the exchange may accept it for another'),
      ]);
      expect(await refused(resolve({ address: '--abandon', outcome: 'abandon' }))).toEqual([
        400,
        'usage',
        `${run} has no action "--abandon"`,
      ]);
      const done = await json<{ lines: string[] }>(
        resolve({ outcome: 'placed', id: '7100000001', comment: '--yes; I saw it' }),
      );
      expect(done.lines[0]).toBe('recorded: sub is there');
      expect(await refused(resolve({ outcome: 'placed', id: '7100000001' }))).toEqual([
        400,
        'usage',
        'sub is not in doubt',
      ]);
      const settled = (await readRun(server.stateDir, run)).at(-1);
      expect(settled).toMatchObject({
        kind: 'settled',
        outcome: {
          person: {
            who: userInfo().username,
            comment: expect.stringMatching(/^(for ann: )?--yes; I saw it$/),
          },
        },
      });
    },
  );

  test('of all doubts shows what the exchange proves, and records it after that', async () => {
    const { server, run } = await killedDesk();
    const before = await readRun(server.stateDir, run);
    const looked = await json<{ lines: string[] }>(
      server.post(`/runs/${run}/look-up`, { press: press() }),
    );
    expect(looked.lines.join('\n')).toMatch(/placed +order \d+/);
    expect(looked.lines.join('\n')).toContain('nothing was recorded; the exchange proves 1 of 1');
    expect(await readRun(server.stateDir, run)).toEqual(before);
    const settled = await json<{ lines: string[] }>(
      server.post(`/runs/${run}/settle`, { press: press() }),
    );
    expect(settled.lines.join('\n')).toContain('recorded: 1 outcome');
    expect((await readRun(server.stateDir, run)).at(-1)).toMatchObject({ kind: 'settled' });
  });
});

describe('set aside', () => {
  test('records the reason, and the run blocks no other and needs nobody any more', async () => {
    const { server, cwd, env, run } = await killedDesk();
    const needs = async (): Promise<readonly { run?: string }[]> =>
      (await json<{ needs: { run?: string }[] }>(server.get('/home'))).needs;
    expect(await needs()).toMatchObject([{ run }]);
    const shown = await json<Offered>(server.get(`/runs/${run}/actions`));
    expect(shown.setAside).toEqual({
      command: `deskhand runs set-aside ${run} --reason WHY`,
      why: 'leaves it as finished by hand',
    });
    const setAside = (reason: string): Promise<Response> =>
      server.post(`/runs/${run}/set-aside`, { press: press(), reason });
    expect((await setAside(' ')).status).toBe(400);
    const blocked = await deskhand(['run', 'ladder.yaml'], { cwd, env });
    expect([blocked.code, blocked.stderr]).toEqual([5, expect.stringContaining('did not end')]);

    const done = await json<{ lines: string[] }>(setAside('cancelled by hand'));
    expect(done.lines.join('\n')).toContain(`${run} is set aside: it is not continued`);
    await server.poll();
    const after = await json<Offered>(server.get(`/runs/${run}/actions`));
    expect([after.setAside, after.resume, after.doubts, await needs()]).toEqual([
      undefined,
      undefined,
      [],
      [],
    ]);
    const view = await json<{ warnings: unknown }>(server.get(`/runs/${run}`));
    expect(JSON.stringify(view.warnings)).toMatch(/set aside by .+: (for ann: )?cancelled by hand/);
    const audit = await readAudit(server.stateDir);
    expect(JSON.stringify(audit)).toContain(`set ${run} aside: cancelled by hand`);
    expect((await deskhand(['run', 'ladder.yaml'], { cwd, env })).code).toBe(0);
  });

  test('is not offered for a run that blocks nothing', async () => {
    const server = await served();
    const run = await recordRun(server.stateDir, doneRun());
    await server.poll();
    expect((await json<Offered>(server.get(`/runs/${run}/actions`))).setAside).toBeUndefined();
  });
});

const waiting = `playbook: 1
name: waiting
steps:
  - { id: pause, uses: wait, with: { until: "{{ addTime run.time '1h' }}" } }
`;

describe('stop', () => {
  test('is the first Ctrl-C, and pressing it again is not the second', async () => {
    const cwd = folderWith({ 'waiting.yaml': waiting });
    const exchange = await startSandbox();
    const env = exchange.env('hedge');
    const child = begin(['run', 'waiting.yaml'], { cwd, env });
    const exit = once(child, 'exit');
    const server = await served({ folder: cwd, env });
    const run = await expect
      .poll(async () => {
        await server.poll();
        return server.desk.runs.running()[0]?.run;
      })
      .toMatch(/^r-/)
      .then(() => server.desk.runs.running()[0]?.run ?? '');
    const shown = await json<Offered>(server.get(`/runs/${run}/actions`));
    expect(shown.stop?.why).toBe(`${run} stops: nothing new is sent, and responses are awaited`);
    child.kill('SIGSTOP'); // or it may end before it is asked again
    const first = await server.post(`/runs/${run}/stop`, { press: press() });
    expect([first.status, await first.json()]).toEqual([200, { isStopping: true, lines: [] }]);
    const again = await server.post(`/runs/${run}/stop`, { press: press() });
    expect([again.status, await again.json()]).toMatchObject([
      200,
      { lines: [`${run} is stopping already`] },
    ]);
    child.kill('SIGCONT');
    expect(await exit).toEqual([130, null]);
    expect(await readRun(server.stateDir, run)).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ kind: 'finished' })]),
    );
  });

  test('of a run of this machine also removes its job: no worker continues it', async () => {
    const cwd = folderWith({ 'waiting.yaml': waiting });
    const exchange = await startSandbox();
    const env = exchange.env('hedge');
    const exit = once(begin(['run', 'waiting.yaml'], { cwd, env }), 'exit');
    const queue = new SimulatedQueue(standingClock(0)).connect();
    const plans = simulatedPlans();
    const runs = { claims: async () => [] };
    const open = async () => ({ queue, runs, plans, lease: second, close: async () => undefined });
    const service = queueOver(open, async (id) => Promise.reject(new Error(id)));
    const server = await served({ folder: cwd, env, queue: service });
    await expect
      .poll(async () => {
        await server.poll();
        return server.desk.runs.running()[0]?.state;
      })
      .toBe('running');
    const run = server.desk.runs.running()[0]?.run ?? '';
    const rest = { kind: 'resume', playbook: 'waiting', profiles: [], accounts: [] } as const;
    await queue.put({ ...rest, id: run, format: 1, by: 'ben', body: null });
    const answer = await server.post(`/runs/${run}/stop`, { press: press() });
    expect([answer.status, await answer.json()]).toEqual([200, { isStopping: true, lines: [] }]);
    expect(await queue.find(run)).toMatchObject({ state: 'ended', stoppedBy: 'ann' });
    expect(await exit).toEqual([130, null]);
  });

  test('signals no process that does not provably execute the run', async () => {
    const server = await served();
    const run = await recordRun(server.stateDir, killedRun());
    await server.poll();
    const stop = (): Promise<unknown> =>
      refused(server.post(`/runs/${run}/stop`, { press: press() }));
    expect(await stop()).toEqual([409, 'not-running', `no process executes ${run}`]);
    const lock = await lockRun(server.stateDir, run);
    expect(await stop()).toEqual([409, 'shared-process', expect.any(String)]); // this process
    await lock.release();
    const elsewhere = await lockRun(server.stateDir, run, {
      kernel: {
        boot: 'b',
        namespace: 'n',
        pid: process.pid,
        born: '1',
        host: () => 'other-host',
        startOf: () => '1',
      },
    });
    expect(await stop()).toEqual([409, 'elsewhere', expect.stringContaining('other-host')]);
    await elsewhere.release();
  });
});

describe('a press', () => {
  test('is known to a server that is started again', async () => {
    const server = await served();
    const run = await recordRun(server.stateDir, killedRun());
    await server.poll();
    const body = { press: press() };
    await server.post(`/runs/${run}/stop`, body);
    const restarted = await served({ stateDir: server.stateDir });
    await restarted.poll();
    expect(await refused(restarted.post(`/runs/${run}/stop`, body))).toEqual([
      409,
      'pressed',
      'this was carried out before the server was started again',
    ]);
  });

  test.each(['', '../../../../etc/passwd', 'A'.repeat(20), 'x'.repeat(41)])(
    'has no other form: %j',
    async (id) => {
      const server = await served();
      const run = await recordRun(server.stateDir, killedRun());
      await server.poll();
      const { status } = await server.post(`/runs/${run}/stop`, { press: id });
      expect(status).toBe(400);
    },
  );
});

describe('the audit log', () => {
  test('has who, what, when, from where, and how it ended; on the disk before the write', async () => {
    const server = await served();
    const run = await recordRun(server.stateDir, killedRun());
    await server.poll();
    await server.post(
      `/runs/${run}/stop`,
      { press: press() },
      { 'user-agent': 'Firefox \u009b1m' },
    );
    await server.post('/session/end', {});
    const { rows, damaged } = await readAudit(server.stateDir);
    expect(damaged).toBe(0);
    expect(rows).toEqual([
      {
        who: 'ann',
        what: `stop ${run}`,
        at: server.clock.now(),
        from: expect.stringMatching(/^Firefox/),
        status: 409,
        result: `no process executes ${run}`,
      },
      expect.objectContaining({ who: 'ann', what: 'POST /session/end', status: 200 }),
    ]);
    const text = readFileSync(join(server.stateDir, 'serve', 'audit.ndjson'), 'utf8');
    expect(text).not.toContain('\u009b');
  });

  test('that cannot be written prevents the write', async () => {
    const server = await served();
    const run = await recordRun(server.stateDir, killedRun());
    await server.poll();
    mkdirSync(join(server.stateDir, 'serve', 'audit.ndjson'), { recursive: true });
    const { status } = await server.post(`/runs/${run}/stop`, { press: press() });
    expect(status).toBe(500);
    expect(existsSync(join(server.stateDir, 'serve', 'jobs'))).toBe(false);
  });
});
