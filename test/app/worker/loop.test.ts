/** The loop of a worker over a simulated queue: what it takes, gives back and reports. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { second, standingClock, type Millis, type StandingClock } from '../../../src/base/clock.ts';
import { work } from '../../../src/app/worker/loop.ts';
import type { Attempted, WorkEvent } from '../../../src/app/worker/work-options.ts';
import { StoreError } from '../../../src/stores/store.ts';
import type { Job, JobQueue, Worker } from '../../../src/stores/queue.ts';
import { SimulatedQueue, type QueueFault } from '../../stores/shared/simulated-queue.ts';

const lease = 3 * second;

const jobOf = (id: string): Job => ({
  id,
  kind: 'run',
  playbook: 'ladder',
  profiles: ['main'],
  accounts: [`account of ${id}`],
  format: 1,
  by: 'ann',
  body: {},
});

const workerOf = (name: string, slots = 2): Worker => ({
  name,
  host: 'desk-1',
  version: '1',
  format: 1,
  profiles: ['main'],
  slots,
});

const done: Attempted = { kind: 'ended', ending: { exit: 0, message: 'done' } };

interface Stage {
  readonly queue: SimulatedQueue;
  readonly other: JobQueue;
  readonly events: WorkEvent[];
  /** Jobs in progress: how to end each, and whether it was asked to stop. */
  readonly going: Map<string, { end: (how: Attempted) => void; stop: AbortSignal }>;
  readonly drain: AbortController;
  readonly beat: () => void;
  readonly working: Promise<void>;
}

function stage(
  options: {
    readonly isOnce?: boolean;
    readonly slots?: number;
    readonly fault?: () => QueueFault | undefined;
    readonly jobs?: readonly string[];
    /** Jobs that another worker takes before. */
    readonly taken?: number;
    readonly prepare?: (id: string) => Promise<void>;
    /** Called when the loop waits; default: time stands still. */
    readonly onSleep?: (ms: Millis, clock: StandingClock) => void;
  } = {},
): Stage {
  const clock = standingClock(0);
  const queue = new SimulatedQueue(clock);
  const other = queue.connect();
  const events: WorkEvent[] = [];
  const going: Stage['going'] = new Map();
  const drain = new AbortController();
  let beat = (): void => undefined;
  const working = (async () => {
    for (const id of options.jobs ?? ['r-1', 'r-2', 'r-3']) await other.put(jobOf(id));
    for (let nth = 0; nth < (options.taken ?? 0); nth++)
      await other.take(workerOf('other'), 100 * lease);
    await work({
      queue: queue.connect(options.fault),
      worker: workerOf('one', options.slots),
      lease,
      clock: {
        ...clock,
        sleep: (ms) => {
          options.onSleep?.(ms, clock);
          return setImmediate();
        },
      },
      every: (_ms, tick) => {
        beat = tick;
        return () => undefined;
      },
      isOnce: options.isOnce ?? false,
      drain: drain.signal,
      attempt: (job, stop) =>
        new Promise((end) => {
          going.set(job.id, { end, stop });
        }),
      ...(options.prepare && { prepare: ({ id }) => options.prepare?.(id) ?? Promise.resolve() }),
      onEvent: (event) => events.push(event),
    });
  })();
  return { queue, other, events, going, drain, beat: () => beat(), working };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
}

test('takes as many jobs as it has slots, the next when one ends, and with --once ends after the last', async () => {
  const { going, other, working } = stage({ isOnce: true });
  await settled();
  expect([...going.keys()]).toEqual(['r-1', 'r-2']);
  going.get('r-2')?.end(done);
  await settled();
  expect([...going.keys()]).toEqual(['r-1', 'r-2', 'r-3']);
  expect(await other.find('r-2')).toMatchObject({ state: 'ended', ending: { exit: 0 } });
  going.get('r-1')?.end(done);
  going.get('r-3')?.end({ kind: 'ended', ending: { exit: 1, message: 'stopped' } });
  await working;
  expect(await other.find('r-3')).toMatchObject({ state: 'ended', ending: { exit: 1 } });
  expect(await other.workers()).toEqual([]);
});

describe('while it is idle', () => {
  const asked = (prepared: string[]) => async (id: string) => void prepared.push(id);

  test('it prepares for as many runs of other workers as it has slots, once a minute', async () => {
    const prepared: string[] = [];
    let now = 0;
    const { drain, working } = stage({
      taken: 3,
      prepare: asked(prepared),
      onSleep: (_ms, clock) => {
        clock.advance(second);
        now += second;
        if (now >= 59 * second) drain.abort();
      },
    });
    await working;
    expect(prepared).toEqual(['r-1', 'r-2']);
  });

  test('it prepares for no run that it has itself, or whose key it does not have', async () => {
    const prepared: string[] = [];
    const { other, going, drain, working } = stage({ slots: 3, prepare: asked(prepared) });
    await settled();
    expect([...going.keys()]).toEqual(['r-1', 'r-2', 'r-3']);
    await other.put({ ...jobOf('r-4'), profiles: ['main', 'second'] });
    await other.take({ ...workerOf('other'), profiles: ['main', 'second'] }, lease);
    going.get('r-1')?.end(done);
    await settled();
    expect(prepared).toEqual([]);
    drain.abort();
    for (const { end } of going.values()) end({ kind: 'given-back', delay: 0 });
    await working;
  });

  test('what cannot be fetched is left to the run, and a job of its own is taken meanwhile', async () => {
    let fail = (): void => undefined;
    const { other, going, events, drain, working } = stage({
      taken: 3,
      prepare: () =>
        new Promise((_resolve, reject) => (fail = () => reject(new StoreError('gone', 'wait')))),
    });
    await settled();
    await other.put(jobOf('r-4'));
    await settled();
    expect([...going.keys()]).toEqual(['r-4']);
    fail();
    drain.abort();
    going.get('r-4')?.end(done);
    await working;
    expect(events.filter(({ kind }) => kind === 'trouble')).toEqual([]);
  });
});

test('when it is drained it takes nothing, stops what it has, and returns when that has ended', async () => {
  const { going, other, drain, working } = stage();
  await settled();
  drain.abort();
  await settled();
  expect([...going.values()].map(({ stop }) => stop.aborted)).toEqual([true, true]);
  for (const { end } of going.values()) end({ kind: 'given-back', delay: 0 });
  await working;
  for (const id of ['r-1', 'r-2', 'r-3'])
    expect(await other.find(id)).toMatchObject({ state: 'queued' });
});

test('a job that a person stops, or that another worker has, is asked to stop; others are not', async () => {
  const { queue, going, other, beat, drain, working } = stage({ slots: 3 });
  await settled();
  await other.stop('r-1', 'ann');
  beat();
  await settled();
  const asked = (): readonly (boolean | undefined)[] =>
    ['r-1', 'r-2', 'r-3'].map((id) => going.get(id)?.stop.aborted);
  expect(asked()).toEqual([true, false, false]);
  going.get('r-1')?.end({ kind: 'given-back', delay: 0 });
  await settled();
  expect(await other.find('r-1')).toMatchObject({ state: 'ended', stoppedBy: 'ann' });
  queue.advance(lease + 1); // it was suspended
  expect(await other.take(workerOf('two'), lease)).toMatchObject({ id: 'r-2' });
  beat();
  await settled();
  expect(asked().slice(1)).toEqual([true, false]);
  going.get('r-2')?.end({ kind: 'given-back', delay: 0 });
  going.get('r-3')?.end(done);
  await settled();
  expect(await other.find('r-2')).toMatchObject({ state: 'taken', worker: 'two' });
  drain.abort();
  await working;
});

test('a queue that gives no answer ends nothing, and a job whose take got no answer is given back', async () => {
  let fault: QueueFault | undefined;
  const { going, other, events, beat, drain, working } = stage({ fault: () => fault, jobs: [] });
  await settled();
  fault = 'answer-lost';
  await other.put(jobOf('r-1'));
  await settled();
  expect(await other.find('r-1')).toMatchObject({ state: 'taken' });
  fault = 'unreachable';
  await settled();
  expect(events.some(({ kind }) => kind === 'trouble')).toBe(true);
  expect(going.size).toBe(0);
  fault = undefined;
  beat();
  await settled();
  expect([...going.keys()]).toEqual(['r-1']);
  fault = 'unreachable';
  going.get('r-1')?.end(done);
  await setImmediate();
  fault = undefined;
  await settled();
  expect(await other.find('r-1')).toMatchObject({ state: 'ended' });
  drain.abort();
  await working;
});

test('a queue that cannot be reached at the start is waited for, and that is reported once', async () => {
  let asked = 0;
  const fault = (): QueueFault | undefined => (++asked <= 5 ? 'unreachable' : undefined);
  const { going, events, drain, working } = stage({ fault });
  await settled();
  expect([...going.keys()]).toEqual(['r-1', 'r-2']);
  expect(events.map(({ kind }) => kind)).toEqual(['waiting', 'ready', 'taken', 'taken']);
  drain.abort();
  for (const { end } of going.values()) end(done);
  await working;
});

test('with --once it is waited for half a minute, and a worker that is stopped waits no longer', async () => {
  let waited: Millis = 0;
  const fault = (): QueueFault => 'unreachable';
  const onSleep = (ms: Millis, clock: StandingClock): void => {
    waited += ms;
    clock.advance(ms);
  };
  const once = stage({ fault, onSleep, isOnce: true });
  await expect(once.working).rejects.toThrow('gave no answer');
  expect(waited).toBe(30 * second);
  const stopped = stage({ fault });
  await settled();
  stopped.drain.abort();
  await stopped.working;
  expect(stopped.events.map(({ kind }) => kind)).toEqual(['waiting']);
});

const full: Attempted = {
  kind: 'unable',
  ending: { exit: 1, message: 'the disk is full', hint: 'free space' },
};

test('a job that this machine cannot do is left to another live worker, and nothing is taken for a while', async () => {
  const { queue, going, other, events, beat, drain, working } = stage({ slots: 1 });
  await other.beat(workerOf('two'), lease);
  await settled();
  going.get('r-1')?.end(full);
  await settled();
  expect([...going.keys()]).toEqual(['r-1']); // not r-2
  const wait = { because: 'one: the disk is full', hint: 'free space' };
  expect(await other.find('r-1')).toMatchObject({ state: 'queued', wait });
  const [one] = await other.workers();
  const pause = { because: 'the disk is full', hint: 'free space', jobs: ['r-1'] };
  expect(one?.pause).toEqual({ ...pause, left: 30 * second });
  expect(events.at(-2)).toMatchObject({ kind: 'paused', pause });
  expect(await other.take(workerOf('two'), lease)).toMatchObject({ id: 'r-1' });
  await other.finish('two', 'r-1', { exit: 0, message: 'done' });

  queue.advance(30 * second);
  await settled();
  beat();
  await settled();
  expect([...going.keys()]).toEqual(['r-1', 'r-2']);
  expect((await other.workers()).map((worker) => worker.pause)).toEqual([undefined, undefined]);
  drain.abort();
  going.get('r-2')?.end(done);
  await working;
});

test.each([
  ['there is no other worker', undefined],
  ['another one does not serve its account', { profiles: ['spot'] }],
  ['another one reads an older format', { format: 0 }],
  [
    'another one gave it back as well',
    { pause: { because: 'older checkout', jobs: ['r-1'], left: second } },
  ],
])('a job that this machine cannot do ends if %s', async (_when, more) => {
  const { going, other, drain, working } = stage({ slots: 1, jobs: ['r-1'] });
  if (more !== undefined) await other.beat({ ...workerOf('two'), ...more }, lease);
  await settled();
  going.get('r-1')?.end(full);
  await settled();
  expect(await other.find('r-1')).toMatchObject({ state: 'ended', ending: full.ending });
  expect((await other.workers())[0]?.pause).toBeUndefined();
  drain.abort();
  await working;
});

test('a silent worker is none, and each pause in a row is twice as long', async () => {
  const { queue, going, other, beat, drain, working } = stage({ slots: 1, jobs: ['r-1'] });
  const left: (Millis | undefined)[] = [];
  for (let tries = 0; tries < 6; tries++) {
    await other.beat(workerOf('two'), lease);
    await settled();
    going.get('r-1')?.end(full);
    going.delete('r-1');
    await settled();
    const [one] = await other.workers();
    left.push(one?.pause?.left);
    queue.advance(one?.pause?.left ?? 0);
  }
  expect(left).toEqual([30, 60, 120, 240, 300, 300].map((each) => each * second));
  beat();
  await settled();
  going.get('r-1')?.end(full); // the other one was silent since
  await settled();
  expect(await other.find('r-1')).toMatchObject({ state: 'ended' });
  drain.abort();
  await working;
});
