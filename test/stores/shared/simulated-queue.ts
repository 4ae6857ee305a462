/** A queue in memory, over a standing clock; it can be unreachable and lose answers. */
import { day, type Millis, type StandingClock } from '../../../src/base/clock.ts';
import {
  stoppedEnding,
  type Beat,
  type Ending,
  type Job,
  type JobQueue,
  type JobState,
  type Wait,
  type Worker,
} from '../../../src/stores/queue.ts';
import { UnreachableError } from '../../../src/stores/store.ts';
import type { Fault } from './simulated.ts';

interface Row {
  job: Job;
  readonly queued: Millis;
  /** End of the lease, or of a delay. */
  free: Millis;
  isTaken: boolean;
  worker?: string;
  stoppedBy?: string;
  ending?: Ending;
  wait?: Wait;
}

/** As of the simulated database. */
export type QueueFault = Extract<Fault, 'unreachable' | 'answer-lost'>;

/** Planted defects: a test must notice each. */
export type QueueDefect =
  /** The job of a run waits behind those that wait for it. */
  | 'holder-waits'
  /** A job that ended is never queued again. */
  | 'ended-is-known';

export class SimulatedQueue {
  readonly #clock: Pick<StandingClock, 'monotonic' | 'advance'>;
  readonly #defect: QueueDefect | undefined;
  /** In the order of queueing. */
  readonly #rows = new Map<string, Row>();
  readonly #workers = new Map<string, { readonly worker: Worker; readonly seen: Millis }>();
  readonly #wakers = new Set<(change: boolean) => void>();

  constructor(clock: Pick<StandingClock, 'monotonic' | 'advance'>, defect?: QueueDefect) {
    this.#clock = clock;
    this.#defect = defect;
  }

  /** Moves the clock: leases and delays end, and calls of `wake` that have waited long enough. */
  advance(ms: Millis): void {
    this.#clock.advance(ms);
    for (const wake of this.#wakers) wake(false);
  }

  /** One process. @param fault asked before each question */
  connect(fault: (method: keyof JobQueue) => QueueFault | undefined = () => undefined): JobQueue {
    const asking =
      <A extends unknown[], R>(method: keyof JobQueue, work: (...args: A) => R) =>
      async (...args: A): Promise<R> => {
        await Promise.resolve();
        const kind = fault(method);
        if (kind !== 'unreachable') {
          const answer = structuredClone(work(...args));
          if (kind === undefined) return answer;
        }
        throw new UnreachableError('the queue gave no answer', 'try again');
      };
    return {
      put: asking('put', (job: Job, isAgain = job.kind === 'resume') => this.#put(job, isAgain)),
      take: asking('take', (worker: Worker, lease: Millis, writes?: number) =>
        this.#take(worker, lease, writes),
      ),
      beat: asking('beat', (worker: Worker, lease: Millis) => this.#beat(worker, lease)),
      giveBack: asking('giveBack', (worker: string, id: string, delay: Millis, wait?: Wait) =>
        this.#giveBack(worker, id, delay, wait),
      ),
      finish: asking('finish', (worker: string, id: string, ending: Ending) => {
        const row = this.#of(worker, id);
        if (row !== undefined) this.#end(row, ending);
      }),
      stop: asking('stop', (id: string, by: string) => this.#stop(id, by)),
      withdraw: asking('withdraw', (id: string) => this.#withdraw(id)),
      find: asking('find', (id: string) => {
        const row = this.#rows.get(id);
        return row && this.#stateOf(row);
      }),
      list: asking('list', () => this.#open().map((row) => this.#stateOf(row))),
      leave: asking('leave', (worker: string) => void this.#workers.delete(worker)),
      workers: asking('workers', () =>
        [...this.#workers.values()]
          .map(({ worker, seen }) => ({ ...worker, silentFor: this.#now() - seen }))
          .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      ),
      wake: this.#waker(),
    };
  }

  #now(): Millis {
    return this.#clock.monotonic();
  }

  #open(): readonly Row[] {
    return [...this.#rows.values()].filter(({ ending }) => ending === undefined);
  }

  /** What the worker has. */
  #of(worker: string, id: string): Row | undefined {
    const row = this.#rows.get(id);
    return row?.isTaken === true && row.worker === worker ? row : undefined;
  }

  #changed(): void {
    for (const wake of this.#wakers) wake(true);
  }

  #put(job: Job, isAgain: boolean): 'queued' | 'known' {
    const known = this.#rows.get(job.id);
    const isKnown = known?.ending === undefined || this.#defect === 'ended-is-known';
    if (known !== undefined && (isKnown || !isAgain)) return 'known';
    this.#rows.delete(job.id); // it becomes the last one
    const now = this.#now();
    const format = Math.max(job.format, known?.job.format ?? 0);
    const next = { ...structuredClone(job), format };
    this.#rows.set(job.id, { job: next, queued: now, free: now, isTaken: false });
    this.#changed();
    return 'queued';
  }

  #take({ name, format, profiles }: Worker, lease: Millis, writes = format): Job | undefined {
    const open = this.#defect === 'holder-waits' ? this.#open() : inOrder(this.#open());
    const next = open.find(
      ({ job, free }, at) =>
        free <= this.#now() &&
        job.format <= format &&
        job.profiles.every((profile) => profiles.includes(profile)) &&
        !open.slice(0, at).some((older) => shareAccount(older.job, job)),
    );
    if (next === undefined) return undefined;
    const job = { ...next.job, format: Math.max(next.job.format, writes) };
    Object.assign(next, { job, isTaken: true, worker: name, free: this.#now() + lease });
    return job;
  }

  #beat(worker: Worker, lease: Millis): readonly Beat[] {
    for (const [name, { seen }] of this.#workers) {
      if (this.#now() - seen > day) this.#workers.delete(name);
    }
    this.#workers.set(worker.name, { worker: structuredClone(worker), seen: this.#now() });
    const mine = this.#open().filter(({ job }) => this.#of(worker.name, job.id));
    for (const row of mine) row.free = this.#now() + lease;
    return mine.map(({ job, stoppedBy }) => ({ id: job.id, ...(stoppedBy && { stoppedBy }) }));
  }

  #giveBack(worker: string, id: string, delay: Millis, wait?: Wait): void {
    const row = this.#of(worker, id);
    if (row === undefined) return;
    delete row.wait;
    if (wait !== undefined) row.wait = structuredClone(wait);
    Object.assign(row, { isTaken: false, free: this.#now() + delay });
    if (row.stoppedBy === undefined) this.#changed();
    else this.#end(row, stoppedEnding(row.stoppedBy));
  }

  #stop(id: string, by: string): boolean {
    const row = this.#rows.get(id);
    if (row === undefined || row.ending !== undefined) return false;
    row.stoppedBy ??= by;
    if (row.isTaken) this.#changed();
    else this.#end(row, stoppedEnding(row.stoppedBy));
    return true;
  }

  #withdraw(id: string): boolean {
    const row = this.#rows.get(id);
    if (row === undefined || row.worker !== undefined || row.ending !== undefined) return false;
    this.#rows.delete(id);
    this.#changed();
    return true;
  }

  #end(row: Row, ending: Ending): void {
    Object.assign(row, { isTaken: false, ending });
    this.#changed();
  }

  #stateOf({ job, queued, isTaken, worker, stoppedBy, ending, wait }: Row): JobState {
    const { body: _body, ...rest } = job;
    const state = isTaken ? 'taken' : 'queued';
    return {
      job: rest,
      state: ending === undefined ? state : 'ended',
      ...(worker !== undefined && { worker }),
      ...(stoppedBy !== undefined && { stoppedBy }),
      ...(ending !== undefined && { ending }),
      ...(wait !== undefined && ending === undefined && { wait }),
      age: this.#now() - queued,
    };
  }

  /** As a real one, it first resolves when it begins to listen. */
  #waker(): JobQueue['wake'] {
    let hasChanged = true;
    const hear = (change: boolean): void => {
      hasChanged ||= change;
    };
    this.#wakers.add(hear);
    return async (atMost, signal) => {
      const until = this.#now() + atMost;
      if (!hasChanged && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const end = (): void => {
            this.#wakers.delete(check);
            signal.removeEventListener('abort', end);
            resolve();
          };
          const check = (change: boolean): void => {
            if (change || this.#now() >= until) end();
          };
          signal.addEventListener('abort', end);
          this.#wakers.add(check);
        });
      }
      hasChanged = false;
    };
  }
}

function shareAccount(one: Job, two: Job): boolean {
  return one.accounts.some((account) => two.accounts.includes(account));
}

/** What a worker has, then the jobs of runs that another job waits for, then by age. */
function inOrder(open: readonly Row[]): readonly Row[] {
  const isAwaited = ({ job: { id } }: Row): boolean =>
    open.some(({ isTaken, wait }) => !isTaken && wait?.run === id);
  const taken = open.filter(({ isTaken }) => isTaken);
  const free = open.filter(({ isTaken }) => !isTaken);
  return [...taken, ...free.filter(isAwaited), ...free.filter((row) => !isAwaited(row))];
}
