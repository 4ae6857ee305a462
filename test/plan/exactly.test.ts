/** A plan is run exactly as it was shown: with what it read, while that still is nearly so. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { minute, second } from '../../src/base/clock.ts';
import { messageOf } from '../../src/base/error.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { Playbook } from '../../src/playbook/playbook.ts';
import { ordersPlaced, openDesk, playbookFrom, type Desk } from '../support/desk.ts';
import { limitOrder } from '../support/order.ts';
import { fileOf, goOn, ordersOf, ordersSent, reviewedOn, runFile } from '../support/reviewed.ts';

const shipped = playbookFrom(
  readFileSync(join(import.meta.dirname, '../../workflows/order-ladder.yaml'), 'utf8'),
);

function steps(text: string): Playbook {
  return playbookFrom(`playbook: 1\nname: it\nsteps:\n${text}`);
}

function market(desk: Desk, symbol: string, price: string): void {
  const fields = { category: 'USDT-FUTURES', symbol, price, mark: price };
  desk.sandbox.control('POST', 'market', fields);
}

/** Why a plan is refused; '' when it ran. */
async function refusal(desk: Desk, plan: Plan, playbook: Playbook): Promise<string> {
  const before = await ordersPlaced(desk);
  try {
    await runFile(desk, fileOf(plan), playbook);
    return '';
  } catch (error) {
    expect(await ordersPlaced(desk)).toEqual(before);
    return messageOf(error);
  }
}

describe('a bundled ladder, priced from the market', () => {
  test.each([5 * second, 30 * second, 2 * minute, 10 * minute])(
    'runs %i ms later with exactly the orders that were shown',
    async (later) => {
      const desk = await openDesk();
      const plan = await reviewedOn(desk, shipped);
      desk.clock.advance(later);
      const { entries } = await runFile(desk, fileOf(plan), shipped);
      expect(ordersOf(plan)).toHaveLength(4);
      expect(ordersSent(entries)).toEqual(ordersOf(plan));
      expect(entries.at(-1)).toMatchObject({ kind: 'finished', status: 'done' });
    },
  );

  test('contains only the two ticker values it uses', async () => {
    const plan = await reviewedOn(await openDesk(), shipped);
    const price = expect.stringMatching(/^\d+\.\d+$/);
    expect(plan.reads).toEqual([
      { address: 'market', values: [{ lastPrice: price, markPrice: price }] },
    ]);
    expect(plan.readLater).toEqual([
      { address: 'verify', values: ['list.*.qty', 'list.*.clientOid'] },
    ]);
  });

  test('is refused when the market moved by more than 1 %, with the old and new price', async () => {
    const desk = await openDesk();
    market(desk, 'ETHUSDT', '3000');
    const plan = await reviewedOn(desk, shipped);
    market(desk, 'ETHUSDT', '3031');
    expect(await refusal(desk, plan, shipped)).toBe(
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
    const desk = await openDesk();
    market(desk, 'BTCUSDT', '60000');
    const plan = await reviewedOn(desk, playbook);
    expect(plan.reads).toEqual([]);
    expect(plan.readLater).toEqual([{ address: 'look', values: ['0.lastPrice'] }]);
    const [placed] = plan.steps.at(-1)?.actions ?? [];
    expect(placed?.input).toMatchObject({ price: { 'known-after': 'look' } });
    market(desk, 'BTCUSDT', '60300');
    const { entries } = await runFile(desk, fileOf(plan), playbook);
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
    const desk = await openDesk();
    const plan = await reviewedOn(desk, playbook);
    market(desk, 'ETHUSDT', '1000');
    const { entries } = await runFile(desk, fileOf(plan), playbook);
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
      const desk = await openDesk();
      const playbook = steps(`${open}${use}${fixed}`);
      const plan = await reviewedOn(desk, playbook);
      await runFile(desk, fileOf(await reviewedOn(desk, byHand)), byHand);
      const count = await ordersPlaced(desk);
      expect(await refusal(desk, plan, playbook)).toMatch(
        /^look list was 1 member and is 2 members; nothing was sent$/,
      );
      expect(await ordersPlaced(desk)).toEqual(count);
    }
  });
});

describe('an order that the plan found on the exchange', () => {
  const named = steps(`  - id: kept\n${order('41000.0')}      clientOid: kept-by-hand\n`);
  const renamed = { ...named, name: 'another' };

  test('is not placed again, although the exchange accepts its clientOid twice', async () => {
    const desk = await openDesk();
    desk.sandbox.control('POST', 'config', { duplicateClientOid: 'accept' });
    await runFile(desk, fileOf(await reviewedOn(desk, named)), named);
    const plan = await reviewedOn(desk, renamed);
    expect(plan.totals).toMatchObject({ create: 0, unchanged: 1 });
    const { entries } = await runFile(desk, fileOf(plan), renamed);
    expect(ordersSent(entries)).toEqual([]);
    expect((await ordersPlaced(desk)).get('kept-by-hand')).toBe(1);
    expect(entries).toContainEqual(
      expect.objectContaining({ outcome: expect.objectContaining({ evidence: 'looked-up' }) }),
    );
  });

  test('stops the run if it is gone, because nobody approved placing it', async () => {
    const desk = await openDesk();
    const { entries } = await runFile(desk, fileOf(await reviewedOn(desk, named)), named);
    const other = await openDesk();
    const resumed = await goOn(other, named, entries.slice(0, 1), ['kept']);
    expect((await ordersPlaced(other)).get('kept-by-hand')).toBeUndefined();
    expect(resumed).toContainEqual(
      expect.objectContaining({ outcome: expect.objectContaining({ code: 'stale-plan' }) }),
    );
  });
});

test('a resumed run uses what its plan read, not the current market', async () => {
  const desk = await openDesk();
  market(desk, 'ETHUSDT', '3000');
  const plan = await reviewedOn(desk, shipped);
  const { entries } = await runFile(await openDesk(), fileOf(plan), shipped).catch(() => ({
    entries: [],
  }));
  expect(entries).toEqual([]); // another exchange, with another market
  const whole = await runFile(desk, fileOf(plan), shipped);
  const [started, ...rest] = whole.entries;
  expect(started).toMatchObject({ kind: 'started', reads: plan.reads });
  expect(rest).toContainEqual(
    expect.objectContaining({
      address: 'market',
      outcome: expect.objectContaining({ evidence: 'from-plan' }),
    }),
  );
  const other = await openDesk();
  market(other, 'ETHUSDT', '2900');
  const resumed = await goOn(other, shipped, whole.entries.slice(0, 1));
  expect(ordersSent(resumed)).toEqual(ordersOf(plan));
});
