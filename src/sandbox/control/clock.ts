/** Control of business time: stand, run, jump forward. */
import type { Millis } from '../../base/clock.ts';
import { Refusal } from '../refusal.ts';
import type { Store } from '../state/store.ts';
import type { BusinessTime } from '../world/settings.ts';
import type { ControlTable } from './bench.ts';
import type { Fields } from './fields.ts';

export const clockControls: ControlTable = {
  clock: {
    GET: (_fields, { store }) => shown(store),
    POST: (fields, { store }) => {
      const mode = fields.choice('mode', ['real', 'frozen']);
      const now = store.now();
      const to = fields.optionalNumber('at') ?? now;
      forwardOnly(now, to);
      set(store, mode, to);
      return shown(store);
    },
  },
  'clock/advance': {
    POST: (fields, { store }) => {
      const now = store.now();
      const to = target(fields, now);
      forwardOnly(now, to);
      set(store, store.world().registry.time.mode, to);
      return shown(store);
    },
  },
};

function target(fields: Fields, now: Millis): Millis {
  return fields.has('to') ? fields.number('to') : now + fields.number('ms');
}

function forwardOnly(now: Millis, to: Millis): void {
  if (to < now) throw new Refusal('40020', 'the clock only goes forward');
}

/** The new time is set first; what it brings is done right after, as one act. */
function set(store: Store, mode: BusinessTime['mode'], to: Millis): void {
  const { time } = store.world().registry;
  const distance = to - store.now();
  const ahead = time.mode === 'real' ? time.ahead + distance : to - store.wall();
  store.commit({ kind: 'time', time: mode === 'frozen' ? { mode, at: to } : { mode, ahead } });
  store.settle();
}

function shown(store: Store) {
  return { mode: store.world().registry.time.mode, now: store.now() };
}
