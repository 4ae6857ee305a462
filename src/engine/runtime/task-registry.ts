/** All tasks in progress in one run, by key: started once, awaited by any number. */
import { InternalError } from '../../base/error.ts';
import {
  InterruptedError,
  type Durable,
  type TaskEnd,
  type Handle,
} from '../interpreter/durable.ts';
import { failureOf } from '../interpreter/outcome.ts';
import { ReusedKeyError } from './reused.ts';

/** The tasks of a run, and the callers that wait for one of them. */
export class TaskRegistry implements Pick<Durable<object>, 'first' | 'all'> {
  readonly #stops: readonly AbortSignal[];
  readonly #tasks = new Map<string, Task>();
  readonly #broken = new AbortController();
  /** Number of tasks that delay the end of a broken run. */
  #working = 0;
  #waiting: (() => void)[] = [];

  /** @param stops errors that end waiting: a task ended by one of them has no result */
  constructor(stops: readonly AbortSignal[]) {
    this.#stops = stops;
  }

  /** Aborted when the run cannot continue. */
  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  /**
   * Starts a task under a key, or finds it in progress. One that only waits for others does not
   * delay the end of a broken run.
   */
  begin(
    key: string,
    of: string,
    work: () => Promise<TaskEnd>,
    kind: 'works' | 'waits' = 'works',
  ): Handle {
    const known = this.#tasks.get(key);
    if (known) {
      if (known.of !== of) this.breakOff(new ReusedKeyError(key));
      return known.handle;
    }
    const task: Task = { of, handle: { key } };
    this.#tasks.set(key, task);
    if (kind === 'works') this.#working += 1;
    void this.#track(task, work).then(() => {
      if (kind === 'works') this.#working -= 1;
      this.#wake();
    });
    return task.handle;
  }

  /** Completes a task that runs elsewhere. */
  complete(key: string, end: TaskEnd): void {
    const task = this.#tasks.get(key);
    if (task) task.end ??= end;
    this.#wake();
  }

  async first(handles: readonly Handle[]): Promise<Handle> {
    for (;;) {
      // No task continues after an error: it is reported when all have ended.
      if (this.broken.aborted && this.#working === 0) throw this.broken.reason;
      if (!this.broken.aborted) {
        const ended = handles.find((handle) => this.#endOf(handle) !== undefined);
        if (ended !== undefined) return ended;
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async all(handles: readonly Handle[]): Promise<readonly TaskEnd[]> {
    for (let left = handles; left.length > 0; left = left.filter((one) => !this.#endOf(one))) {
      await this.first(left);
    }
    return handles.map((handle) => this.#endOf(handle) ?? { kind: 'interrupted' });
  }

  /** Ends the run with an error after the tasks in progress have ended. */
  breakOff(error: unknown): void {
    if (!this.broken.aborted) this.#broken.abort(error);
  }

  async #track(task: Task, work: () => Promise<TaskEnd>): Promise<void> {
    try {
      const end = await work().catch((error: unknown) => endOf(error, this.#stops));
      task.end ??= end;
    } catch (error) {
      this.breakOff(error);
    }
  }

  #endOf({ key }: Handle): TaskEnd | undefined {
    const task = this.#tasks.get(key);
    if (task === undefined) throw new InternalError(`no task in progress as ${key}`);
    return task.end;
  }

  #wake(): void {
    const woken = this.#waiting;
    this.#waiting = [];
    for (const go of woken) go();
  }
}

interface Task {
  readonly of: string;
  readonly handle: Handle;
  end?: TaskEnd;
}

/** The result of a task that threw. @throws the error when it is not a result of the task */
export function endOf(error: unknown, stops: readonly AbortSignal[]): TaskEnd {
  const isStopped = stops.some(({ aborted, reason }) => aborted && error === reason);
  return isStopped || error instanceof InterruptedError
    ? { kind: 'interrupted' }
    : failureOf(error);
}
