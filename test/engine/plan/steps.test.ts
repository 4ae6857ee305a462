/** Planning refuses orders that violate the rules of their symbol or account, if those are known. */
import { describe, expect, test } from 'vitest';
import { UnfitError } from '../../../src/engine/plan/problems.ts';
import { entriesOf, live, openHarness, planOn, playbookFrom } from '../../support/harness.ts';

interface Order {
  readonly symbol?: string;
  readonly price?: string;
  readonly size?: string;
  readonly more?: string;
}

const order = ({ symbol = 'LINKUSDT', price = '14.123', size = '3', more = '' }: Order): string => `
playbook: 1
name: steps
steps:
  - id: it
    uses: futures/place-order
    with:
      symbol: ${symbol}
      productType: USDT-FUTURES
      marginMode: crossed
      marginCoin: USDT
      side: buy
      orderType: limit
      price: "${price}"
      size: "${size}"
      ${more || 'tradeSide: open'}
`;

/** The problems of a playbook with their locations. */
async function refused(text: string): Promise<readonly string[]> {
  try {
    await planOn(await openHarness(), playbookFrom(text));
    return [];
  } catch (error) {
    if (!(error instanceof UnfitError)) throw error;
    return error.problems.map(({ code, at, message }) => `${code}@${at.start.line} ${message}`);
  }
}

test('if the steps of a symbol are unknown, a plan notes values finer than its quotes, and a symbol without any', async () => {
  const note = async (own: Order): Promise<string | undefined> => {
    const plan = await planOn(await openHarness(), playbookFrom(order(own)), new Map(), [], false);
    return plan.steps[0]?.actions[0]?.note;
  };
  expect(await note({})).toBeUndefined();
  expect(await note({ price: '14.1234' })).toMatch(/^price 14.1234 has more than the 3 decimal/);
  expect(await note({ size: '3.5' })).toMatch(/^size 3.5 has more than the 0 decimal places/);
  expect(await note({ symbol: 'LINKUSDC' })).toBe(
    'LINKUSDC is not among the quotes of USDT-FUTURES: it may be refused',
  );
});

test('a condition that is neither true nor false is refused, as in the run', async () => {
  const found = await refused(`
playbook: 1
name: conditions
inputs: { cases: { type: list, default: [{ wanted: "no" }] } }
steps:
  - id: it
    for-each: "{{ inputs.cases }}"
    key: "{{ each.index }}"
    if: "{{ each.value.wanted }}"
    uses: market/list-tickers
    with: { category: SPOT }
`);
  expect(found).toEqual(['PB313@6 it[0]: {{ each.value.wanted }} is not true or false']);
});

describe('if the exchange reports the rules of a symbol', () => {
  test('an order that fits is planned without a note', async () => {
    const plan = await planOn(await openHarness(), playbookFrom(order({})));
    expect(plan.steps[0]?.actions[0]).toMatchObject({ change: { kind: 'create' } });
    expect(plan.steps[0]?.actions[0]?.note).toBeUndefined();
  });

  test.each<[string, Order, string]>([
    [
      'a price off its step',
      { price: '14.1234' },
      'PB207@14 it: price 14.1234 is not a multiple of 0.001, the step of LINKUSDT',
    ],
    [
      'a size off its step',
      { size: '3.5' },
      'PB207@15 it: size 3.5 is not a multiple of 1, the step of LINKUSDT',
    ],
    [
      'a size above the largest',
      { size: '500001' },
      'PB207@15 it: size 500001 is above 500000, the largest of LINKUSDT',
    ],
    [
      'an order of too little',
      { price: '1.500' },
      'PB207@15 it: the order is worth 4.5; LINKUSDT takes 5 or more',
    ],
    [
      'a preset off its step',
      { more: 'tradeSide: open\n      presetStopLossPrice: "13.00001"' },
      'PB207@17 it: presetStopLossPrice 13.00001 is not a multiple of 0.001, the step of LINKUSDT',
    ],
    [
      'a symbol that is none',
      { symbol: 'LINKUSD' },
      'PB207@8 it: "LINKUSD" is not traded on this line',
    ],
    [
      'an order that names no tradeSide',
      { more: 'force: gtc' },
      'PB208@6 it: tradeSide is missing: the account is in hedge mode',
    ],
  ])('%s is refused at its location', async (_name, own, problem) => {
    expect(await refused(order(own))).toEqual([problem]);
  });

  test('a small remainder of a position may be closed', async () => {
    expect(await refused(order({ price: '1.500', more: 'tradeSide: close' }))).toEqual([]);
  });

  test('everything is reported at once, and many items of one field as one', async () => {
    const text = order({ price: '{{ each.value }}', size: '{{ add 0.5 3 }}' })
      .replace('uses:', 'for-each: ["14.1231", "14.1232", "14.123"]\n    uses:')
      .replace(
        'steps:\n',
        'steps:\n  - { id: coin, uses: futures/place-order, with: { symbol: BTCUSD, productType: COIN-FUTURES, marginMode: crossed, marginCoin: USDT, side: buy, tradeSide: open, orderType: market, size: "1" } }\n',
      );
    expect(await refused(text)).toEqual([
      'PB207@5 coin: the margin coin of BTCUSD is BTC',
      'PB207@16 it[14.1231]: price 14.1231 is not a multiple of 0.001, the step of LINKUSDT; the same applies to 1 other item',
      'PB207@17 it[14.1231]: size 3.5 is not a multiple of 1, the step of LINKUSDT; the same applies to 2 other items',
    ]);
  });

  test('a value known only after a step is checked before it is sent', async () => {
    const harness = await openHarness();
    const text = order({ price: '{{ add 10.00001 (mul 0 steps.sub.outputs.uid) }}' }).replace(
      'steps:\n',
      'steps:\n  - id: sub\n    uses: account/create-sub\n    with: { username: one }\n    outputs: { uid: "{{ response.subUid }}" }\n',
    );
    const playbook = playbookFrom(text);
    await planOn(harness, playbook); // nothing to refuse yet
    expect(await live(harness, playbook)).toMatchObject({ status: 'stopped', exit: 1 });
    const settled = entriesOf(harness).find(
      (entry) => entry.kind === 'settled' && entry.address === 'it',
    );
    expect(settled).toMatchObject({ outcome: { kind: 'failed', code: 'unfit' } });
    expect(
      entriesOf(harness).some((entry) => entry.kind === 'intended' && entry.address === 'it'),
    ).toBe(false);
  });
});

describe('an input', () => {
  test('is refused at its location if an order cannot have its value', async () => {
    const text = order({ size: '{{ inputs.size }}' }).replace(
      'steps:',
      'inputs: { size: { type: decimal, default: 0 } }\nsteps:',
    );
    expect(await refused(text)).toEqual(['PB204@16 it: size must be above 0']);
  });

  test('is refused at its location if an expression has no result with it', async () => {
    const text = order({ size: '{{ floorTo 3 inputs.lot }}' }).replace(
      'steps:',
      'inputs: { lot: { type: decimal, default: 0 } }\nsteps:',
    );
    expect((await refused(text)).join()).toMatch(/^PB313@16 it: /);
  });

  test('is refused if it creates more items than a step may have', async () => {
    const words = 'a,'.repeat(10_000);
    const text = `playbook: 1
name: many
inputs: { words: { type: string, default: "${words}" } }
steps:
  - { for-each: "{{ split inputs.words ',' }}", uses: market/list-discount-rates }
`;
    const harness = await openHarness();
    await expect(planOn(harness, playbookFrom(text))).rejects.toThrow(
      'for-each has 10001 items; at most 10000 are allowed',
    );
  });

  test.each([
    ['a bare number keeps its digits', '12345678901234567890', '12345678901234567890'],
    ['texts beside one another are one text', '"{{ inputs.a }}{{ inputs.b }}"', '12'],
  ])('%s, in the plan and in the request', async (_what, written, meant) => {
    const text = `playbook: 1
name: digits
inputs: { a: { type: integer, default: 1 }, b: { type: integer, default: 2 } }
steps:
  - { id: it, uses: agent/list-assets, with: { uid: ${written} } }
`;
    const harness = await openHarness();
    const plan = await planOn(harness, playbookFrom(text));
    expect(plan.steps[0]?.actions[0]?.input).toMatchObject({ uid: meant });
    let sent = '';
    await live(harness, playbookFrom(text), {
      wrap: (transport) => (request, signal) => {
        if (request.operation === 'agent/list-assets') sent = request.body;
        return transport(request, signal);
      },
    });
    expect(sent).toContain(`"uid":"${meant}"`);
  });
});
