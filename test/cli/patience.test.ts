/** Who follows a run or waits for a worker survives a store that gives no answer for a while. */
import { expect, test } from 'vitest';
import { second, type StandingClock } from '../../src/base/clock.ts';
import type { Context } from '../../src/cli/context.ts';
import { awaitTaken } from '../../src/app/queue/available.ts';
import { follow } from '../../src/cli/worker/follow.ts';
import type { Jobs } from '../../src/stores/job-store.ts';
import type { Entry } from '../../src/engine/journal/entry.ts';
import { chainStart, encodeRecord } from '../../src/engine/journal/record.ts';
import type { Ending, Job, JobQueue, Worker } from '../../src/stores/queue.ts';
import { lastLink } from '../../src/stores/shared/lines.ts';
import { doneRun, killedRun, stoppedRun } from '../support/entries.ts';
import { SimulatedDatabase } from '../stores/shared/simulated.ts';
import { SimulatedQueue, type QueueFault } from '../stores/shared/simulated-queue.ts';
import { contextAt } from './at.ts';

const run = 'r-1';
const job: Job = {
  id: run,
  kind: 'run',
  playbook: 'ladder',
  profiles: ['main'],
  accounts: ['main'],
  format: 1,
  by: 'ann',
  body: {},
};
const worker: Worker = {
  name: 'one',
  host: 'desk-1',
  version: '1',
  format: 1,
  profiles: ['main'],
  slots: 1,
};
const lease = 3 * second;
const done: Ending = { exit: 0, message: 'done', result: { status: 'done' } };
const stopped: Ending = { exit: 1, message: 'stopped', result: { status: 'stopped' } };

interface Scene {
  readonly jobs: Jobs;
  /** Without faults. */
  readonly queue: JobQueue;
  readonly context: Context;
  /** What is said to those who wait. */
  readonly asking: Pick<Context, 'clock'> & { readonly say: (line: string) => void };
  readonly clock: StandingClock;
  /** Stores lines up to the last entry. */
  readonly store: (entries: readonly Entry[]) => Promise<void>;
  readonly said: () => string;
  readonly printed: () => string;
  /** Ctrl-C. */
  readonly leave: () => void;
}

/** @param fault of the n-th question, from 1 */
function scene(
  fault: (asked: number, all: Scene, method: string) => QueueFault | undefined,
): Scene {
  const { context, out, err } = contextAt('2026-11-20T12:00:00Z', { folder: '/nowhere' }, 'json');
  const clock = context.clock as StandingClock;
  const queue = new SimulatedQueue(clock);
  const database = new SimulatedDatabase(clock);
  const stop = new AbortController();
  let asked = 0;
  const faultOf = (method: string): QueueFault | undefined => {
    asked += 1;
    return fault(asked, all, method);
  };
  const writer = database.connect();
  const all: Scene = {
    queue: queue.connect(),
    jobs: {
      queue: queue.connect(faultOf),
      runs: database.connect(faultOf),
      plans: { find: async () => undefined, close: async () => undefined } as never,
      lease,
      close: async () => undefined,
    },
    asking: { clock, say: (line) => context.terminal.err.line(line) },
    context: { ...context, globals: { ...context.globals, isQuiet: true }, stop: stop.signal },
    clock,
    store: async (entries) => {
      let prev = chainStart;
      const text = entries.map(({ seq, at, ...event }) => {
        const { line, link } = encodeRecord(event, { seq, at, prev });
        prev = link;
        return line;
      });
      const taken = await writer.take({
        run,
        playbook: 'ladder',
        accounts: [],
        host: 'desk-1',
        owner: {} as never,
        nonce: 'n',
        lease,
        isResumed: false,
        now: clock.now(),
      });
      if (taken.kind !== 'taken') throw new Error('it was not taken');
      const rows = [{ first: 1, last: text.length, text: text.join('') }];
      const link = lastLink(text.join(''));
      expect(await writer.keep(taken.holder, { header: '', after: 0, rows, link })).toBe(true);
    },
    said: err,
    printed: out,
    leave: () => stop.abort(),
  };
  return all;
}

const unanswered =
  (from: number, many = Infinity) =>
  (asked: number): QueueFault | undefined =>
    asked >= from && asked < from + many ? 'unreachable' : undefined;

/** A run that was queued and has these lines, whose end its worker has reported. */
async function ended(all: Scene, entries: readonly Entry[], ending: Ending): Promise<void> {
  await all.queue.put(job);
  await all.queue.take(worker, lease);
  await all.store(entries);
  await all.queue.finish(worker.name, run, ending);
}

const about = (all: Scene): readonly string[] => all.said().match(/the store .*/g) ?? [];
const waits = 'the store gives no answer since 12:00:00; waiting for it; the run continues';

test.each([
  [1, 0, doneRun(), done],
  [2, 0, doneRun(), done],
  [1, 1, stoppedRun(), stopped],
  [2, 1, stoppedRun(), stopped],
])(
  'a follower waits for the store from its question %i on, says so once, and exits with %i as the run did',
  async (from, _exit, entries, ending) => {
    const all = scene(unanswered(from, 30));
    await ended(all, entries, ending);
    expect(await follow(run, all.jobs, all.context)).toBe(ending.exit);
    expect(about(all)).toEqual([waits, 'the store answers again']);
    expect(JSON.parse(all.printed())).toMatchObject({ exit: ending.exit });
  },
);

test('it waits no longer for a run that is done by its lines, whatever its worker reports', async () => {
  const all = scene(unanswered(3));
  await ended(all, doneRun(), { exit: 5, message: 'the database gave no answer' });
  expect(await follow(run, all.jobs, all.context)).toBe(0);
  const away = scene(unanswered(3));
  await away.queue.put(job);
  await away.queue.take(worker, lease);
  await away.store(doneRun());
  expect(await follow(run, away.jobs, away.context)).toBe(0);
  expect(JSON.parse(away.printed())).toMatchObject({ exit: 0 });
});

test.each([
  ['the run continues', killedRun()],
  ['its last known line is its end, with exit code 1', stoppedRun()],
])('a follower that is told to leave meanwhile says: %s', async (known, entries) => {
  const all = scene((asked, { leave }) => {
    if (asked === 9) leave();
    return unanswered(3)(asked);
  });
  await all.queue.put(job);
  await all.queue.take(worker, lease);
  await all.store(entries);
  expect(await follow(run, all.jobs, all.context)).toBe(143);
  expect(about(all)).toEqual([
    waits,
    `the store gives no answer; ${known}; look at it again: deskhand runs logs -f r-1`,
  ]);
});

test('who waits for a worker waits for the store, too', async () => {
  const all = scene((asked, { queue }) => {
    if (asked === 9) void queue.take(worker, lease);
    return unanswered(2, 9)(asked);
  });
  await all.queue.put(job);
  const { signal } = new AbortController();
  await awaitTaken({ job, isOurs: true, wait: 60 * second }, all.jobs, signal, all.asking);
  expect(about(all)).toHaveLength(2);
});

test('a job whose withdrawal got no answer was withdrawn, and is not taken for one that a worker has', async () => {
  const lost = (_asked: number, _all: Scene, method: string): QueueFault | undefined => {
    if (method !== 'withdraw' || isLost) return undefined;
    isLost = true;
    return 'answer-lost';
  };
  let isLost = false;
  const all = scene(lost);
  await all.queue.put(job);
  const { signal } = new AbortController();
  const waiting = awaitTaken({ job, isOurs: true, wait: second }, all.jobs, signal, all.asking);
  await expect(waiting).rejects.toThrow('it was withdrawn');
  expect(await all.queue.find(run)).toBe(undefined);
});

test('a job that one machine gave back and no other took is withdrawn after the wait, and can be queued again', async () => {
  const all = scene(() => undefined);
  await all.queue.put(job);
  await all.queue.take(worker, second);
  await all.queue.giveBack(worker.name, run, 0, { because: 'one: the disk is full' });
  const { signal } = new AbortController();
  const waiting = awaitTaken({ job, isOurs: true, wait: second }, all.jobs, signal, all.asking);
  await expect(waiting).rejects.toThrow('it was withdrawn');
  expect(await all.queue.find(run)).toMatchObject({ state: 'ended' });
  expect(await all.queue.put(job, true)).toBe('queued');
});
