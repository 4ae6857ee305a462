/** Runs on the sandbox: what is sent once, what is looked up, what is blocked. */
import { once as event } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../src/exchange/api/exchange.ts';
import { TransportError } from '../../../src/exchange/api/exchange.ts';
import {
  entriesOf,
  ledgerOn,
  live,
  liveOn,
  openHarness,
  ordersPlaced,
  planOn,
  playbookFrom,
} from '../../support/harness.ts';
import { limitOrder } from '../../support/order.ts';

const ladder = (more = '', price = "'41000.0'"): string => `
playbook: 1
name: ladder
account: main
steps:
  - id: ladder
    for-each: "{{ ladder from=${price} to='40000.0' count=3 tick='0.1' total='0.006' lot='0.001' }}"
    key: "rung-{{ each.index }}"
    uses: futures/place-order
${more}    with:${limitOrder({ price: '{{ each.value.price }}', size: '{{ each.value.size }}' })}
`;

/** Drops the response to the n-th order after the exchange executed it. */
function losing(nth: number): (transport: Transport) => Transport {
  let orders = 0;
  return (transport) => async (request, signal) => {
    const answer = await transport(request, signal);
    if (request.operation === 'futures/place-order' && ++orders === nth) {
      throw new TransportError('connection reset', 'maybe');
    }
    return answer;
  };
}

const ours = async (harness: Awaited<ReturnType<typeof openHarness>>): Promise<number[]> =>
  [...(await ordersPlaced(harness))]
    .filter(([id]) => id.startsWith('dh'))
    .map(([, times]) => times);

describe('a lost response', () => {
  test('is looked up by clientOid and adopted; the order exists once', async () => {
    const harness = await openHarness();
    const result = await live(harness, playbookFrom(ladder()), { wrap: losing(2) });
    expect(result.status).toBe('done');
    expect(await ours(harness)).toEqual([1, 1, 1]);
    const settled = entriesOf(harness).filter((entry) => entry.kind === 'settled');
    expect(settled.map(({ outcome }) => outcome.kind === 'done' && outcome.evidence)).toEqual([
      'answered',
      'looked-up',
      'answered',
    ]);
  });

  test('of a request that never reached the exchange ends in doubt under on-doubt: ask', async () => {
    const harness = await openHarness();
    let sent = 0;
    const result = await live(harness, playbookFrom(ladder()), {
      onDoubt: 'ask',
      wrap: (transport) => async (request, signal) => {
        if (request.operation === 'futures/place-order' && ++sent === 2) {
          throw new TransportError('connection reset', 'maybe');
        }
        return transport(request, signal);
      },
    });
    expect([result.status, result.exit]).toEqual(['doubt', 6]);
    expect(sent).toBe(2);
    expect(await ours(harness)).toEqual([1]);
    const last = entriesOf(harness).findLast((entry) => entry.kind === 'settled');
    expect(last?.kind === 'settled' && last.outcome).toMatchObject({
      kind: 'doubt',
      because: 'connection reset',
      lookup: {
        looks: expect.any(Number),
        lists: [
          { list: 'order/list-open', until: expect.any(Number) },
          { list: 'order/list-history', until: expect.any(Number) },
        ],
      },
    });
  });

  test('is sent again on the sandbox only after both lists proved it absent past the fence', async () => {
    const harness = await openHarness();
    const signed: number[] = [];
    let first = true;
    const result = await live(harness, playbookFrom(ladder()), {
      onDoubt: 'resend',
      wrap: (transport) => async (request, signal) => {
        if (request.operation === 'futures/place-order') {
          signed.push(Number(request.headers['ACCESS-TIMESTAMP'] ?? 0));
          if (first) {
            first = false;
            throw new TransportError('connection reset', 'maybe');
          }
        }
        return transport(request, signal);
      },
    });
    expect(result.status).toBe('done');
    expect(await ours(harness)).toEqual([1, 1, 1]);
    expect((signed[1] ?? 0) - (signed[0] ?? 0)).toBeGreaterThanOrEqual(40_000);
  });
});

test('an order that moves between the lists during a late lookup does not count as absent', async () => {
  const playbook = playbookFrom(ladder());
  const harness = await openHarness();
  let requests = 0;
  let firstOrder = 0;
  const counting =
    (transport: Transport): Transport =>
    (request, signal) => {
      requests += 1;
      if (request.operation === 'futures/place-order') firstOrder ||= requests;
      return transport(request, signal);
    };
  await live(await openHarness(), playbook, { wrap: counting });
  const death = { at: 'request', nth: firstOrder, when: 'after' } as const;
  await expect(live(harness, playbook, { death })).rejects.toThrow();
  harness.clock.advance(3_600_000); // long after the fence
  const { sandbox } = harness;
  const lagging = (['order/list-open', 'order/list-history'] as const).map((operation) => ({
    match: { operation },
    action: { kind: 'stale-reads', ms: 8_000 },
  }));
  sandbox.control('PUT', 'faults', { rules: lagging });
  sandbox.control('POST', 'config', { duplicateClientOid: 'accept' });
  const market = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' };
  sandbox.control('POST', 'market', { ...market, price: '40500.0' }); // it is filled at once
  expect((await live(harness, playbook)).status).toBe('done');
  sandbox.control('PUT', 'faults', { rules: [] });
  expect(await ours(harness)).toEqual([1, 1, 1]);
});

/** Drops every order before it arrives, with an error. */
function lost(told: () => void = () => undefined): (transport: Transport) => Transport {
  return (transport) => async (request, signal) => {
    if (request.operation !== 'futures/place-order') return transport(request, signal);
    told();
    throw new TransportError('connection reset', 'maybe');
  };
}

describe('a doubt takes precedence over other reasons a run ended', () => {
  const failing = `
  - id: look
    uses: market/list-discount-rates
    expect: [{ that: "{{ gt (length response) 1000 }}" }]
`;
  const order = (id: string): string => `
  - id: ${id}
    uses: futures/place-order
    with:${limitOrder({ price: '40000.0', size: '0.001' })}
`;
  const text = (rest: string): string =>
    `playbook: 1\nname: last\naccount: main\nsteps:${failing}${rest}`;

  test.each(['on-failure', 'finally'])('if it is a step of %s', async (section) => {
    const harness = await openHarness();
    const playbook = playbookFrom(text(`${section}:${order('undo')}`));
    const result = await live(harness, playbook, { onDoubt: 'ask', wrap: lost() });
    expect([result.status, result.exit]).toEqual(['doubt', 6]);
  });

  test('if another step of finally failed before it', async () => {
    const harness = await openHarness();
    const last = failing.replace('look', 'again') + order('undo');
    const playbook = playbookFrom(
      `playbook: 1\nname: last\naccount: main\nsteps:${failing.replace('1000', '0')}finally:${last}`,
    );
    const result = await live(harness, playbook, { onDoubt: 'ask', wrap: lost() });
    expect([result.status, result.exit]).toEqual(['doubt', 6]);
  });

  test('if a nested playbook was interrupted at the same time', async () => {
    const harness = await openHarness();
    const inner = `playbook: 1\nname: inner\nparallel: 2\nsteps:
  - id: first
    uses: market/list-discount-rates
${order('bid').trim().replace(/^/, '  ')}
    needs: [first]
  - id: rest
    needs: [first]
    for-each: [SPOT, COIN-FUTURES]
    uses: market/list-tickers
    with: { category: "{{ each.value }}" }
`;
    const outer =
      'playbook: 1\nname: outer\nsteps:\n  - { id: part, uses: ./inner.yaml, with: {} }\n';
    const stop = new AbortController();
    const waiting =
      (transport: Transport): Transport =>
      async (request, signal) => {
        if (request.operation === 'market/list-tickers') await event(stop.signal, 'abort');
        return transport(request, signal);
      };
    const result = await live(harness, playbookFrom(outer, { 'inner.yaml': inner }), {
      onDoubt: 'ask',
      drain: stop.signal,
      wrap: (transport) => lost(() => stop.abort())(waiting(transport)),
    });
    expect(entriesOf(harness)).toContainEqual(
      expect.objectContaining({ kind: 'closed', step: 'part/rest', status: 'interrupted' }),
    );
    expect([result.status, result.exit]).toEqual(['doubt', 6]);
  });
});

describe('once per playbook', () => {
  const once = playbookFrom(
    ladder('    once-per: playbook\n').replace('rung-{{ each.index }}', '{{ each.value.price }}'),
  );

  test('a second run sends nothing, by the ledger', async () => {
    const harness = await openHarness();
    await live(harness, once);
    const ledger = ledgerOn(harness);
    harness.disk = '';
    const result = await live(harness, once, { ledger, runId: 'r-second' });
    expect(result.status).toBe('done');
    expect(await ours(harness)).toEqual([1, 1, 1]);
    expect(entriesOf(harness).some(({ kind }) => kind === 'intended')).toBe(false);
  });

  test('writes of an earlier run count towards no limit of the next', async () => {
    const part = (prices: string): Readonly<Record<string, string>> => ({
      'part.yaml': `
playbook: 1
name: part
guards: { max-writes: 2 }
steps:
  - id: bids
    for-each: ${prices}
    once-per: playbook
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}' })}
`,
    });
    const outer = 'playbook: 1\nname: outer\nsteps:\n  - { id: it, uses: ./part.yaml, with: {} }\n';
    const harness = await openHarness();
    await live(harness, playbookFrom(outer, part('["40000.0", "40100.0"]')));
    const ledger = ledgerOn(harness);
    harness.disk = '';
    const more = playbookFrom(outer, part('["40000.0", "40100.0", "40200.0"]'));
    expect((await planOn(harness, more, ledger)).guards).toMatchObject([
      { used: '1', isKept: true },
    ]);
    const { status } = await live(harness, more, { ledger, runId: 'r-second' });
    expect([status, await ours(harness)]).toEqual(['done', [1, 1, 1]]);
    expect(entriesOf(harness).at(-1)).toMatchObject({ guards: [{ used: '1', isKept: true }] });
  });

  test('a second run without the ledger sends nothing, because it searches the exchange', async () => {
    const harness = await openHarness();
    await live(harness, once);
    harness.disk = '';
    await live(harness, once, { runId: 'r-second' });
    expect(await ours(harness)).toEqual([1, 1, 1]);
    const plan = await planOn(harness, once);
    expect(plan.steps[0]?.actions.map(({ change }) => change.kind)).toEqual([
      'none',
      'none',
      'none',
    ]);
  });
});

describe('a plan', () => {
  test('reads the account, writes nothing, and shows totals and duration', async () => {
    const harness = await openHarness();
    const before = await ours(harness);
    const plan = await planOn(harness, playbookFrom(ladder()));
    expect(plan.totals).toMatchObject({ create: 3, orders: 3, notional: '243', requests: 3 });
    expect(plan.marks['BTCUSDT']).toMatch(/^\d+/);
    expect(await ours(harness)).toEqual(before);
  });

  test('is refused if another order has its clientOid, and finds an equal order', async () => {
    const harness = await openHarness();
    const named = (price: string) =>
      playbookFrom(`
playbook: 1
name: named
steps:
  - id: bid
    uses: futures/place-order
    with:${limitOrder({ price })}
      clientOid: mine-1
`);
    await live(harness, named('40000.0'));
    const same = await planOn(harness, named('40000.0'));
    expect(same.steps[0]?.actions[0]?.change).toMatchObject({ kind: 'none' });
    await expect(planOn(harness, named('39000.0'))).rejects.toThrow(
      'test.yaml:18:18 bid: clientOid mine-1 belongs to another order: its price is 40000',
    );
  });

  test('is refused if two of its orders have one clientOid, and a run sends only the first', async () => {
    const harness = await openHarness();
    const alike = playbookFrom(`
playbook: 1
name: alike
steps:
  - id: look
    uses: market/list-tickers
    with: { category: SPOT }
  - id: bids
    for-each: "{{ steps.look.response }}"
    key: "{{ each.value.symbol }}"
    on-error: continue
    uses: futures/place-order
    with:${limitOrder({ price: '40000.0' })}
      clientOid: "mine-{{ each.value.category }}"
`);
    await expect(planOn(harness, alike)).rejects.toThrow(
      /its clientOid mine-SPOT is that of bids\[\w+\], too; the same applies to \d other items?$/,
    );
    expect(await live(harness, alike)).toMatchObject({ status: 'stopped', exit: 1 });
    const ends = entriesOf(harness).flatMap((entry) =>
      entry.kind === 'settled' && entry.address !== 'look' ? [entry.outcome] : [],
    );
    expect(ends[0]).toMatchObject({ kind: 'done', evidence: 'answered' });
    for (const end of ends.slice(1)) expect(end).toMatchObject({ code: 'clientoid-taken' });
    expect((await ordersPlaced(harness)).get('mine-SPOT')).toBe(1);
  });

  test('has the same digest if nothing changed, and another if a value did', async () => {
    const harness = await openHarness();
    const plan = await planOn(harness, playbookFrom(ladder()));
    expect((await planOn(harness, playbookFrom(ladder()))).digest).toBe(plan.digest);
    expect((await planOn(harness, playbookFrom(ladder('', "'41100.0'")))).digest).not.toBe(
      plan.digest,
    );
  });

  test('names the step that a later value depends on', async () => {
    const harness = await openHarness();
    const plan = await planOn(
      harness,
      playbookFrom(`
playbook: 1
name: waits
steps:
  - id: sub
    uses: account/create-sub
    with: { username: waiting }
    outputs: { uid: "{{ response.subUid }}" }
  - id: other
    uses: account/create-sub
    with: { username: other, note: "beside {{ steps.sub.outputs.uid }}" }
`),
    );
    expect(plan.steps[1]?.actions[0]).toMatchObject({
      input: { username: 'other', note: { 'known-after': 'sub' } },
      confidence: { kind: 'known-after', step: 'sub' },
    });
  });
});

describe('stopping', () => {
  test('a refusal stops the step, and resume retries only what was refused', async () => {
    const harness = await openHarness();
    const playbook = playbookFrom(ladder());
    let orders = 0;
    const refusing =
      (transport: Transport): Transport =>
      async (request, signal) => {
        if (request.operation === 'futures/place-order' && ++orders === 2) {
          const envelope = {
            code: '40762',
            msg: 'too large',
            requestTime: harness.clock.now(),
            data: null,
          };
          return { status: 400, headers: {}, body: Buffer.from(JSON.stringify(envelope)) };
        }
        return transport(request, signal);
      };
    const stopped = await live(harness, playbook, { wrap: refusing });
    expect([stopped.status, stopped.exit]).toEqual(['stopped', 1]);
    expect(await ours(harness)).toEqual([1]);
    const resumed = await live(harness, playbook);
    expect(resumed.status).toBe('done');
    expect(await ours(harness)).toEqual([1, 1, 1]);
  });

  test('an interrupt sends nothing new, and resume finishes the run', async () => {
    const harness = await openHarness();
    const controller = new AbortController();
    const interrupted = await live(harness, playbookFrom(ladder()), {
      drain: controller.signal,
      wrap: (transport) => async (request, signal) => {
        const response = await transport(request, signal);
        if (request.operation === 'futures/place-order') controller.abort();
        return response;
      },
    });
    expect([interrupted.status, interrupted.exit]).toEqual(['interrupted', 130]);
    expect(await ours(harness)).toEqual([1]);
    expect((await live(harness, playbookFrom(ladder()))).status).toBe('done');
    expect(await ours(harness)).toEqual([1, 1, 1]);
  });
});

test.each([
  ['a read', ''],
  ['an export', 'write: { file: tickers.csv }'],
  ['a poll', 'until: "{{ gt (length response) 1000 }}"\n    poll: { every: 1h, for: 9h }'],
])(
  '%s without a response in time after an interrupt is interrupted, not failed',
  async (_, more) => {
    const harness = await openHarness();
    const [drain, halt] = [new AbortController(), new AbortController()];
    const slow = playbookFrom(`
playbook: 1
name: slow
steps:
  - id: it
    uses: market/list-tickers
    with: { category: SPOT }
    ${more}
`);
    const result = await live(harness, slow, {
      drain: drain.signal,
      halt: halt.signal,
      wrap: (transport) => async (request, signal) => {
        if (request.operation !== 'market/list-tickers') return transport(request, signal);
        drain.abort();
        halt.abort(new Error('responses did not arrive within 10 s'));
        throw new TransportError('given up', 'maybe');
      },
    });
    expect([result.status, result.exit]).toEqual(['interrupted', 130]);
  },
);

test('an interrupt ends a poll immediately, however long its pause', async () => {
  const harness = await openHarness();
  const drain = new AbortController();
  const polling = playbookFrom(`
playbook: 1
name: polling
steps:
  - id: it
    uses: market/list-tickers
    with: { category: SPOT }
    until: "{{ gt (length response) 1000 }}"
    poll: { every: 1h, for: 9h }
`);
  const before = harness.clock.now();
  const { status } = await live(harness, polling, {
    drain: drain.signal,
    onEntry: ({ kind }) => {
      if (kind === 'waited') drain.abort();
    },
  });
  expect(status).toBe('interrupted');
  expect(harness.clock.now() - before).toBeLessThan(60_000);
});

test('rows are written to a file with its manifest', async () => {
  const harness = await openHarness();
  const result = await live(
    harness,
    playbookFrom(`
playbook: 1
name: export
steps:
  - id: bills
    uses: futures/list-bills
    with: { productType: USDT-FUTURES }
    write: { file: out/bills.csv, columns: { id: "{{ row.billId }}", amount: "{{ row.amount }}" }, unique: [id], sort: [id] }
    expect:
      - that: "{{ gt rows 0 }}"
outputs: { file: "{{ steps.bills.file }}", rows: "{{ steps.bills.rows }}" }
`),
  );
  expect(result.status).toBe('done');
  const text = await readFile(join(harness.workspace, 'out', 'bills.csv'), 'utf8');
  const lines = text.trimEnd().split('\r\n');
  expect(lines[0]).toBe('id,amount');
  expect(result.outputs).toEqual({ file: 'out/bills.csv', rows: lines.length - 1 });
  await readFile(join(harness.workspace, 'out', 'bills.csv.manifest.json'));
});

test.each([
  ['for: 90s', 90_000],
  ['until: "1795147290000"', 90_000],
])('a wait with %s ends at the same time, wherever the process crashes in it', async (how, ms) => {
  const waiting = playbookFrom(`
playbook: 1
name: waiting
steps:
  - { id: pause, uses: wait, with: { ${how} } }
`);
  for (let nth = 1; nth <= 4; nth++) {
    const harness = await openHarness();
    const began = harness.clock.now();
    const { status } = await liveOn(harness, waiting, {
      death: { at: 'journal', nth, when: 'after' },
    });
    expect(status).toBe('done');
    expect(harness.clock.now() - began, `dead after write ${nth}`).toBe(ms);
  }
});

test('a wait waits, and an interrupt ends it without marking it done', async () => {
  const harness = await openHarness();
  const waiting = playbookFrom(`
playbook: 1
name: waiting
steps:
  - { id: pause, uses: wait, with: { for: 90s } }
`);
  const before = harness.clock.now();
  expect((await live(harness, waiting)).status).toBe('done');
  expect(harness.clock.now() - before).toBeGreaterThanOrEqual(90_000);

  harness.disk = '';
  const controller = new AbortController();
  const interrupted = await live(harness, waiting, {
    drain: controller.signal,
    onEntry: (entry) => {
      if (entry.kind === 'opened') controller.abort();
    },
  });
  expect([interrupted.status, interrupted.exit]).toEqual(['interrupted', 130]);
});
