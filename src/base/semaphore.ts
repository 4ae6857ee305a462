/** Lets some work run at once, and other work wait for it in order. */

export interface SemaphoreOptions {
  readonly atOnce: number;
  /** The maximum number of waiting calls. */
  readonly waiting: number;
  /** Creates the error for a call that exceeds `waiting`. */
  readonly full: () => Error;
}

/**
 * Does the work as soon as a place is free.
 * @param signal aborted to stop waiting; what has begun is not affected
 * @throws the error for too many, the reason of the signal, or what the work throws
 */
export type Semaphore = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

export function semaphore({ atOnce, waiting, full }: SemaphoreOptions): Semaphore {
  const queue: (() => void)[] = [];
  let free = atOnce;
  return async (work, signal) => {
    if (queue.length >= waiting && free === 0) throw full();
    signal?.throwIfAborted();
    if (free > 0) free -= 1;
    else await turnIn(queue, signal);
    try {
      return await work();
    } finally {
      // A place that becomes free is passed on, so that nobody takes it from those who wait.
      const next = queue.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

/** Waits in the queue, and leaves it when the signal is aborted. @throws its reason */
function turnIn(queue: (() => void)[], signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const enter = (): void => {
      signal?.removeEventListener('abort', leave);
      resolve();
    };
    const leave = (): void => {
      queue.splice(queue.indexOf(enter), 1);
      reject(signal?.reason);
    };
    queue.push(enter);
    signal?.addEventListener('abort', leave, { once: true });
  });
}
