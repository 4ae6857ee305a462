/** A for-each that continues with the items that succeeded, and what later steps do with them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TransportError, type Transport } from '../../../src/exchange/api/exchange.ts';
import { isContinuedIn } from '../../../src/engine/journal/finality.ts';
import { stepLines } from '../../../src/report/step-lines.ts';
import { storyOf } from '../../../src/report/story.ts';
import {
  entriesOf,
  live,
  liveOn,
  openHarness,
  ordersPlaced,
  planOn,
  playbookFrom,
  type CrashPoint,
  type Harness,
  type Life,
} from '../../support/harness.ts';
import { limitOrder } from '../../support/order.ts';

const rates = (more = '', symbols = '[BTCUSDT, SOLUSDT, ETHUSDT, XRPUSDT]'): string => `
  - id: rates
    for-each: ${symbols}
    on-error: partial${more}
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: "{{ each.value }}" }`;

const table = `
  - id: table
    uses: report/table
    with: { from: rates, columns: { coin: "{{ row.key }}", price: "{{ row.lastPrice }}" } }`;

const page = `
  - id: page
    uses: report/page
    with:
      file: out/page.html
      parts:
        - text: "Without {{ join (pluck steps.rates.failed 'value') ', ' }}"
        - table: table
  - id: note
    uses: report/page
    with: { file: out/note.md, parts: [{ table: table }, { table: rates }] }`;

const whole = (steps: string) => playbookFrom(`playbook: 1\nname: partial\nsteps:${steps}\n`);

/** Refuses the ticker of each symbol, as an exchange that does not list it. */
const unlisted =
  (...symbols: readonly string[]): NonNullable<Life['wrap']> =>
  (transport) =>
  async (request, signal) => {
    if (!symbols.some((symbol) => request.query.includes(`symbol=${symbol}`))) {
      return transport(request, signal);
    }
    const body = {
      code: '40034',
      msg: 'Parameter does not exist',
      requestTime: 1795147200000,
      data: null,
    };
    return { status: 400, headers: {}, body: Buffer.from(JSON.stringify(body)) };
  };

const outputOf = (harness: Harness, address: string): unknown => {
  const settled = entriesOf(harness).findLast(
    (entry) => entry.kind === 'settled' && entry.address === address,
  );
  return settled?.kind === 'settled' && settled.outcome.kind === 'done'
    ? settled.outcome.output
    : undefined;
};

const readIn = (harness: Harness, file: string): string =>
  readFileSync(join(harness.workspace, file), 'utf8');

const closingOf = (harness: Harness, step: string) => {
  const closed = entriesOf(harness).findLast(
    (entry) => entry.kind === 'closed' && entry.step === step,
  );
  return closed?.kind === 'closed' ? closed : undefined;
};

describe('a partial step', () => {
  test('feeds tables and pages with the items that succeeded, and the run tells the failures', async () => {
    const harness = await openHarness();
    const result = await live(harness, whole(rates() + table + page), {
      wrap: unlisted('SOLUSDT', 'XRPUSDT'),
    });
    expect(result).toMatchObject({ status: 'stopped', exit: 1 });
    expect(outputOf(harness, 'table')).toMatchObject({
      rows: [{ coin: 'BTCUSDT' }, { coin: 'ETHUSDT' }],
    });
    expect(closingOf(harness, 'rates')).toMatchObject({
      status: 'refused',
      continues: true,
      failed: [
        { key: 'SOLUSDT', code: '40034' },
        { key: 'XRPUSDT', code: '40034' },
      ],
    });
    const [line] = stepLines(storyOf(entriesOf(harness)), []);
    expect(line?.detail).toBe('2 of 4, 2 refused');
    expect(isContinuedIn(entriesOf(harness))).toBe(true);
  });

  test('marks the tables of pages with the keys that are missing, also through other tables', async () => {
    const harness = await openHarness();
    await live(harness, whole(rates() + table + page), { wrap: unlisted('SOLUSDT', 'XRPUSDT') });
    const footnote = '2 items of rates are missing: SOLUSDT, XRPUSDT.';
    expect(readIn(harness, 'out/page.html')).toContain(footnote);
    expect(readIn(harness, 'out/page.html')).toContain('Without SOLUSDT, XRPUSDT');
    expect(readIn(harness, 'out/note.md').split(footnote)).toHaveLength(3);
  });

  test('without a failure is like any other', async () => {
    const harness = await openHarness();
    const result = await live(harness, whole(rates() + table + page));
    expect(result).toMatchObject({ status: 'done', exit: 0 });
    expect(readIn(harness, 'out/page.html')).not.toContain('missing');
  });

  test('of which no item succeeded stops the run', async () => {
    const harness = await openHarness();
    const symbols = ['BTCUSDT', 'SOLUSDT', 'ETHUSDT', 'XRPUSDT'];
    const result = await live(harness, whole(rates() + table), { wrap: unlisted(...symbols) });
    expect(result).toMatchObject({ status: 'stopped', exit: 1 });
    expect(closingOf(harness, 'rates')?.continues).toBeUndefined();
    expect(closingOf(harness, 'table')).toBeUndefined();
  });

  test('lets steps that need it run', async () => {
    const harness = await openHarness();
    const needy = table.replace('uses:', 'needs: [rates]\n    uses:');
    await live(harness, whole(rates() + needy), { wrap: unlisted('SOLUSDT') });
    expect(closingOf(harness, 'table')?.status).toBe('done');
  });

  test('with an order in doubt stops the run, as any doubt does', async () => {
    const harness = await openHarness();
    const orders = `
  - id: rates
    for-each: ['41000.0', '40000.0']
    on-error: partial
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}' })}
  - id: after
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: "{{ default steps.rates.failed.0.key 'BTCUSDT' }}" }`;
    const lost = (transport: Transport): Transport => {
      return async (request, signal) => {
        const isOrder = request.operation === 'futures/place-order';
        if (isOrder || request.operation.startsWith('order/'))
          throw new TransportError('connection reset', 'maybe');
        return transport(request, signal);
      };
    };
    const result = await live(harness, whole(orders), { wrap: lost, onDoubt: 'ask' });
    expect(result.status).toBe('doubt');
    expect(closingOf(harness, 'rates')).toMatchObject({ status: 'doubt' });
    expect(closingOf(harness, 'rates')?.failed ?? []).toEqual([]);
    expect(closingOf(harness, 'after')).toBeUndefined();
  });

  test('is planned with the reads that fail now, and leaves what follows to the run', async () => {
    const harness = await openHarness();
    const wrap = unlisted('SOLUSDT');
    const playbook = whole(rates() + table);
    const plan = await planOn(harness, playbook, new Map(), [], true, wrap);
    const kinds = plan.steps.map(({ id, actions }) => [
      id,
      ...actions.map(({ change }) => change.kind),
    ]);
    expect(kinds).toEqual([
      ['rates', 'read', 'read', 'read', 'read'],
      ['table', 'local'],
    ]);
  });
});

describe('max-failures', () => {
  test('starts no other item, and counts what was not started among the failed', async () => {
    const harness = await openHarness();
    const symbols = '[BTCUSDT, SOLUSDT, XRPUSDT, ETHUSDT, ADAUSDT]';
    const playbook = whole(rates('\n    max-failures: 2', symbols) + table + page);
    await live(harness, playbook, { wrap: unlisted('SOLUSDT', 'XRPUSDT') });
    const closing = closingOf(harness, 'rates');
    expect(closing?.because).toMatch(/; 2 items not started after it$/);
    expect(closing?.failed).toEqual([
      { key: 'SOLUSDT', code: '40034', message: expect.any(String) },
      { key: 'XRPUSDT', code: '40034', message: expect.any(String) },
      { key: 'ETHUSDT', code: 'not-started', message: 'not started after 2 failed items' },
      { key: 'ADAUSDT', code: 'not-started', message: 'not started after 2 failed items' },
    ]);
    expect(outputOf(harness, 'table')).toMatchObject({ rows: [{ coin: 'BTCUSDT' }] });
    expect(readIn(harness, 'out/note.md')).toContain('4 items of rates are missing');
  });

  test('lets items in flight end', async () => {
    const harness = await openHarness();
    const symbols = '[SOLUSDT, BTCUSDT, ETHUSDT, ADAUSDT]';
    const more = '\n    max-failures: 1\n    parallel: 2';
    await live(harness, whole(rates(more, symbols) + table), { wrap: unlisted('SOLUSDT') });
    expect(closingOf(harness, 'rates')?.failed?.map(({ key }) => key)).toEqual([
      'SOLUSDT',
      'ETHUSDT',
      'ADAUSDT',
    ]);
  });
});

/** A partial step, and an order for each of its items and for each of the missing. */
const followed = `${rates('\n    max-failures: 2', '[BTCUSDT, SOLUSDT, XRPUSDT, ETHUSDT]')}
  - id: orders
    for-each: "{{ steps.rates.outputs }}"
    uses: futures/place-order
    with:${limitOrder({ price: '41000.0' })}
  - id: instead
    for-each: "{{ steps.rates.failed }}"
    key: "{{ each.value.value }}-{{ each.value.code }}"
    uses: futures/place-order
    with:${limitOrder({ price: '39000.0' })}
  - id: table
    uses: report/table
    with: { from: rates, columns: { coin: "{{ row.key }}" } }
  - id: note
    uses: report/page
    with: { file: out/note.md, parts: [{ table: table }] }`;

describe('a killed and resumed run with a partial step equals an unbroken one', () => {
  const wrap = unlisted('SOLUSDT', 'XRPUSDT');
  const endOf = async (death?: CrashPoint) => {
    const harness = await openHarness();
    const playbook = whole(followed);
    const result = await liveOn(harness, playbook, { wrap, ...(death && { death }) });
    const orders = await ordersPlaced(harness);
    const note = readIn(harness, 'out/note.md').replaceAll(/sha256 .*/g, '');
    return {
      harness,
      end: { result, orders: [...orders].toSorted(([a], [b]) => (a < b ? -1 : 1)), note },
    };
  };

  test('at every write and every request', async () => {
    const { harness, end } = await endOf();
    expect(end.orders.filter(([id]) => id.startsWith('dh'))).toHaveLength(4);
    const { journal, request } = harness.counts;
    const points = (['journal', 'request'] as const).flatMap((at) =>
      Array.from({ length: (at === 'journal' ? journal : request) - 1 }, (_, index) =>
        (['before', 'after'] as const).map((when) => ({ at, nth: index + 2, when })),
      ).flat(),
    );
    for (const death of points) {
      const { end: again } = await endOf(death);
      expect(again, JSON.stringify(death)).toEqual(end);
    }
  });
});
