/** The lease of a run that this process has taken, as far as the answers of the database show it. */
import type { Clock, Millis } from '../../base/clock.ts';
import { shellWord } from '../../base/text.ts';
import { LostRunError, StoreError } from '../store.ts';
import type { Holder } from './shared-runs.ts';

export const pause: Millis = 200; // between two attempts to reach the database

export class Lease {
  readonly #holder: Holder;
  readonly #clock: Clock;
  readonly #lost = new AbortController();
  #until: Millis;

  constructor(holder: Holder, clock: Clock) {
    this.#holder = holder;
    this.#clock = clock;
    this.#until = clock.monotonic() + holder.lease;
  }

  /** The signal that is aborted when the run may belong to another process. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * Asks until there is an answer, while the lease surely lasts, and for some time after that. The lease
   * counts from the question: the database may have renewed it any time after that.
   * @returns false when another has taken the run
   * @throws StoreError when the time is over
   */
  async ask(question: () => Promise<boolean>, patience: Millis = 0): Promise<boolean> {
    const { run, lease } = this.#holder;
    for (;;) {
      const at = this.#clock.monotonic();
      try {
        const isOurs = await question();
        if (isOurs) this.#until = at + lease;
        else this.#lost.abort(lostRun(run));
        return isOurs;
      } catch (error) {
        const left = this.#until - this.#clock.monotonic() - pause;
        const mayRepeat = error instanceof StoreError;
        if (!mayRepeat || left <= 0) this.#lost.abort(error);
        if (!mayRepeat || left + patience <= 0) throw error;
      }
      await this.#clock.sleep(pause);
    }
  }
}

export function lostRun(run: string): LostRunError {
  return new LostRunError(
    `run ${run} no longer belongs to this process: another has taken it over, or the database was replaced`,
    `see what continues it: deskhand runs show ${shellWord(run)}`,
  );
}
