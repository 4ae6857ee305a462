/** The rules of a rate limit: places, turns and clocks that are set back. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hour, second, type Millis } from '../../../src/base/clock.ts';
import {
  answeredAt,
  placeFor,
  type PaceState,
} from '../../../src/stores/restate/objects/pace-state.ts';

const limit = { permits: 2, per: second };
const start: Millis = 1_800_000_000_000;

/** An object of a limit, at a time that a test sets. */
class Limited {
  now = start;
  #state: PaceState | undefined;

  ask(id: string, of = limit): Millis {
    const { state, wait } = placeFor(this.#state, { ...of, id }, this.now);
    this.#state = state;
    return wait;
  }

  answered(id: string): void {
    if (this.#state !== undefined) this.#state = answeredAt(this.#state, id, this.now);
  }

  get size(): number {
    return this.#state?.places.length ?? 0;
  }
}

test('a limit of which nothing is known begins as if it were used up', () => {
  const one = new Limited();
  expect(one.ask('a')).toBe(limit.per);
  one.now += limit.per;
  expect(one.ask('a')).toBe(0);
});

test('a request that is not asked for again loses its turn, two seconds after its time', () => {
  const one = new Limited();
  const narrow = { permits: 1, per: second };
  one.ask('a', narrow);
  one.now += second;
  expect(one.ask('a', narrow)).toBe(0);
  one.answered('a');
  expect(one.ask('dead', narrow)).toBe(second);
  one.now += second;
  expect(one.ask('b', narrow)).toBeGreaterThan(0);
  one.now += 2 * second;
  expect(one.ask('b', narrow)).toBeGreaterThan(0);
  one.now += 1;
  expect(one.ask('b', narrow)).toBe(0);
});

test('a request without a response counts for half a minute', () => {
  const one = new Limited();
  for (const id of ['a', 'b']) one.ask(id);
  one.now += limit.per;
  expect([one.ask('a'), one.ask('b')]).toEqual([0, 0]);
  one.now += 30 * second - 1;
  expect(one.ask('c')).toBeGreaterThan(0);
  one.now += 1;
  expect(one.ask('c')).toBe(0);
});

test('places continue after the clock was set back by hours', () => {
  const one = new Limited();
  one.ask('a');
  one.now += limit.per;
  for (const id of ['a', 'b']) {
    expect(one.ask(id)).toBe(0);
    one.answered(id);
  }
  one.now -= 3 * hour;
  const wait = one.ask('c');
  expect(wait).toBeLessThanOrEqual(limit.per);
  one.now += wait;
  expect(one.ask('c')).toBe(0);
});

test('in no window more requests have arrived than the limit allows, and everyone gets a place', () => {
  const permits = fc.integer({ min: 1, max: 4 });
  const steps = fc.array(fc.tuple(fc.nat(7), fc.nat(1_500), fc.nat(900)), { maxLength: 120 });
  fc.assert(
    fc.property(permits, steps, (most, all) => {
      const one = new Limited();
      const of = { permits: most, per: second };
      const journeys: { readonly sent: Millis; readonly answered: Millis }[] = [];
      const due = new Map<string, Millis>(); // of those that wait
      const open = new Map<string, { readonly sent: Millis; readonly answered: Millis }>();
      const step = (number: number): void => {
        for (const [id, journey] of open) {
          if (journey.answered > one.now) continue;
          one.answered(id);
          open.delete(id);
          journeys.push({ sent: journey.sent, answered: one.now });
        }
        for (const [id, at] of due) {
          if (at > one.now) continue;
          const wait = one.ask(id, of);
          if (wait > 0) due.set(id, one.now + wait);
          else {
            due.delete(id);
            open.set(id, { sent: one.now, answered: one.now + number });
          }
        }
      };
      for (const [at, [process, pause, travel]] of all.entries()) {
        if (due.size < 8) due.set(`${process}-${at}`, one.now);
        step(travel);
        one.now += pause / 10;
      }
      for (let left = 0; due.size + open.size > 0; left++) {
        expect(left).toBeLessThan(10_000);
        one.now += 25;
        step(20);
      }
      for (const { sent } of journeys) {
        const counted = journeys.filter(
          (other) => other.sent <= sent && other.answered > sent - second,
        );
        expect(counted.length).toBeLessThanOrEqual(most);
      }
      expect(one.size).toBeLessThanOrEqual(journeys.length);
    }),
  );
});
