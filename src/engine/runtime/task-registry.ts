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

export interface TaskRegistry extends Pick<Durable<object>, 'first' | 'all'> {
  /**
   * Starts a task under a key, or finds it in progress. One that only waits for others does not
   * delay the end of a broken run.
   */
  begin(key: string, of: string, work: () => Promise<TaskEnd>, kind?: 'works' | 'waits'): Handle;
  /** Completes a task that runs elsewhere. */
  complete(key: string, end: TaskEnd): void;
  /** Ends the run with an error after the tasks in progress have ended. */
  readonly breakOff: (error: unknown) => void;
  /** Aborted when the run cannot continue. */
  readonly broken: AbortSignal;
}

interface Task {
  readonly of: string;
  readonly handle: Handle;
  end?: TaskEnd;
}

/** @param stops errors that end waiting: a task ended by one of them has no result */
export function taskRegistry(stops: readonly AbortSignal[]): TaskRegistry {
  const all = new Map<string, Task>();
  const broken = new AbortController();
  let working = 0;
  let waiting: (() => void)[] = [];

  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const go of woken) go();
  };
  const breakOff = (error: unknown): void => {
    if (!broken.signal.aborted) broken.abort(error);
  };
  const track = async (task: Task, work: () => Promise<TaskEnd>): Promise<void> => {
    try {
      const end = await work().catch((error: unknown) => endOf(error, stops));
      task.end ??= end;
    } catch (error) {
      breakOff(error);
    }
  };
  const endedOf = ({ key }: Handle): TaskEnd | undefined => {
    const task = all.get(key);
    if (task === undefined) throw new InternalError(`no task in progress as ${key}`);
    return task.end;
  };
  const first = async (handles: readonly Handle[]): Promise<Handle> => {
    for (;;) {
      // No task continues after an error: it is reported when all have ended.
      if (broken.signal.aborted && working === 0) throw broken.signal.reason;
      if (!broken.signal.aborted) {
        const found = handles.find((handle) => endedOf(handle) !== undefined);
        if (found !== undefined) return found;
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };

  return {
    broken: broken.signal,
    breakOff,
    first,
    all: async (handles) => {
      for (let left = handles; left.length > 0; left = left.filter((one) => !endedOf(one))) {
        await first(left);
      }
      return handles.map((handle) => endedOf(handle) ?? { kind: 'interrupted' });
    },
    complete: (key, end) => {
      const task = all.get(key);
      if (task) task.end ??= end;
      wake();
    },
    begin: (key, of, work, kind = 'works') => {
      const there = all.get(key);
      if (there) {
        if (there.of !== of) breakOff(new ReusedKeyError(key));
        return there.handle;
      }
      const task: Task = { of, handle: { key } };
      all.set(key, task);
      if (kind === 'works') working += 1;
      void track(task, work).then(() => {
        if (kind === 'works') working -= 1;
        wake();
      });
      return task.handle;
    },
  };
}

/** The result of a task that threw. @throws the error when it is not a result of the task */
export function endOf(error: unknown, stops: readonly AbortSignal[]): TaskEnd {
  const isStopped = stops.some(({ aborted, reason }) => aborted && error === reason);
  return isStopped || error instanceof InterruptedError
    ? { kind: 'interrupted' }
    : failureOf(error);
}
