/** A machine dies at every act of a run, and another one continues with it: by the exchange's own books. */
import { expect, test } from 'vitest';
import { minute } from '../../src/base/clock.ts';
import type { OnDoubt } from '../../src/effects/context.ts';
import { lease, machine } from './machines.ts';
import {
  booksOf,
  deathsIn,
  desks,
  judge,
  moveMarket,
  openMarket,
  openPlace,
  ordersIn,
  toldBy,
  type Place,
} from './market.ts';
import { entriesOn, noActs, sit, type Act, type Death } from './sitting.ts';

async function caseOf(dies: Death, onDoubt: OnDoubt, place: Place): Promise<readonly string[]> {
  const { bare, clones } = place;
  const ref = `refs/deskhand/${onDoubt}-${dies.at}-${dies.nth}-${dies.when}`;
  const [a, b] = clones.map((folder) => machine(bare, { folder, settings: { ref } }));
  if (a === undefined || b === undefined) throw new Error('two clones');
  const desk = await openMarket();
  const isDead = await sit(a, desk, desks, { dies, onDoubt }).then(
    () => false,
    () => true,
  );
  const broken = isDead ? [] : ['it did not die'];
  const left = await booksOf(desk);
  desk.clock.advance(lease + minute);
  moveMarket(desk);
  await b.store.sync();
  const isKnown = (await entriesOn(b).catch(() => [])).length > 0;
  if (isKnown) {
    const result = await sit(b, desk, desks, { isResumed: true, onDoubt });
    broken.push(...judge(result, await booksOf(desk), await toldBy(b), onDoubt));
  } else if (left.total > 0) broken.push('orders stand, and no one was notified of the run');
  return broken.map((what) => `${JSON.stringify(dies)} ${onDoubt}: ${what}`);
}

async function lengthOf({ bare, clones }: Place): Promise<Record<Act, number>> {
  const counts = noActs();
  const desk = await openMarket();
  const one = machine(bare, { folder: clones[0], settings: { ref: 'refs/deskhand/whole' } });
  const result = await sit(one, desk, desks, { counts });
  expect(result.status).toBe('done');
  expect((await booksOf(desk)).total).toBe(ordersIn);
  return counts;
}

test.each([
  ['resend', 1],
  ['ask', 3],
] as const)(
  'crashing at every action, with on-doubt: %s',
  async (onDoubt, from) => {
    const place = openPlace();
    const length = await lengthOf(place);
    const broken: string[] = [];
    for (const death of deathsIn(length, { from, oneOf: 4 }))
      broken.push(...(await caseOf(death, onDoubt, place)));
    expect(length.push).toBeGreaterThan(3);
    expect(broken).toEqual([]);
  },
  600_000,
);
