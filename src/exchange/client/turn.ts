/** A queue that admits one caller at a time, in order of arrival; a canceled waiter leaves the queue. */

interface Waiter {
  readonly enter: () => void;
}

export class Turnstile {
  #isTaken = false;
  readonly #waiting = new Set<Waiter>();

  /** Runs `work` after all earlier callers. */
  async through<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#isTaken) await this.#wait(signal);
    this.#isTaken = true;
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#waiting.delete(waiter);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        enter: () => {
          signal?.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      this.#waiting.add(waiter);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#isTaken = false;
      return;
    }
    this.#waiting.delete(next);
    next.enter();
  }
}
