/** What a record of a rate limit must do, wherever it is kept. */
import { describe, expect, test } from 'vitest';
import { second, type Clock, type Millis } from '../../../src/base/clock.ts';
import type { Limit } from '../../../src/exchange/api/operation.ts';
import type { Pace, Slot } from '../../../src/exchange/client/pace.ts';

export interface PaceWorld {
  /** Of the processes. */
  readonly clock: Clock;
  /** A limit that is not used yet. @returns what connects one process more to it */
  open(limit: Limit): Promise<() => Pace>;
}

/** A request: it may have arrived at any time between these. */
interface Journey {
  readonly sent: Millis;
  readonly answered: Millis;
}

const limit: Limit = { permits: 5, per: second / 4, of: 'ip' };

export function paceContract(name: string, world: PaceWorld): void {
  describe(`${name}: the pace`, () => {
    const { clock } = world;

    test('four processes never have more requests on their way or in a window than the limit', async () => {
      const connect = await world.open(limit);
      const journeys: Journey[] = [];
      const lane = async (_none: unknown, own: number): Promise<void> => {
        const pace = connect();
        for (let call = 0; call < 8; call++) {
          const slot = await place(pace, clock);
          const sent = clock.monotonic();
          await clock.sleep(1 + ((own + call) % 4) * 20);
          journeys.push({ sent, answered: clock.monotonic() });
          await slot.answered();
        }
      };
      await Promise.all(Array.from({ length: 4 }, lane));
      expect(journeys).toHaveLength(32);
      for (const { sent } of journeys) {
        const counted = journeys.filter(
          (other) => other.sent <= sent && other.answered > sent - limit.per,
        );
        expect(counted.length).toBeLessThanOrEqual(limit.permits);
      }
    });

    test('a request without a response keeps its place', async () => {
      const connect = await world.open(limit);
      const pace = connect();
      const slots: Slot[] = [];
      while (slots.length < limit.permits) slots.push(await place(pace, clock));
      await clock.sleep(2 * limit.per);
      expect((await pace.take()).kind).not.toBe('go');
      await slots[0]?.answered();
      await clock.sleep(limit.per + 20);
      expect((await pace.take()).kind).toBe('go');
      expect((await pace.take()).kind).not.toBe('go');
    });

    test('nothing is sent while it is held, by any process', async () => {
      const connect = await world.open(limit);
      const [one, two] = [connect(), connect()];
      await (await place(one, clock)).answered();
      const since = clock.monotonic();
      await one.hold(second / 2);
      await place(two, clock);
      expect(clock.monotonic() - since).toBeGreaterThanOrEqual(second / 2);
    });
  });
}

/** Waits for a place, as a limiter does. */
export async function place(pace: Pace, clock: Clock): Promise<Slot> {
  for (;;) {
    const turn = await pace.take();
    if (turn.kind === 'go') return turn.slot;
    await (turn.kind === 'wait' ? clock.sleep(turn.ms) : turn.answer);
  }
}
