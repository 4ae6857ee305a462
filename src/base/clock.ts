/** Time as a parameter: the only file that reads the machine's clocks or sets timers. */
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds: a duration, or a time since 1970 (UTC). */
export type Millis = number;

export const millisecond: Millis = 1;
export const second: Millis = 1_000;
export const minute: Millis = 60 * second;
export const hour: Millis = 60 * minute;
export const day: Millis = 24 * hour;

const lengths: Readonly<Record<string, Millis>> = { ms: 1, s: second, m: minute, h: hour, d: day };

/** The duration of `90s`, `10m`, `2h`, `3d` or `500ms`; undefined for any other text. */
export function lengthIn(text: string): Millis | undefined {
  const [, amount, unit = ''] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? [];
  const length = lengths[unit];
  return amount === undefined || length === undefined ? undefined : Number(amount) * length;
}

const iso =
  /^(\d{4}-\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/**
 * The time of `2026-01-31`, midnight in UTC, or of `2026-01-31T08:00:00+08:00`.
 * @returns undefined for any other text, and for a day its month does not have
 */
export function momentIn(text: string): Millis | undefined {
  const [, month, date] = iso.exec(text) ?? [];
  const ms = month === undefined ? Number.NaN : Date.parse(text);
  if (Number.isNaN(ms)) return undefined;
  // Otherwise the 31st of a short month becomes the 1st of the next.
  return new Date(`${month}-${date}`).getUTCDate() === Number(date) ? ms : undefined;
}

export interface Clock {
  /** Wall time, Unix milliseconds; may jump. */
  now(): Millis;
  /** Monotonic time with fractions; never goes back, and its zero is arbitrary. */
  monotonic(): Millis;
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: Millis, signal?: AbortSignal): Promise<void>;
}

/** The longest timer of Node, some 24 days; a longer one would end immediately. */
export const timerMax: Millis = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  // `performance` would load a module of Node.
  monotonic: () => Number(process.hrtime.bigint()) / 1_000_000,
  sleep: async (ms, signal) => {
    try {
      for (let left = Math.max(0, ms); ; left -= timerMax) {
        await delay(Math.min(left, timerMax), undefined, signal ? { signal } : undefined);
        if (left <= timerMax) return;
      }
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
  },
};

/** The last moment that a Date has, in the year 275760. */
export const lastMoment: Millis = 8_640_000_000_000_000;

/**
 * Whether a time as text must be in seconds: read as milliseconds, its 10 or 11 digits would be a
 * day from 1970 to 1973, before any data exists.
 */
export function isInSeconds(text: string): boolean {
  return /^[1-9]\d{9,10}$/.test(text);
}

/** A clock that moves only on request; sleeping on it moves it. */
export interface StandingClock extends Clock {
  advance(ms: Millis): void;
}

/**
 * A clock for tests and rehearsals: a sleep ends immediately and advances the time by its duration.
 */
export function standingClock(start: Millis): StandingClock {
  let elapsed = 0;
  return {
    now: () => start + Math.floor(elapsed),
    monotonic: () => elapsed,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      elapsed += Math.max(0, ms);
      await Promise.resolve();
    },
    advance: (ms) => {
      elapsed += ms;
    },
  };
}

/** Blocks the thread for `ms`: for the few places that must not let others run meanwhile. */
export function pause(ms: Millis): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Calls `ring` after `ms`, and returns a function that prevents it; it keeps no process alive. */
export function alarm(ms: Millis, ring: () => void): () => void {
  const timer = setTimeout(ring, ms);
  timer.unref();
  return () => clearTimeout(timer);
}

/** Calls `work` every `ms`, and returns a function that ends it; it keeps no process alive. */
export function atIntervals(ms: Millis, work: () => void): () => void {
  const timer = setInterval(work, ms);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * A signal that aborts with `reason` after `ms`, or with `outer`, and a function that cancels it.
 * The reason is created on demand, because capturing a stack takes time. Not `AbortSignal.any`: on
 * Node 20 it keeps every signal alive as long as the outer one.
 * @param controller of the signal; default: a new one
 */
export function deadline(
  ms: Millis,
  reason: () => Error,
  outer?: AbortSignal,
  controller = new AbortController(),
): { readonly signal: AbortSignal; cancel(): void } {
  const timer = setTimeout(() => controller.abort(reason()), Math.min(ms, timerMax));
  timer.unref();
  const endWithOuter = (): void => controller.abort(outer?.reason);
  outer?.addEventListener('abort', endWithOuter);
  if (outer?.aborted) endWithOuter();
  return {
    signal: controller.signal,
    cancel: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', endWithOuter);
    },
  };
}
