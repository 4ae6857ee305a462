/** The queue of jobs in Restate. */
import { alarm, second, type Clock, type Millis } from '../../base/clock.ts';
import type { Beat, Job, JobQueue, JobState, Worker } from '../queue.ts';
import { openDesk, required, type RestateOptions } from './desk.ts';
import { queueObject } from './objects/names.ts';

/** Opens the queue of a desk; it connects at the first call. @throws ConfigError for a bad address */
export function openRestateQueue(options: RestateOptions): JobQueue & { close(): Promise<void> } {
  const desk = openDesk(options);
  const ask = desk.single(queueObject);
  const changes = (): Promise<number> => required(ask<number>('changes', {}, repeatable));
  const waker = wakerOver(changes, desk.clock);
  let checked = -Infinity;
  /**
   * Checks the version of the service with each call: connected clients stay when the service is replaced.
   */
  const requireSame = async (): Promise<void> => {
    if (desk.clock.monotonic() < checked + between) return;
    await desk.check();
    checked = desk.clock.monotonic();
  };
  return {
    put: (job, isAgain = job.kind === 'resume') =>
      required(ask<'queued' | 'known'>('put', { job, isAgain })),
    take: async (worker, lease, writes = worker.format) => {
      await requireSame();
      return ask<Job>('take', { worker, lease, writes });
    },
    beat: (worker, lease) => required(ask<readonly Beat[]>('beat', { worker, lease }, repeatable)),
    giveBack: async (worker, id, delay, wait) => {
      await ask('giveBack', { worker, id, delay, ...(wait && { wait }) });
    },
    finish: async (worker, id, ending) => {
      await ask('finish', { worker, id, ending });
    },
    stop: (id, by) => required(ask<boolean>('stop', { id, by })),
    withdraw: (id) => required(ask<boolean>('withdraw', { id })),
    find: (id) => ask<JobState>('find', { id }, repeatable),
    list: () => required(ask<readonly JobState[]>('list', {}, repeatable)),
    leave: async (worker) => {
      await ask('leave', { worker }, repeatable);
    },
    workers: () =>
      required(
        ask<readonly (Worker & { readonly silentFor: Millis })[]>('workers', {}, repeatable),
      ),
    wake: (atMost, signal) => waker.wake(atMost, signal),
    close: async () => {
      waker.close();
      await desk.close();
    },
  };
}

const repeatable = { isRepeatable: true } as const;

const between: Millis = 10 * second; // two checks of the version of the service by a worker
const interval: Millis = 200; // between two looks

/** Waits for changes by asking for their number now and then: Restate does not notify. */
function wakerOver(
  changes: () => Promise<number>,
  clock: Clock,
): { readonly wake: JobQueue['wake']; close(): void } {
  const closing = new AbortController();
  let known: number | undefined;
  return {
    wake: async (atMost, signal) => {
      const until = clock.monotonic() + atMost;
      while (!signal.aborted && !closing.signal.aborted) {
        const now = await changes().catch(() => undefined); // tried again below
        const isChanged = now !== undefined && now !== known;
        known = now ?? known;
        if (isChanged || clock.monotonic() >= until) return;
        await paused(Math.min(interval, until - clock.monotonic()), [signal, closing.signal]);
      }
    },
    close: () => closing.abort(),
  };
}

/** Waits for a time; any of the signals ends it early, and it keeps no process alive. */
function paused(ms: Millis, signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      for (const signal of signals) signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = alarm(ms, end);
    for (const signal of signals) signal.addEventListener('abort', end);
  });
}
