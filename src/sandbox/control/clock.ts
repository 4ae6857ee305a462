/** Control of the world's clock: freeze, run, accelerate, advance. */
import { day, type Millis } from '../../base/clock.ts';
import { described, optional, record, type Infer } from '../../exchange/api/schema.ts';
import { Refusal } from '../refusal.ts';
import { clock } from '../scenario/settings.ts';
import { closed, moment } from '../scenario/words.ts';
import type { Store } from '../persistence/world-store.ts';
import { speedOf, timeFrom, type TimeMode } from '../world/time.ts';
import { asking, type ControlTable } from './control-context.ts';

export const clockControls: ControlTable = {
  clock: {
    GET: (_fields, { store }) => shown(store),
    POST: asking(clock, (fields, { store }) => {
      setClock(fields, store);
      return shown(store);
    }),
  },
  'clock/advance': {
    POST: asking(
      record(
        {
          ms: optional(described('Milliseconds to advance by', moment)),
          to: optional(described('World time to advance to, Unix milliseconds', moment)),
        },
        closed,
      ),
      ({ ms, to }, { store }) => {
        if ((ms === undefined) === (to === undefined)) throw new Refusal('40020', 'ms or to');
        const { time } = store.world().registry;
        set(store, time.mode, { to: to ?? store.now() + (ms ?? 0), speed: speedOf(time) });
        return shown(store);
      },
    ),
  },
};

/**
 * Sets the clock's `mode`, starting `at` a time, and in the mode `accelerated` the factor `speed`.
 */
export function setClock({ mode, at, speed = 1 }: Infer<typeof clock>, store: Store): void {
  set(store, mode, { to: at ?? store.now(), speed });
}

const farthest = 3_653 * day; // takes some seconds to simulate

/** Sets the clock to a new time; then due events follow, in one act. */
function set(store: Store, mode: TimeMode, { to, speed }: { to: Millis; speed: number }): void {
  const now = store.now();
  if (to < now) throw new Refusal('40020', 'the clock cannot go back');
  if (to - now > farthest)
    throw new Refusal('40020', 'the clock can advance at most ten years at a time');
  store.commit({ kind: 'time', time: timeFrom(mode, { at: to, wall: store.wall(), speed }) });
  store.settle();
}

function shown(store: Store) {
  const { time } = store.world().registry;
  return { mode: time.mode, speed: speedOf(time), now: store.now() };
}
