/** A key that serves one account family proves its orders with the operations of that family, and with no other. */
import { describe, expect, test } from 'vitest';
import {
  TransportError,
  type Transport,
  type WireResponse,
} from '../../../src/exchange/api/exchange.ts';
import { families, serves, type Family } from '../../../src/exchange/api/family.ts';
import type { Destination } from '../../../src/engine/journal/entry.ts';
import { ledgerOf } from '../../../src/engine/journal/ledger.ts';
import { replay } from '../../../src/engine/journal/replay.ts';
import { visibilitiesIn } from '../../../src/engine/journal/visibility.ts';
import { writesIn } from '../../../src/engine/journal/writes.ts';
import { doubtsIn } from '../../../src/engine/effects/doubts.ts';
import { outcomeBy } from '../../../src/engine/effects/resolve.ts';
import { shownOf } from '../../../src/engine/effects/adopt.ts';
import { driftOf } from '../../../src/engine/plan/drift.ts';
import { observerOf } from '../../../src/engine/plan/observe.ts';
import { storyOf } from '../../../src/report/story.ts';
import { basesOf } from '../../../src/report/assumptions.ts';
import type { Playbook } from '../../../src/language/playbook.ts';
import {
  clientOf,
  destinationOn,
  entriesOf,
  live,
  liveOn,
  openHarness,
  planOn,
  playbookFrom,
  type Harness,
} from '../../support/harness.ts';

const account: Destination = { profile: 'main', target: 'live', host: 'x', keyFingerprint: '0000' };
const { signal } = new AbortController();

/** An order that opens a long position, in the words of each family, and one that closes it. */
const placing = {
  classic: {
    operation: 'futures/place-order',
    open: 'productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT, symbol: BTCUSDT, side: buy, tradeSide: open, orderType: limit, price: "41000.0", size: "0.001"',
    close: 'side: buy, tradeSide: close',
  },
  unified: {
    operation: 'trade/place-order',
    open: 'category: USDT-FUTURES, symbol: BTCUSDT, side: buy, posSide: long, orderType: limit, price: "41000.0", qty: "0.001"',
    close: 'side: sell, posSide: long',
  },
} as const;

function order(family: Family, change: (fields: string) => string = (same) => same): Playbook {
  const { operation, open } = placing[family];
  return playbookFrom(`
playbook: 1
name: families
steps:
  - id: order
    uses: ${operation}
    with: { ${change(open)} }
`);
}

const closing = (family: Family) => (fields: string) =>
  fields.replace(/side: buy, (tradeSide: open|posSide: long)/, placing[family].close);

/** What happens to the first order that is sent, and which operations reach the exchange. */
function watching(
  sent: Set<string>,
  loss?: 'before' | 'after',
): (transport: Transport) => Transport {
  let isLost = loss === undefined;
  return (transport) => async (request, stop) => {
    sent.add(request.operation);
    if (isLost || !request.operation.endsWith('/place-order')) return transport(request, stop);
    isLost = true;
    if (loss === 'after') await transport(request, stop);
    throw new TransportError('connection reset', 'maybe');
  };
}

/** A refusal in place of a response. */
function refusal({ body }: WireResponse, code: string): WireResponse {
  const { requestTime } = JSON.parse(Buffer.from(body).toString());
  const text = JSON.stringify({ code, msg: 'refused', requestTime, data: null });
  return { status: 400, headers: {}, body: Buffer.from(text) };
}

function hide(harness: Harness, operations: readonly string[]): void {
  const rules = operations.map((operation) => ({
    match: { operation },
    action: { kind: 'stale-reads', ms: 1_000 * 24 * 3_600_000 },
  }));
  harness.sandbox.control('PUT', 'faults', { rules });
}

const lists = {
  classic: ['futures/list-open-orders', 'futures/list-closed-orders'],
  unified: ['order/list-open', 'order/list-history'],
} as const;
const byKey = { classic: 'futures/get-order', unified: 'trade/get-order' } as const;

const outcomeOf = (harness: Harness) => replay(entriesOf(harness)).get('order')?.outcome;

/** Our orders in the books of the sandbox. */
function placed({ sandbox }: Harness): readonly { readonly orderId: string }[] {
  const { open, closed } = Object(
    sandbox.control('GET', 'orders', { uid: sandbox.accounts.hedge.uid }),
  );
  return [...open, ...closed].filter(({ clientOid }) => clientOid.startsWith('dh'));
}

/** Operations that the account could not have been asked. */
function foreign(sent: ReadonlySet<string>, family: Family): readonly string[] {
  return [...sent].filter((name) => !serves(name as never, family));
}

describe.each(families)('a %s account', (family) => {
  const other = family === 'classic' ? 'unified' : 'classic';

  test('plans, places, and is compared and imported, without a request of the other family', async () => {
    const harness = await openHarness(family);
    const sent = new Set<string>();
    const plan = await planOn(harness, order(family), new Map(), [], true, watching(sent));
    expect(plan.steps.flatMap(({ actions }) => actions)).toMatchObject([
      { change: { kind: 'create' }, confidence: { kind: 'read-just-now' } },
    ]);
    await live(harness, order(family), { wrap: watching(sent) });
    expect(outcomeOf(harness)).toMatchObject({ kind: 'done', evidence: 'answered' });
    const [there, ...more] = placed(harness);
    expect(more).toEqual([]);
    const exchange = clientOf(harness, watching(sent));
    const destination = destinationOn(harness);
    const writes = writesIn('r-test', entriesOf(harness));
    const accounts = [{ profile: 'main', family, observer: observerOf(exchange, signal) }] as const;
    const drifting = { accounts, now: harness.clock.now() };
    const known = new Set(writes.map(({ input }) => String(Object(input).clientOid)));
    expect(
      await driftOf({
        writes,
        sentHere: async () => known,
        endedHere: async () => new Map(),
        ...drifting,
      }),
    ).toMatchObject({ lines: [{ kind: 'same', shown: 'live' }] });
    expect(
      await driftOf({
        writes: [],
        sentHere: async () => new Set<string>(),
        endedHere: async () => new Map(),
        looksEverywhere: true,
        ...drifting,
      }),
    ).toMatchObject({ lines: [{ kind: 'unrecorded', operation: placing[family].operation }] });
    const [write] = writes;
    if (write === undefined || there === undefined) throw new Error('nothing was placed');
    const shown = await shownOf(write, there.orderId, { exchange, destination }, signal);
    expect(shown).toMatchObject({ kind: 'order' });
    expect(foreign(sent, family)).toEqual([]);
  });

  test('finds an order whose response was lost, by its key or in its lists', async () => {
    for (const hidden of [[], [byKey[family]], lists[family]]) {
      const harness = await openHarness(family);
      hide(harness, hidden);
      const sent = new Set<string>();
      const life = { wrap: watching(sent, 'after'), destination: account };
      await live(harness, order(family), life);
      expect(outcomeOf(harness)).toMatchObject({ kind: 'done', evidence: 'looked-up' });
      expect(placed(harness)).toHaveLength(1);
      expect(foreign(sent, family)).toEqual([]);
    }
  });

  test('finds an order that closes a position, and no order that opens one in its place', async () => {
    const harness = await openHarness(family);
    await live(harness, order(family, closing(family)), { wrap: watching(new Set(), 'after') });
    expect(outcomeOf(harness)).toMatchObject({ kind: 'done', evidence: 'looked-up' });
    const named = await openHarness(family);
    const mine = (fields: string) => `${fields}, clientOid: mine`;
    await live(named, order(family, mine));
    named.disk = '';
    const close = order(family, (fields) => mine(closing(family)(fields)));
    await live(named, close, { wrap: watching(new Set(), 'before'), runId: 'r-2' });
    expect(outcomeOf(named)).toMatchObject({
      kind: 'doubt',
      lookup: { but: expect.stringContaining('belongs to another order') },
    });
  });

  test('sends an order again only past its fence, when neither of its lists shows it', async () => {
    const harness = await openHarness(family);
    const began = harness.clock.now();
    await live(harness, order(family), { wrap: watching(new Set(), 'before') });
    expect(outcomeOf(harness)).toMatchObject({ kind: 'done', evidence: 'answered' });
    expect(harness.clock.now() - began).toBeGreaterThan(40_000);
    expect(placed(harness)).toHaveLength(1);
  });

  test('continues after it died at each request, with one order', async () => {
    for (let nth = 1; nth <= 6; nth++) {
      for (const when of ['before', 'after'] as const) {
        const harness = await openHarness(family);
        const sent = new Set<string>();
        const death = { at: 'request', nth, when } as const;
        const life = { death, wrap: watching(sent, 'after') };
        expect((await liveOn(harness, order(family), life)).status).toBe('done');
        expect(placed(harness)).toHaveLength(1);
        expect(foreign(sent, family)).toEqual([]);
      }
    }
  });

  test('trusts its lists when they have shown an order, and names them', async () => {
    const harness = await openHarness(family);
    await live(harness, order(family), { destination: account });
    const name = family === 'classic' ? 'USDT-FUTURES in classic lists' : 'USDT-FUTURES';
    const entries = entriesOf(harness);
    expect([...visibilitiesIn(entries).values()]).toMatchObject([{ line: name, orders: 'listed' }]);
    const [basis] = basesOf(storyOf(entries));
    expect(basis?.assumptions.at(-1)).toMatchObject({ number: 4, state: 'proved' });
    // What was learned of other lists proves nothing about these.
    const [first] = visibilitiesIn(entries).values();
    if (first === undefined) throw new Error('nothing was learned');
    const elsewhere = { ...first, line: family === 'classic' ? 'USDT-FUTURES' : 'SPOT' };
    const silent = await openHarness(family);
    await live(silent, order(family), {
      wrap: watching(new Set(), 'before'),
      destination: account,
      visibilities: new Map([['other', elsewhere]]),
    });
    expect(outcomeOf(silent)).toMatchObject({ kind: 'doubt' });
    expect(placed(silent)).toEqual([]);
  });

  test('is asked about an order that a person settles', async () => {
    const harness = await openHarness(family);
    const life = { onDoubt: 'ask', wrap: watching(new Set(), 'before') } as const;
    await live(harness, order(family), life);
    const [doubt] = doubtsIn(entriesOf(harness));
    if (doubt === undefined) throw new Error('nothing is in doubt');
    const sent = new Set<string>();
    const witness = {
      person: { who: 'kim' },
      accounts: [
        { exchange: clientOf(harness, watching(sent)), destination: destinationOn(harness) },
      ],
      target: 'sandbox',
      clock: harness.clock,
      signal,
    } as const;
    const { outcome } = await outcomeBy(doubt, { kind: 'absent' }, witness);
    expect(outcome).toMatchObject({ kind: 'failed', code: 'absent' });
    expect([...sent]).toEqual(expect.arrayContaining([...lists[family], byKey[family]]));
    expect(foreign(sent, family)).toEqual([]);
  });

  test('plans no order that the position mode of its settings refuses, if it may read them', async () => {
    const harness = await openHarness(family);
    const without = order(family, (fields) =>
      fields.replace(/(tradeSide: open|posSide: long), /, ''),
    );
    const sent = new Set<string>();
    const plan = (wrap: (transport: Transport) => Transport) =>
      planOn(harness, without, new Map(), [], false, wrap);
    const field = family === 'classic' ? 'tradeSide' : 'posSide';
    await expect(plan(watching(sent))).rejects.toMatchObject({
      problems: [{ code: 'PB208', message: expect.stringContaining(`${field} is missing`) }],
    });
    expect(foreign(sent, family)).toEqual([]);
    const denying = (transport: Transport) =>
      watching(sent)(async (request, stop) => {
        const answer = await transport(request, stop);
        return /settings|get-account$/.test(request.operation) ? refusal(answer, '40014') : answer;
      });
    expect((await plan(denying)).steps).toMatchObject([
      { actions: [{ change: { kind: 'create' } }] },
    ]);
  });

  test('reads the position mode from its settings after a refusal', async () => {
    const harness = await openHarness(family);
    const sent = new Set<string>();
    const code = family === 'classic' ? '40774' : '25236';
    const refusing = (transport: Transport) =>
      watching(sent)(async (request, stop) => {
        const answer = await transport(request, stop);
        return request.operation.endsWith('/place-order') ? refusal(answer, code) : answer;
      });
    await live(harness, order(family), { wrap: refusing });
    expect(outcomeOf(harness)).toMatchObject({
      kind: 'refused',
      hint: expect.stringContaining('this account is in hedge_mode, by its settings'),
    });
    expect(foreign(sent, family)).toEqual([]);
  });

  test('leaves an order of the other family in doubt, and never calls it absent', async () => {
    const harness = await openHarness();
    const life = { onDoubt: 'ask', wrap: watching(new Set(), 'after') } as const;
    const hidden = [byKey[other], ...lists[other], ...lists.unified];
    hide(harness, hidden);
    await live(harness, order(other), { ...life, destination: account });
    expect(outcomeOf(harness)).toMatchObject({ kind: 'doubt' });
    const now: Harness = Object.assign(harness, { family });
    hide(harness, []);
    const writes = writesIn('r-test', entriesOf(harness));
    const observer = observerOf(clientOf(now), signal);
    const {
      lines: [line],
    } = await driftOf({
      writes,
      sentHere: async () => new Set<string>(),
      endedHere: async () => new Map(),
      accounts: [{ profile: 'main', family, observer }],
      now: harness.clock.now(),
    });
    expect(line).toMatchObject({ kind: 'doubt' });
    await live(now, order(other), { ...life, destination: account });
    // The lists of unified accounts show orders of both operations, if the exchange does.
    const kind = family === 'classic' ? 'doubt' : 'done';
    expect(outcomeOf(harness)).toMatchObject({ kind });
    expect(placed(harness)).toHaveLength(1);
    expect(ledgerOf('r-test', entriesOf(harness)).size).toBe(1);
  });
});
