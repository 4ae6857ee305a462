/** What a worker says in its log when it takes nothing until a person acts. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { minute, second, standingClock } from '../../../src/base/clock.ts';
import { run as runWorker } from '../../../src/cli/commands/worker.ts';
import { work } from '../../../src/app/worker/loop.ts';
import type { WorkEvent } from '../../../src/app/worker/work-options.ts';
import { unserved } from '../../../src/app/queue/available.ts';
import { pausing } from '../../../src/app/worker/pause.ts';
import { pauseIn, type Job, type JobQueue, type Pause } from '../../../src/stores/queue.ts';
import { StoreError } from '../../../src/stores/store.ts';
import { SimulatedQueue } from '../../stores/shared/simulated-queue.ts';
import { contextAt, givenOf } from '../../cli/at.ts';
import { folderWith } from '../../cli/deskhand.ts';

const job = (id: string, format: number, profile = 'main'): Job => ({
  id,
  kind: 'run',
  playbook: 'ladder',
  profiles: [profile],
  accounts: [id],
  format,
  by: 'ann',
  body: {},
});

const worker = {
  name: 'one',
  host: 'desk-1',
  version: '0.1.0',
  format: 1,
  profiles: ['main'],
  slots: 2,
};

/** A worker that looks at its queue for a while. */
async function looking(
  jobs: readonly Job[],
  over: (queue: JobQueue) => JobQueue,
  looks: number,
): Promise<readonly WorkEvent[]> {
  const clock = standingClock(0);
  const queue = over(new SimulatedQueue(clock).connect());
  for (const each of jobs) await queue.put(each);
  const events: WorkEvent[] = [];
  const drain = new AbortController();
  let slept = 0;
  let beat = (): void => undefined;
  await work({
    queue: { ...queue, wake: async () => undefined },
    worker,
    lease: 3 * second,
    clock: {
      ...clock,
      sleep: async () => {
        clock.advance(second);
        slept += 1;
        beat();
        if (slept === looks) drain.abort();
        await setImmediate();
      },
    },
    every: (_ms, next) => {
      beat = next;
      return () => undefined;
    },
    isOnce: false,
    drain: drain.signal,
    attempt: async () => ({ kind: 'ended', ending: { exit: 0, message: 'done' } }),
    onEvent: (event) => events.push(event),
  });
  return events;
}

test('jobs of a newer version are told once, and not those of profiles that it does not serve', async () => {
  const jobs = [job('r-1', 1), job('r-2', 2), job('r-3', 2), job('r-4', 2, 'spot')];
  const events = await looking(jobs, (queue) => queue, (3 * minute) / second);
  expect(events.filter(({ kind }) => kind === 'refused')).toEqual([
    {
      kind: 'refused',
      refusal: {
        message: '2 queued jobs are not taken: they are of a newer version of deskhand than 0.1.0',
        hint: 'stop this worker, install that version, and start it again',
      },
    },
  ]);
  expect(events.map(({ kind }) => kind)).toEqual(['ready', 'taken', 'ended', 'refused']);
});

test('a store that refuses the worker is told once, with what to do', async () => {
  const refused = new StoreError('the tables are of a newer version: 9', 'install it');
  const over = (queue: JobQueue): JobQueue => ({
    ...queue,
    take: async () => {
      throw refused;
    },
  });
  expect(await looking([job('r-1', 1)], over, 10)).toEqual([
    { kind: 'ready' },
    {
      kind: 'refused',
      refusal: {
        message: 'nothing is taken: the tables are of a newer version: 9',
        hint: 'install it',
      },
    },
  ]);
});

test('a refused worker reports why and what to do until it is refused no more, and gets no job of others', async () => {
  const reported: (Pause | undefined)[] = [];
  let asked = 0;
  const over = (queue: JobQueue): JobQueue => ({
    ...queue,
    beat: async (own, lease) => {
      reported.push(own.pause);
      return queue.beat(own, lease);
    },
    take: async (...all) => {
      asked += 1;
      if (asked < 5) throw new StoreError('the tables are of a newer version: 9', 'install it');
      return queue.take(...all);
    },
  });
  await looking([], over, 12);
  const pause = { because: 'the tables are of a newer version: 9', hint: 'install it', jobs: [] };
  const changes = reported.filter((each, at) => at === 0 || each !== reported[at - 1]);
  expect(new Set(changes.map((each) => JSON.stringify(each)))).toEqual(
    new Set([undefined, JSON.stringify(pause)]),
  );
  expect(reported.at(-1)).toBe(undefined);
  expect(pauseIn(JSON.stringify(pause))).toEqual(pause);
  expect(unserved(job('r-1', 1), [{ ...worker, pause }])).toBe(
    'one takes nothing: the tables are of a newer version: 9; install it',
  );
  const clock = standingClock(0);
  const queue = new SimulatedQueue(clock).connect();
  await queue.beat({ ...worker, name: 'two', pause }, 3 * second);
  const pauses = pausing({ queue, worker, lease: 3 * second, clock });
  expect(await pauses.begin(job('r-1', 1), { exit: 5, message: 'the disk is full' })).toBe(false);
});

test('each line of the log of a worker has its time', async () => {
  const folder = folderWith({
    'deskhand.yaml': `profiles: { main: { target: sandbox, base-url: "http://127.0.0.1:1" } }
state: { store: restate, url: { env: DESK }, lease: 2s }
`,
  });
  const env = {
    DESK: 'http://127.0.0.1:1',
    DESKHAND_API_KEY: 'a-key',
    DESKHAND_API_SECRET: 'a-secret',
    DESKHAND_API_PASSPHRASE: 'a-phrase',
  };
  const where = { folder, env, config: `${folder}/deskhand.yaml` };
  const { context, err } = contextAt('2026-11-20T12:00:00Z', where);
  const stop = new AbortController();
  const { clock } = context;
  const sleep: typeof clock.sleep = async (ms, signal) => {
    stop.abort();
    return clock.sleep(ms, signal);
  };
  await runWorker(
    { ...context, stop: stop.signal, clock: { ...clock, sleep } },
    givenOf({ words: [] }),
  );
  expect(err()).toBe('12:00:00 ! Restate at 127.0.0.1:1 is not reachable; waiting for it\n');
});
