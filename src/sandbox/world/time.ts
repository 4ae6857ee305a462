/** The world's time: frozen, or running from a time on with the machine's clock or accelerated. */
import type { Millis } from '../../base/clock.ts';

export type BusinessTime =
  | { readonly mode: 'frozen'; readonly at: Millis }
  | {
      readonly mode: 'real' | 'accelerated';
      /** The world's time at the moment when the clock starts. */
      readonly from: Millis;
      /** The machine's time at the moment when the clock starts. */
      readonly since: Millis;
      /** Milliseconds of the world for each millisecond of the machine; 1 when real. */
      readonly speed: number;
    };

export type TimeMode = BusinessTime['mode'];

export const timeModes: readonly TimeMode[] = ['real', 'frozen', 'accelerated'];

/** A clock that is frozen at, or runs from, a moment of business time. */
export function timeFrom(
  mode: TimeMode,
  { at, wall, speed }: { readonly at: Millis; readonly wall: Millis; readonly speed: number },
): BusinessTime {
  if (mode === 'frozen') return { mode, at };
  return { mode, from: at, since: wall, speed: mode === 'real' ? 1 : speed };
}

/** The world's time when the machine's clock shows `wall`. */
export function momentOf(time: BusinessTime, wall: Millis): Millis {
  if (time.mode === 'frozen') return time.at;
  return time.from + Math.floor((wall - time.since) * time.speed);
}

/** How fast the world's time runs; 1 while it is frozen. */
export function speedOf(time: BusinessTime): number {
  return time.mode === 'frozen' ? 1 : time.speed;
}
