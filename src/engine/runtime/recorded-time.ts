/** The time of a run: the times that its tasks read are recorded, and stay the same when it is resumed. */
import type { Clock, Millis } from '../../base/clock.ts';
import type { Entry, Outcome } from '../journal/entry.ts';
import { done } from './done.ts';
import type { Recorder } from './recorder.ts';

export interface TimeOptions {
  readonly earlier: readonly Entry[];
  readonly clock: Clock;
  /** The time that a task gets that asks for the first time. */
  readonly time: (signal: AbortSignal) => Promise<Millis>;
  /** Aborted when responses are no longer awaited. */
  readonly halt: AbortSignal;
}

export class RecordedTime {
  readonly #options: TimeOptions;
  readonly #recorder: Recorder;
  readonly #times: Map<string, Millis>;

  constructor(options: TimeOptions, recorder: Recorder) {
    this.#options = options;
    this.#recorder = recorder;
    this.#times = new Map(options.earlier.flatMap(timeIn));
  }

  /** @param ms how long the task waits from then on, for reports */
  async now(key: string, ms?: Millis): Promise<Millis> {
    const { time, halt } = this.#options;
    const now = this.#times.get(key) ?? (await time(halt));
    const length = ms === undefined ? {} : { ms };
    if (!this.#times.has(key)) {
      await this.#recorder.note({ kind: 'clock', address: key, time: now, ...length });
    }
    this.#times.set(key, now);
    return now;
  }

  /** Waits for the remainder of a duration that began at `now` of the same key. */
  async sleep(key: string, ms: Millis, stopped: AbortSignal): Promise<Outcome> {
    const { clock, time, halt } = this.#options;
    const began = this.#times.get(key);
    const left = began === undefined ? ms : Math.min(ms, began + ms - (await time(halt)));
    if (began === undefined) await this.now(key, Math.max(0, ms));
    await clock.sleep(Math.max(0, left), stopped);
    return done({ waited: ms });
  }
}

function timeIn(entry: Entry): [string, Millis][] {
  return entry.kind === 'clock' ? [[entry.address, entry.time]] : [];
}
