/** The rest of a run from its record, compared with the same from new reads: items are the same ones although their keys moved. */
import { describe, expect, test } from 'vitest';
import { replay } from '../../../src/engine/journal/replay.ts';
import type { Plan, PlannedAction } from '../../../src/engine/plan/plan.ts';
import { recordDifferences } from '../../../src/engine/plan/reread.ts';
import { orderInput } from '../../support/desk-setup.ts';
import { samplePlan } from '../../support/plans.ts';

/** Bids whose keys are their prices. */
function bids(prices: readonly string[], done = 0): Plan {
  const actions = prices.map((price, index): PlannedAction => ({
    address: `bids[${price}]`,
    key: price,
    operation: 'futures/place-order',
    change: index < done ? { kind: 'none', because: 'placed' } : { kind: 'create' },
    input: orderInput(price),
  }));
  const step = { id: 'bids', uses: 'futures/place-order', effect: 'keyed', actions } as const;
  return { ...samplePlan(), steps: [step] };
}

const differences = (recorded: Plan, again: Plan): readonly string[] =>
  recordDifferences(recorded, again, replay([]), '0.01').map(({ what }) => what);

describe('items whose keys follow from a price', () => {
  test('are the same ones after the market moved within the tolerance', () => {
    const recorded = bids(['60000.0', '59000.0'], 1);
    expect(differences(recorded, bids(['60060.0', '59059.0']))).toEqual([]);
  });

  test('differ when the record has them at another price', () => {
    const recorded = bids(['60000.0', '29000.0']);
    expect(differences(recorded, bids(['60060.0', '59059.0']))).toEqual(['bids[29000.0] price']);
  });

  test('differ when the record has more, fewer or other ones', () => {
    const again = bids(['60060.0', '59059.0']);
    expect(differences(bids(['60000.0']), again)).not.toEqual([]);
    expect(differences(bids(['60000.0', '59000.0', '58000.0']), again)).not.toEqual([]);
    expect(differences(bids(['60060.0']), again)).toEqual(['bids[59059.0]']);
  });
});

test('an item that only one of both sends is a difference', () => {
  const [recorded, again] = [bids(['60000.0', '59000.0'], 1), bids(['60000.0', '59000.0'])];
  expect(differences(recorded, again)).toEqual(['bids[60000.0]']);
  expect(differences(again, recorded)).toEqual(['bids[60000.0]']);
});
