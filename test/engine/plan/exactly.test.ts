/** A plan is run exactly as shown, with the values it read, while they are within their limits. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { minute, second } from '../../../src/base/clock.ts';
import { messageOf } from '../../../src/base/error.ts';
import type { Plan } from '../../../src/engine/plan/plan.ts';
import type { Playbook } from '../../../src/language/playbook.ts';
import { ordersPlaced, openHarness, playbookFrom, type Harness } from '../../support/harness.ts';
import { limitOrder } from '../../support/order.ts';
import { fileOf, goOn, ordersOf, ordersSent, reviewedOn, runFile } from '../../support/reviewed.ts';

const shipped = playbookFrom(
  readFileSync(
    join(import.meta.dirname, '..', '..', '..', 'workflows', 'order-ladder.yaml'),
    'utf8',
  ),
);

function steps(text: string): Playbook {
  return playbookFrom(`playbook: 1\nname: it\nsteps:\n${text}`);
}

function market(harness: Harness, symbol: string, price: string): void {
  const fields = { category: 'USDT-FUTURES', symbol, price, mark: price };
  harness.sandbox.control('POST', 'market', fields);
}

/** Why a plan is refused; '' when it ran. */
async function refusal(harness: Harness, plan: Plan, playbook: Playbook): Promise<string> {
  const before = await ordersPlaced(harness);
  try {
    await runFile(harness, fileOf(plan), playbook);
    return '';
  } catch (error) {
    expect(await ordersPlaced(harness)).toEqual(before);
    return messageOf(error);
  }
}

describe('a bundled ladder, priced from the market', () => {
  test.each([5 * second, 30 * second, 2 * minute, 10 * minute])(
    'runs %i ms later with exactly the orders that were shown',
    async (later) => {
      const harness = await openHarness();
      const plan = await reviewedOn(harness, shipped);
      harness.clock.advance(later);
      const { entries } = await runFile(harness, fileOf(plan), shipped);
      expect(ordersOf(plan)).toHaveLength(4);
      expect(ordersSent(entries)).toEqual(ordersOf(plan));
      expect(entries.at(-1)).toMatchObject({ kind: 'finished', status: 'done' });
    },
  );

  test('contains only the two ticker values it uses', async () => {
    const plan = await reviewedOn(await openHarness(), shipped);
    const price = expect.stringMatching(/^\d+\.\d+$/);
    expect(plan.reads).toEqual([
      { address: 'market', values: [{ lastPrice: price, markPrice: price }] },
    ]);
    expect(plan.readLater).toEqual([
      { address: 'verify', values: ['entrustedList.*.size', 'entrustedList.*.clientOid'] },
    ]);
  });

  test('is refused when the market moved by more than 1 %, with the old and new price', async () => {
    const harness = await openHarness();
    market(harness, 'ETHUSDT', '3000');
    const plan = await reviewedOn(harness, shipped);
    market(harness, 'ETHUSDT', '3031');
    expect(await refusal(harness, plan, shipped)).toBe(
      'the mark price of ETHUSDT was 3000.00 and is 3031.00 (+1.03 %; 1 % is allowed); nothing was sent',
    );
  });
});

const order = (price: string): string =>
  `    uses: futures/place-order\n    with:${limitOrder({ price })}\n`;
const ticker = `    uses: market/list-tickers\n    with: { category: USDT-FUTURES, symbol: BTCUSDT }\n`;
const below = '{{ floorTo (mul response.0.lastPrice 0.9) 0.1 }}';

test('values read after a write or a wait are read by the run, and the plan says so', async () => {
  const first = `  - id: first\n${order('40000.0')}`;
  const wait = '  - { id: wait, uses: wait, with: { for: 10m } }\n';
  for (const before of [first, wait]) {
    const playbook = steps(
      `${before}  - id: look\n${ticker}    outputs: { price: "${below}" }\n` +
        `  - id: second\n${order('{{ steps.look.outputs.price }}')}`,
    );
    const harness = await openHarness();
    market(harness, 'BTCUSDT', '60000');
    const plan = await reviewedOn(harness, playbook);
    expect(plan.reads).toEqual([]);
    expect(plan.readLater).toEqual([{ address: 'look', values: ['0.lastPrice'] }]);
    const [placed] = plan.steps.at(-1)?.actions ?? [];
    expect(placed?.input).toMatchObject({ price: { 'known-after': 'look' } });
    market(harness, 'BTCUSDT', '60300');
    const { entries } = await runFile(harness, fileOf(plan), playbook);
    expect(ordersSent(entries).at(-1)).toContain(' 54270.0 ');
  }
});

describe('a list that is read', () => {
  const all = `  - id: look
    uses: market/list-tickers
    with: { category: USDT-FUTURES }
`;
  const bid = `  - id: bid\n${order('{{ steps.look.outputs.price }}')}`;
  const price = (list: string): string =>
    `    outputs: { price: "{{ floorTo (mul (first (pluck ${list} 'lastPrice')) 0.9) 0.1 }}" }\n`;

  test('may change where nothing is derived from it', async () => {
    const playbook = steps(`${all}${price("(filter response 'symbol' 'eq' 'BTCUSDT')")}${bid}`);
    const harness = await openHarness();
    const plan = await reviewedOn(harness, playbook);
    market(harness, 'ETHUSDT', '1000');
    const { entries } = await runFile(harness, fileOf(plan), playbook);
    expect(ordersSent(entries)).toEqual(ordersOf(plan));
    expect(JSON.stringify(plan.reads)).not.toContain('volume24h');
  });

  test('blocks a plan when a derived, counted or expected value changed', async () => {
    const open = `  - id: look\n    uses: order/list-open\n    with: { category: USDT-FUTURES }\n`;
    const fixed = `  - id: bid\n${order('40000.0')}`;
    const byHand = steps(`  - id: hand\n${order('39000.0')}`);
    for (const use of [
      '    outputs: { count: "{{ length response.list }}" }\n',
      '    expect: [{ that: "{{ lt (length response.list) 2 }}" }]\n',
    ]) {
      const harness = await openHarness();
      const playbook = steps(`${open}${use}${fixed}`);
      const plan = await reviewedOn(harness, playbook);
      await runFile(harness, fileOf(await reviewedOn(harness, byHand)), byHand);
      const count = await ordersPlaced(harness);
      expect(await refusal(harness, plan, playbook)).toMatch(
        /^look list was 1 member and is 2 members; nothing was sent$/,
      );
      expect(await ordersPlaced(harness)).toEqual(count);
    }
  });
});

describe('an order that the plan found on the exchange', () => {
  const named = steps(`  - id: kept\n${order('41000.0')}      clientOid: kept-by-hand\n`);
  const renamed = { ...named, name: 'another' };

  test('is not placed again, although the exchange accepts its clientOid twice', async () => {
    const harness = await openHarness();
    harness.sandbox.control('POST', 'config', { duplicateClientOid: 'accept' });
    await runFile(harness, fileOf(await reviewedOn(harness, named)), named);
    const plan = await reviewedOn(harness, renamed);
    expect(plan.totals).toMatchObject({ create: 0, unchanged: 1 });
    const { entries } = await runFile(harness, fileOf(plan), renamed);
    expect(ordersSent(entries)).toEqual([]);
    expect((await ordersPlaced(harness)).get('kept-by-hand')).toBe(1);
    expect(entries).toContainEqual(
      expect.objectContaining({ outcome: expect.objectContaining({ evidence: 'looked-up' }) }),
    );
  });

  test('stops the run if it is gone, because nobody approved placing it', async () => {
    const harness = await openHarness();
    const { entries } = await runFile(harness, fileOf(await reviewedOn(harness, named)), named);
    const other = await openHarness();
    const resumed = await goOn(other, named, entries.slice(0, 1), ['kept']);
    expect((await ordersPlaced(other)).get('kept-by-hand')).toBeUndefined();
    expect(resumed).toContainEqual(
      expect.objectContaining({ outcome: expect.objectContaining({ code: 'stale-plan' }) }),
    );
  });
});

test('a resumed run uses what its plan read, not the current market', async () => {
  const harness = await openHarness();
  market(harness, 'ETHUSDT', '3000');
  const plan = await reviewedOn(harness, shipped);
  const { entries } = await runFile(await openHarness(), fileOf(plan), shipped).catch(() => ({
    entries: [],
  }));
  expect(entries).toEqual([]); // another exchange, with another market
  const whole = await runFile(harness, fileOf(plan), shipped);
  const [started, ...rest] = whole.entries;
  expect(started).toMatchObject({ kind: 'started', reads: plan.reads });
  expect(rest).toContainEqual(
    expect.objectContaining({
      address: 'market',
      outcome: expect.objectContaining({ evidence: 'from-plan' }),
    }),
  );
  const other = await openHarness();
  market(other, 'ETHUSDT', '2900');
  const resumed = await goOn(other, shipped, whole.entries.slice(0, 1));
  expect(ordersSent(resumed)).toEqual(ordersOf(plan));
});
