/** The record of one rate limit: calls in flight, and the times at which the last ones returned. */
import type { Clock, Millis } from '../../base/clock.ts';
import type { Limit } from '../api/operation.ts';
import { opensAt } from '../api/window.ts';

/** One call's slot under a limit; it is released when the call's response has arrived. */
export interface Slot {
  answered(): Promise<void>;
}

/** A slot, or the time until the next poll, or the response that may free a slot. */
export type Turn =
  | { readonly kind: 'go'; readonly slot: Slot }
  | { readonly kind: 'wait'; readonly ms: Millis }
  | { readonly kind: 'wait-for-answer'; readonly answer: Promise<void> };

/**
 * The pace of calls under one limit: in memory for one process, or in a file for all processes of a
 * machine.
 */
export interface Pace {
  /** Takes a turn if one is free. */
  take(signal?: AbortSignal): Promise<Turn>;
  /** Grants no turn for the next `ms`. */
  hold(ms: Millis): Promise<void>;
}

const margin: Millis = 2; // clocks have whole milliseconds, and timers may be early by one

/**
 * The wait until one more call may be sent. Whenever that call arrives, a call that is in flight or
 * returned less than `per` ago may have arrived less than `per` earlier, so all of them count.
 * @param answered times at which calls returned, oldest first
 * @returns Infinity when only a response can free a slot
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

/** A pace of this process only, by the monotonic clock. */
export function ownPace(limit: Limit, clock: Clock): Pace {
  const bell = new Bell();
  const answered: Millis[] = [];
  let heldUntil = -Infinity;
  let out = 0;
  const slot: Slot = {
    answered: async () => {
      out--;
      answered.push(clock.monotonic());
      if (answered.length > limit.permits) answered.shift();
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

/** A signal that wakes its listeners; earlier signals are not remembered. */
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
