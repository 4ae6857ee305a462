/** Control of business time: stand, run, run faster, jump forward. */
import { day, type Millis } from '../../base/clock.ts';
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
  set(store, mode, { to, speed: mode === 'accelerated' ? fields.number('speed') : 1 });
}

function target(fields: Fields, now: Millis): Millis {
  return fields.has('to') ? fields.number('to') : now + fields.number('ms');
}

const farthest = 3_653 * day; // some seconds of work

function forwardOnly(now: Millis, to: Millis): void {
  if (to < now) throw new Refusal('40020', 'the clock only goes forward');
  if (to - now > farthest) throw new Refusal('40020', 'the clock goes at most ten years at once');
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
