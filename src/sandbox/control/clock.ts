/** Control of business time: stand, run, run faster, jump forward. */
import type { Millis } from '../../base/clock.ts';
import { Refusal } from '../refusal.ts';
import type { Store } from '../state/store.ts';
import { speedOf, timeFrom, timeModes, type TimeMode } from '../world/time.ts';
import type { ControlTable } from './bench.ts';
import type { Fields } from './fields.ts';

export const clockControls: ControlTable = {
  clock: {
    GET: (_fields, { store }) => shown(store),
    POST: (fields, { store }) => {
      setClock(fields, store);
      return shown(store);
    },
  },
  'clock/advance': {
    POST: (fields, { store }) => {
      const now = store.now();
      const to = target(fields, now);
      forwardOnly(now, to);
      const { time } = store.world().registry;
      set(store, time.mode, { to, speed: speedOf(time) });
      return shown(store);
    },
  },
};

/** `mode`, from a moment `at` on, and with `accelerated` how many times as fast. */
export function setClock(fields: Fields, store: Store): void {
  const mode = fields.choice('mode', timeModes);
  const now = store.now();
  const to = fields.optionalNumber('at') ?? now;
  forwardOnly(now, to);
  set(store, mode, { to, speed: mode === 'accelerated' ? speedIn(fields) : 1 });
}

function speedIn(fields: Fields): number {
  const speed = fields.number('speed');
  if (speed > 0 && speed <= speedMax) return speed;
  throw new Refusal('40020', `speed must be above 0 and at most ${speedMax}`);
}

const speedMax = 100_000; // more than a day a second

function target(fields: Fields, now: Millis): Millis {
  return fields.has('to') ? fields.number('to') : now + fields.number('ms');
}

function forwardOnly(now: Millis, to: Millis): void {
  if (to < now) throw new Refusal('40020', 'the clock only goes forward');
}

/** The new time is set first; what it brings is done right after, as one act. */
function set(store: Store, mode: TimeMode, { to, speed }: { to: Millis; speed: number }): void {
  store.commit({ kind: 'time', time: timeFrom(mode, { at: to, wall: store.wall(), speed }) });
  store.settle();
}

function shown(store: Store) {
  const { time } = store.world().registry;
  return { mode: time.mode, speed: speedOf(time), now: store.now() };
}
