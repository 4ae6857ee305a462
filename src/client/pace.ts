/** The record one rate limit is kept by: which calls are out, and when the last ones came back. */
import type { Clock, Millis } from '../base/clock.ts';
import type { Limit } from '../api/operation.ts';
import { opensAt } from '../api/window.ts';

/** One call's place under a limit; it is given back when the call's answer has come. */
export interface Slot {
  answered(): Promise<void>;
}

/** A place; or how long to wait before the next poll; or the answer that may free one. */
export type Turn =
  | { readonly kind: 'go'; readonly slot: Slot }
  | { readonly kind: 'wait'; readonly ms: Millis }
  | { readonly kind: 'wait-for-answer'; readonly answer: Promise<void> };

/** Kept in memory for one process, or in a file for all processes of a machine. */
export interface Pace {
  /** Takes a place now if one is free. */
  take(signal?: AbortSignal): Promise<Turn>;
  /** No place is free before `ms` from now. */
  hold(ms: Millis): Promise<void>;
}

const margin: Millis = 2; // clocks tick in whole milliseconds, and timers may be early by one

/**
 * How long until one more call may leave. Whenever it arrives there, a call that is out now or
 * came back less than `per` ago may have arrived less than `per` before it: so all of them count.
 * @param answered moments at which calls came back, oldest first
 * @returns Infinity when only an answer can free a place
 */
export function waitFor(
  { answered, out }: { readonly answered: readonly Millis[]; readonly out: number },
  limit: Limit,
  now: Millis,
): Millis {
  const permits = limit.permits - out;
  if (permits <= 0) return Infinity;
  return Math.max(0, opensAt(answered, { ...limit, permits }) + margin - now);
}

/** A pace no one else shares, by the monotonic clock. */
export function ownPace(limit: Limit, clock: Clock): Pace {
  const bell = new Bell();
  let answered: readonly Millis[] = [];
  let heldUntil = -Infinity;
  let out = 0;
  const slot: Slot = {
    answered: async () => {
      out--;
      answered = [...answered, clock.monotonic()].slice(-limit.permits);
      bell.ring();
    },
  };
  return {
    take: async (signal) => {
      const now = clock.monotonic();
      const ms = Math.max(heldUntil - now, waitFor({ answered, out }, limit, now));
      if (ms === Infinity) return { kind: 'wait-for-answer', answer: bell.next(signal) };
      if (ms > 0) return { kind: 'wait', ms };
      out++;
      return { kind: 'go', slot };
    },
    hold: async (ms) => {
      heldUntil = Math.max(heldUntil, clock.monotonic() + ms);
    },
  };
}

/** Wakes whoever listens; it does not remember having rung. */
class Bell {
  readonly #listeners = new Set<() => void>();

  ring(): void {
    for (const wake of this.#listeners) wake();
  }

  async next(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const ending = (end: () => void) => (): void => {
        this.#listeners.delete(wake);
        signal?.removeEventListener('abort', giveUp);
        end();
      };
      const wake = ending(resolve);
      const giveUp = ending(() => reject(signal?.reason));
      this.#listeners.add(wake);
      signal?.addEventListener('abort', giveUp);
    });
  }
}
