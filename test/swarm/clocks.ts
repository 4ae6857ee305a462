/** Time of a simulated world, and the clocks of the machines in it. */
import type { Clock, Millis } from '../../src/base/clock.ts';

/** True time: moved by whoever sleeps; started again for every seed. */
export interface WorldClock extends Clock {
  advance(ms: Millis): void;
  reset(): void;
}

export function worldClock(start: Millis): WorldClock {
  let elapsed = 0;
  return {
    now: () => start + Math.floor(elapsed),
    monotonic: () => elapsed,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      elapsed += Math.max(0, ms);
    },
    advance: (ms) => {
      elapsed += ms;
    },
    reset: () => {
      elapsed = 0;
    },
  };
}

/** What a machine's clocks show: the wall clock may be wrong and jump, the other begins with it. */
export interface MachineClock extends Clock {
  jump(ms: Millis): void;
}

export function machineClock(world: Clock, wrongBy: Millis): MachineClock {
  const began = world.monotonic();
  let offset = wrongBy;
  return {
    now: () => world.now() + offset,
    monotonic: () => world.monotonic() - began,
    sleep: (ms, signal) => world.sleep(ms, signal),
    jump: (ms) => {
      offset += ms;
    },
  };
}
