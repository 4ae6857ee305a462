/** Work for workers on the pages, over a simulated queue; and runs that other machines execute. */
import { expect, test } from 'vitest';
import { minute, second, standingClock } from '../../../src/base/clock.ts';
import { queueOver } from '../../../src/serve/server/queue-service.ts';
import { lockRun } from '../../../src/engine/journal/lock.ts';
import { thisKernel } from '../../../src/base/lock/kernel.ts';
import { sealed } from '../../../src/engine/plan/digest.ts';
import { savePlan } from '../../../src/engine/plan/file.ts';
import type { AnswerOf, Routes } from '../../../src/serve/server/routes/index.ts';
import type { Job, Worker } from '../../../src/stores/queue.ts';
import { UnreachableError, type Claim } from '../../../src/stores/store.ts';
import { killedRun, stoppedRun } from '../../support/entries.ts';
import { samplePlan } from '../../support/plans.ts';
import { recordRun } from '../../support/recorded.ts';
import { startOfRuns } from '../../support/tape.ts';
import { SimulatedQueue } from '../../stores/shared/simulated-queue.ts';
import { simulatedPlans } from '../../stores/shared/simulated-plans.ts';
import { served, type Served } from './desk.ts';

type Home = AnswerOf<Routes['GET /home']>;
type Offered = AnswerOf<Routes['GET /runs/{run}/actions']>;

const lease = 3 * second;
const press = (at: number): string => `press-${String(at).padStart(12, '0')}`;

const jobOf = (id: string, more: Partial<Job> = {}): Job => ({
  id,
  kind: 'resume',
  playbook: 'ladder',
  profiles: ['sandbox'],
  accounts: [],
  format: 1,
  by: 'ben',
  body: null,
  ...more,
});

const workerOf = (...profiles: string[]): Worker => ({
  name: 'w-1',
  host: 'desk-1',
  version: '1',
  format: 2,
  profiles,
  slots: 1,
});

/** A desk with a queue whose clock stands. */
async function desk(sync?: () => Promise<readonly Claim[]>) {
  const clock = standingClock(startOfRuns);
  const queue = new SimulatedQueue(clock).connect();
  const plans = simulatedPlans();
  let isReachable = true;
  const service = queueOver(
    async () => {
      if (!isReachable) throw new UnreachableError('the queue gave no answer', 'try again');
      return {
        queue,
        runs: { claims: async () => [] },
        plans,
        lease,
        close: async () => undefined,
      };
    },
    async (id) => {
      throw new Error(`no plan ${id}`);
    },
  );
  const server = await served({ queue: service, ...(sync && { sync }) });
  return { server, queue, cut: () => (isReachable = false) };
}

async function answer<A>({ get }: Served, path: string): Promise<A> {
  return (await (await get(path)).json()) as A;
}

test('a run whose rest is queued shows who waits for what, and offers no second resume', async () => {
  const { server, queue } = await desk();
  const run = await recordRun(server.stateDir, stoppedRun());
  await server.poll();
  const before = await answer<Offered>(server, `/runs/${run}/actions`);
  await queue.put(jobOf(run));
  expect(await server.desk.queue?.fetch()).toBe(true);
  expect(await server.desk.queue?.fetch()).toBe(false); // nothing has changed since
  const { waiting, ...others } = await answer<Offered>(server, `/runs/${run}/actions`);
  expect(waiting).toEqual({
    desk: 'desk',
    job: run,
    kind: 'resume',
    playbook: 'ladder',
    profiles: ['sandbox'],
    by: 'ben',
    since: startOfRuns,
    unserved: 'no worker is running, and this needs one that serves sandbox',
  });
  expect(others).toEqual({ doubts: [] });
  expect((await answer<Home>(server, '/home')).waiting).toEqual([waiting]);
  await queue.beat(workerOf('sandbox'), lease);
  await server.desk.queue?.fetch();
  const free = (await answer<Home>(server, '/home')).waiting[0];
  expect([free?.unserved, free?.waits]).toEqual([undefined, 'for a free worker']);
  const removed = await server.post(`/jobs/${run}/stop`, { press: press(1) });
  expect(await removed.json()).toEqual({
    lines: [
      `${run} is cancelled; no worker had it then`,
      `continue it later: deskhand resume ${run} --queue`,
      'if it had not begun, queue its plan again: deskhand run PLAN --queue',
    ],
  });
  expect(await queue.find(run)).toMatchObject({ state: 'ended', stoppedBy: 'ann' });
  expect(await answer<Offered>(server, `/runs/${run}/actions`)).toEqual(before);
});

test('what a worker executes is asked to stop once, and the page names who asked', async () => {
  const run = 'r-5t8w';
  let until = startOfRuns + minute;
  const { server, queue } = await desk(async () => [claimOf(run, until), claimOf('r-1', until)]);
  expect(await recordRun(server.stateDir, killedRun())).toBe(run);
  await queue.put(jobOf(run));
  await queue.take(workerOf('sandbox'), lease);
  await Promise.all([server.desk.fetch(), server.desk.queue?.fetch()]);
  await server.poll();
  const home = await answer<Home>(server, '/home');
  expect([home.running.map((row) => row.run), home.needs, home.waiting]).toEqual([[run], [], []]);
  const stopped = await server.post(`/runs/${run}/stop`, { press: press(2) });
  expect(await stopped.json()).toEqual({
    isStopping: true,
    lines: [
      `${run} stops: nothing new is sent, and responses are awaited`,
      `continue it later: deskhand resume ${run} --queue`,
      'if it had not begun, queue its plan again: deskhand run PLAN --queue',
    ],
  });
  expect(await queue.beat(workerOf('sandbox'), lease)).toEqual([{ id: run, stoppedBy: 'ann' }]);
  expect((await answer<Offered>(server, `/runs/${run}/actions`)).stop).toMatchObject({
    askedBy: 'ann',
  });
  until = startOfRuns; // its lease is over
  await server.desk.fetch();
  await server.poll();
  expect((await answer<Home>(server, '/home')).running).toEqual([]);
});

test('a run of another machine stays in progress between two looks at the store, and not much longer', async () => {
  let isReachable = true;
  const { server } = await desk(async () => {
    if (!isReachable) throw new UnreachableError('the store gave no answer', 'try again');
    return [claimOf('r-5t8w', server.clock.now() + lease)];
  });
  await recordRun(server.stateDir, killedRun());
  const running = async (): Promise<number> => {
    await server.poll();
    return (await answer<Home>(server, '/home')).running.length;
  };
  await server.desk.fetch();
  expect(await running()).toBe(1);
  server.clock.advance(lease + second); // renewed meanwhile, which nobody here has seen
  expect(await running()).toBe(1);
  isReachable = false;
  await server.desk.fetch();
  server.clock.advance(10 * second);
  expect(await running()).toBe(0);
});

test('a claim whose process ended on this machine is no run in progress', async () => {
  let claim: Claim | undefined;
  const { server } = await desk(async () => (claim === undefined ? [] : [claim]));
  const run = await recordRun(server.stateDir, killedRun());
  claim = claimOf(run, startOfRuns + minute);
  const kernel = thisKernel();
  const ended = { ...kernel, pid: kernel.pid, born: 'before', startOf: () => 'before' };
  const lock = await lockRun(server.stateDir, run, { kernel: ended, claim: claim.nonce });
  await server.desk.fetch();
  await server.poll();
  expect((await answer<Home>(server, '/home')).running).toEqual([]);
  claim = { ...claim, nonce: 'another' }; // taken by another process since
  await server.desk.fetch();
  await server.poll();
  expect((await answer<Home>(server, '/home')).running).toMatchObject([{ run }]);
  await lock.release();
});

test('a store that gives no answer leaves what is known, and refuses in words', async () => {
  const { server, queue, cut } = await desk();
  await queue.put(jobOf('r-1'));
  cut();
  expect(await server.desk.queue?.fetch()).toBe(false);
  expect((await answer<Home>(server, '/home')).waiting).toEqual([]);
  const refused = await server.post('/jobs/r-1/stop', { press: press(3) });
  expect([refused.status, await refused.json()]).toEqual([
    409,
    { error: { code: 'state', message: 'the queue gave no answer', hint: 'try again' } },
  ]);
});

test.each(['live', 'demo'] as const)(
  'a plan of a %s account is queued only with its name, and never run by the server',
  async (target) => {
    const { id: _id, digest: _digest, ...bound } = samplePlan();
    const plan = sealed({
      ...bound,
      destination: { ...bound.destination, profile: 'mm-main', target },
    });
    const server = await served();
    await savePlan(server.stateDir, plan);
    const run = async (at: number, body: object): Promise<unknown> => {
      const response = await server.post(`/plans/${plan.id}/run`, { press: press(at), ...body });
      const { error } = (await response.json()) as { error: { code: string; message: string } };
      return [response.status, error.code, error.message];
    };
    const account = `the ${target} account mm-main`;
    const here = [409, 'live', `plan ${plan.id} is for ${account}`];
    const untyped = [409, 'confirm', `this is for ${account}`];
    expect(await run(4, {})).toEqual(here);
    expect(await run(5, { confirm: 'mm-main' })).toEqual(here);
    expect(await run(6, { isQueued: true })).toEqual(untyped);
    expect(await run(7, { isQueued: true, confirm: 'MM-MAIN' })).toEqual(untyped);
  },
);

function claimOf(run: string, until: number): Claim {
  const owner = { machine: 'm', host: 'desk-2', boot: 'b', namespace: 'n', pid: 77, born: '1' };
  return {
    run,
    playbook: 'ladder',
    accounts: [],
    host: 'desk-2',
    machine: 'm',
    owner,
    nonce: 'one',
    since: startOfRuns,
    until,
  };
}
