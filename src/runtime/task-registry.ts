/** Everything in progress in one run, by key: begun once, waited for by anyone. */
import { InternalError } from '../base/error.ts';
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
   * Begins work under a key, or finds it in progress. One that merely waits for others does not hold
   * up the end of a run that is broken.
   */
  begin(key: string, of: string, work: () => Promise<TaskEnd>, kind?: 'works' | 'waits'): Handle;
  /** Ends what no one here works on. */
  complete(key: string, end: TaskEnd): void;
  /** Aborted when the run cannot continue. */
  readonly broken: AbortSignal;
}

interface Task {
  readonly of: string;
  readonly handle: Handle;
  end?: TaskEnd;
}

/** @param stops what ends waiting: whoever is ended by one of them has no word on its work */
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
      // Nothing continues behind the back of an error: it is reported when all work has ended.
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

/** How work ended that threw. @throws the error when it is not a statement about the work */
export function endOf(error: unknown, stops: readonly AbortSignal[]): TaskEnd {
  const isStopped = stops.some(({ aborted, reason }) => aborted && error === reason);
  return isStopped || error instanceof InterruptedError
    ? { kind: 'interrupted' }
    : failureOf(error);
}
