/** A list counts as evidence of absence only after it has shown an order; this is recorded. */
import { describe, expect, test } from 'vitest';
import {
  TransportError,
  type Transport,
  type WireResponse,
} from '../../../src/exchange/api/exchange.ts';
import type { Destination } from '../../../src/engine/journal/entry.ts';
import type { RecordedVisibility } from '../../../src/engine/journal/visible.ts';
import { accountOf } from '../../../src/engine/journal/account.ts';
import { doubtText } from '../../../src/engine/journal/doubt.ts';
import { replay } from '../../../src/engine/journal/replay.ts';
import { visibilitiesIn, type Visibilities } from '../../../src/engine/journal/visibility.ts';
import { summaryOf } from '../../../src/report/summary.ts';
import type { RunResult } from '../../../src/engine/interpreter/interpret.ts';
import {
  entriesOf,
  live,
  liveOn,
  openHarness,
  ordersPlaced,
  playbookFrom,
  type CrashPoint,
  type Harness,
  type Life,
} from '../../support/harness.ts';
import { listedOn } from '../../support/listed.ts';
import { order as shownOrder } from '../../support/lists.ts';
import { limitOrder } from '../../support/order.ts';
import { success } from '../../support/scripted.ts';

const main: Destination = { profile: 'main', target: 'live', host: 'x', keyFingerprint: '0000' };

const ladder = playbookFrom(`
playbook: 1
name: ladder
steps:
  - id: ladder
    for-each: ["41000.0", "40990.0", "40980.0"]
    parallel: 3
    on-error: continue
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}' })}
`);

const alone = playbookFrom(ladder.text.replace(/for-each: .*/, 'for-each: ["41000.0"]'));

/** Neither list ever shows an order. */
function hide(harness: Harness): void {
  const rules = (['order/list-open', 'order/list-history'] as const).map((operation) => ({
    match: { operation },
    action: { kind: 'stale-reads', ms: 1_000 * 24 * 3_600_000 },
  }));
  harness.sandbox.control('PUT', 'faults', { rules });
}

const show = (harness: Harness): unknown => harness.sandbox.control('PUT', 'faults', { rules: [] });

function onLive(harness: Harness, life: Life = {}): Promise<RunResult> {
  return live(harness, ladder, { onDoubt: 'resend', destination: main, ...life });
}

const learned = (harness: Harness): readonly RecordedVisibility[] =>
  entriesOf(harness).filter((entry) => entry.kind === 'visibility');

/** As a later run finds it in this run's journal. */
const kept = (harness: Harness): Visibilities => visibilitiesIn(entriesOf(harness));

const ours = async (harness: Harness): Promise<readonly number[]> =>
  [...(await ordersPlaced(harness))]
    .filter(([id]) => id.startsWith('dh'))
    .map(([, times]) => times);

const doubtsOf = (harness: Harness): readonly string[] =>
  [...replay(entriesOf(harness)).values()].flatMap(({ outcome }) =>
    outcome?.kind === 'doubt' ? doubtText(outcome) : [],
  );

/** Counts the sent orders, and drops the chosen ones before they arrive. */
function losing(
  isLost: (nth: number) => boolean,
  sent: string[] = [],
): (transport: Transport) => Transport {
  return (transport) => async (request, signal) => {
    if (request.operation !== 'futures/place-order') return transport(request, signal);
    sent.push(String(JSON.parse(request.body).clientOid));
    if (isLost(sent.length)) throw new TransportError('connection reset', 'maybe');
    return transport(request, signal);
  };
}

/** Counts requests to the lists. */
function counting(asked: { lists: number }): (transport: Transport) => Transport {
  return (transport) => (request, signal) => {
    if (request.operation.startsWith('order/list-')) asked.lists += 1;
    return transport(request, signal);
  };
}

function unlistedOn(destination: Destination): Visibilities {
  return new Map(
    [...listedOn(destination)].map(([account, it]) => [account, { ...it, orders: 'unlisted' }]),
  );
}

function refusing(code: string, msg: string): WireResponse {
  const envelope = { code, msg, requestTime: 1, data: null };
  return { status: 400, headers: {}, body: Buffer.from(JSON.stringify(envelope)) };
}

describe('the first order of a live account', () => {
  test('is looked up once, however many are accepted at once', async () => {
    const harness = await openHarness();
    const asked = { lists: 0 };
    const result = await onLive(harness, { wrap: counting(asked) });
    expect(result.status).toBe('done');
    expect(learned(harness)).toMatchObject([
      { profile: 'main', orders: 'listed', order: { run: 'r-test', orderId: /^\d+$/ } },
    ]);
    expect(asked.lists).toBe(1);
  });

  test('proves nothing if the lists form a cycle, and the run completes', async () => {
    const harness = await openHarness();
    const list = [shownOrder({ id: 1, at: 1 })];
    const circle =
      (transport: Transport): Transport =>
      async (request, signal) =>
        request.operation === 'order/list-open'
          ? success({ list, cursor: '1' })
          : transport(request, signal);
    const result = await onLive(harness, { wrap: circle });
    expect([result.status, result.exit]).toEqual(['done', 0]);
    expect(learned(harness)[0]).toMatchObject({
      orders: 'unknown',
      because: /^order.list-open: .* after \d+ page/,
    });
  });

  test('is not looked up if an earlier run has done so, and this run records that again', async () => {
    const harness = await openHarness();
    const asked = { lists: 0 };
    const visibilities = listedOn(main);
    await onLive(harness, { wrap: counting(asked), visibilities });
    expect(asked.lists).toBe(0);
    expect(kept(harness)).toEqual(visibilities);
  });

  test('proves nothing about another account', async () => {
    const harness = await openHarness();
    const asked = { lists: 0 };
    const visibilities = listedOn({ ...main, keyFingerprint: 'ffff' });
    await onLive(harness, { visibilities, wrap: counting(asked) });
    expect(asked.lists).toBe(1);
    expect(learned(harness).map(({ account }) => account)).toEqual([accountOf(main)]);
  });

  test('is not looked up on a sandbox', async () => {
    const harness = await openHarness();
    const asked = { lists: 0 };
    await live(harness, ladder, { wrap: counting(asked) });
    expect([asked.lists, learned(harness)]).toEqual([0, []]);
  });

  test('that appears late, within the time limit, is found', async () => {
    const harness = await openHarness();
    const rules = [
      { match: { operation: 'order/list-open' }, action: { kind: 'stale-reads', ms: 8_000 } },
    ];
    harness.sandbox.control('PUT', 'faults', { rules });
    await onLive(harness);
    expect(learned(harness)).toMatchObject([{ orders: 'listed' }]);
  });

  test.each(['a look', 'a pause'])('whose lookup ends early in %s proves nothing', async (when) => {
    const harness = await openHarness();
    hide(harness);
    const stop = new AbortController();
    await live(harness, alone, {
      destination: main,
      drain: stop.signal,
      wrap: (transport) => (request, signal) => {
        if (when === 'a look' && request.operation === 'order/list-history') stop.abort();
        return transport(request, signal);
      },
      onEntry: ({ kind }) => {
        if (kind === 'waited') stop.abort();
      },
    });
    expect([...replay(entriesOf(harness)).values()][0]?.outcome?.kind).toBe('done');
    expect(learned(harness)).toEqual([]);
  });
});

test('lists that show an accepted order under another id prove nothing', async () => {
  const harness = await openHarness();
  const renamed =
    (transport: Transport): Transport =>
    async (request, signal) => {
      const answer = await transport(request, signal);
      if (request.operation !== 'futures/place-order') return answer;
      const { data } = JSON.parse(Buffer.from(answer.body).toString('utf8'));
      return success({ ...data, orderId: '1' });
    };
  await live(harness, alone, { onDoubt: 'resend', destination: main, wrap: renamed });
  expect(learned(harness)).toMatchObject([
    { orders: 'unknown', because: expect.stringMatching(/^the lists show it as order \d+$/) },
  ]);
});

describe('an order that the lists do not show', () => {
  test('is done, and the run records that these lists do not show it', async () => {
    const harness = await openHarness();
    hide(harness);
    const result = await onLive(harness);
    expect([result.status, result.exit]).toEqual(['done', 0]);
    expect(learned(harness)).toMatchObject([
      { orders: 'unlisted', because: /^not in \d looks at open and history orders/ },
    ]);
    show(harness);
    expect(await ours(harness)).toEqual([1, 1, 1]);
  });

  test('sends every doubt to a person immediately, whatever the profile says', async () => {
    const harness = await openHarness();
    hide(harness);
    await onLive(harness);
    const visibilities = kept(harness);
    harness.disk = '';
    const began = harness.clock.now();
    const sent: string[] = [];
    const wrap = losing(() => true, sent);
    const result = await onLive(harness, { runId: 'r-2', visibilities, wrap });
    expect([result.status, result.exit]).toEqual(['doubt', 6]);
    expect(new Set(sent).size).toBe(sent.length);
    expect(doubtsOf(harness)[0]).toContain(
      'an order of USDT-FUTURES that was accepted is not in these lists',
    );
    expect(harness.clock.now() - began).toBeLessThan(3_000);
  });

  test('is superseded when a later order is found', async () => {
    const harness = await openHarness();
    hide(harness);
    await onLive(harness);
    const visibilities = kept(harness);
    expect([...visibilities.values()][0]?.orders).toBe('unlisted');
    harness.disk = '';
    show(harness);
    await onLive(harness, { runId: 'r-2', visibilities });
    expect([...kept(harness).values()]).toMatchObject([
      { orders: 'listed', order: { run: 'r-2' } },
    ]);
  });

  test('is superseded when the order of a doubt is found', async () => {
    const harness = await openHarness();
    hide(harness);
    await onLive(harness);
    const visibilities = kept(harness);
    harness.disk = '';
    show(harness);
    const lostAnswer =
      (transport: Transport): Transport =>
      async (request, signal) => {
        const answer = await transport(request, signal);
        if (request.operation !== 'futures/place-order') return answer;
        throw new TransportError('connection reset', 'maybe');
      };
    const result = await onLive(harness, { runId: 'r-2', visibilities, wrap: lostAnswer });
    expect(result.status).toBe('done');
    expect([...kept(harness).values()]).toMatchObject([{ orders: 'listed' }]);
  });
});

describe('while the lists are unproved', () => {
  test('an order that is in neither list is not sent again', async () => {
    const harness = await openHarness();
    const sent: string[] = [];
    const result = await onLive(harness, { wrap: losing(() => true, sent) });
    expect(result.exit).toBe(6);
    expect(new Set(sent).size).toBe(sent.length);
    expect(doubtsOf(harness)[0]).toContain(
      'have never shown an order of USDT-FUTURES of this account',
    );
  });

  test('another accepted order decides', async () => {
    const harness = await openHarness();
    const sent: string[] = [];
    const result = await onLive(harness, { wrap: losing((nth) => nth === 1, sent) });
    expect(result.status).toBe('done');
    expect(sent).toHaveLength(4);
    expect(await ours(harness)).toEqual([1, 1, 1]);
  });

  test('unreadable lists are tried at most three times in a run and decide nothing', async () => {
    const harness = await openHarness();
    const unreadable =
      (transport: Transport): Transport =>
      async (request, signal) => {
        if (!request.operation.startsWith('order/list-')) return transport(request, signal);
        const envelope = { code: '40084', msg: 'unified account', requestTime: 1, data: null };
        return { status: 400, headers: {}, body: Buffer.from(JSON.stringify(envelope)) };
      };
    const long = playbookFrom(`
playbook: 1
name: long
steps:
  - id: ladder
    for-each: ["41000.0", "40990.0", "40980.0", "40970.0", "40960.0", "40950.0"]
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}' })}
`);
    const result = await live(harness, long, { destination: main, wrap: unreadable });
    expect(result.status).toBe('done');
    expect(learned(harness)).toHaveLength(3);
    expect(learned(harness)[0]).toMatchObject({ orders: 'unknown', because: /40084/ });
    harness.disk = '';
    const visibilities = unlistedOn(main);
    await live(harness, long, { destination: main, wrap: unreadable, runId: 'r-2', visibilities });
    expect(kept(harness)).toEqual(visibilities);
  });
});

test('an inconclusive lookup does not revoke a proof', async () => {
  const harness = await openHarness();
  hide(harness);
  let reads = 0;
  const once =
    (transport: Transport): Transport =>
    async (request, signal) => {
      if (!request.operation.startsWith('order/list-') || ++reads > 1) {
        return transport(request, signal);
      }
      return refusing('40084', 'unified account');
    };
  const sent: string[] = [];
  const losesSecond = losing((nth) => nth === 2, sent);
  const result = await live(
    harness,
    playbookFrom(ladder.text.replace('parallel: 3', 'parallel: 1')),
    {
      destination: main,
      onDoubt: 'resend',
      visibilities: unlistedOn(main),
      wrap: (transport) => losesSecond(once(transport)),
    },
  );
  expect(
    learned(harness)
      .map(({ orders }) => orders)
      .slice(0, 2),
  ).toEqual(['unlisted', 'unknown']);
  expect(result.exit).toBe(6);
  expect(doubtsOf(harness)[0]).toContain(
    'an order of USDT-FUTURES that was accepted is not in these lists',
  );
});

describe('a product type without a proved order', () => {
  const coin = playbookFrom(`
playbook: 1
name: coin
steps:
  - id: ladder
    for-each: ["41000.0", "40990.0"]
    on-error: continue
    uses: futures/place-order
    with: { symbol: BTCUSD, productType: COIN-FUTURES, marginMode: crossed, marginCoin: BTC,
      side: buy, tradeSide: open, orderType: limit, force: gtc, price: "{{ each.value }}",
      size: "0.01" }
`);

  /** The lists of COIN-FUTURES are empty, those of USDT-FUTURES are not. */
  const empty =
    (harness: Harness, transport: Transport): Transport =>
    (request, signal) =>
      request.operation.startsWith('order/list-') && request.query.includes('COIN-FUTURES')
        ? Promise.resolve(success({ list: [], cursor: '' }, harness.clock.now()))
        : transport(request, signal);

  /** Executes the first order, and loses its answer. */
  const losingAnswer =
    (sent: string[]) =>
    (transport: Transport): Transport => {
      return async (request, signal) => {
        const whole = await transport(request, signal);
        if (request.operation !== 'futures/place-order') return whole;
        sent.push(String(JSON.parse(request.body).clientOid));
        if (sent.length === 1) throw new TransportError('connection reset', 'maybe');
        return whole;
      };
    };

  async function onCoin(visibilities: Visibilities) {
    const harness = await openHarness();
    harness.sandbox.control('POST', 'config', { duplicateClientOid: 'accept' });
    const sent: string[] = [];
    const lost = losingAnswer(sent);
    const result = await live(harness, coin, {
      destination: main,
      onDoubt: 'resend',
      visibilities,
      wrap: (transport) => empty(harness, lost(transport)),
    });
    return { harness, result, sent };
  }

  test('is not trusted because another product line of the account is proved', async () => {
    const { harness, result, sent } = await onCoin(
      listedOn(main, ['USDT-FUTURES', 'USDC-FUTURES']),
    );
    expect([result.status, result.exit]).toEqual(['doubt', 6]);
    expect(new Set(sent).size).toBe(sent.length);
    expect(await ours(harness)).toEqual([1]);
    expect(doubtsOf(harness)[0]).toContain('have never shown an order of COIN-FUTURES');
    const of = learned(harness).filter(({ line: productType }) => productType === 'COIN-FUTURES');
    expect(of.map(({ orders }) => orders)).not.toContain('listed');
  });

  test('is reported as not verified', async () => {
    const { harness } = await onCoin(listedOn(main));
    const [basis] = summaryOf(entriesOf(harness)).bases;
    expect(basis?.assumptions[3]?.state).not.toBe('proved');
  });

  test('is looked up separately, and the result applies only to it', async () => {
    const harness = await openHarness();
    const asked = { lists: 0 };
    const visibilities = listedOn(main);
    await live(harness, coin, { destination: main, visibilities, wrap: counting(asked) });
    expect(asked.lists).toBeGreaterThan(0);
    expect([...kept(harness).keys()].toSorted()).toEqual(
      ['COIN-FUTURES', 'USDT-FUTURES'].map((line) => `${accountOf(main)} ${line}`),
    );
  });
});

/** Every point at which a run may crash. */
async function pointsOf(
  play: (harness: Harness) => Promise<RunResult>,
): Promise<readonly CrashPoint[]> {
  const harness = await openHarness();
  await play(harness);
  const { counts } = harness;
  return (['journal', 'request'] as const).flatMap((at) =>
    Array.from({ length: counts[at] }, (_, index) => index + 1).flatMap((nth) =>
      (['before', 'after'] as const).map((when) => ({ at, nth, when })),
    ),
  );
}

describe('crashing at every journal write and every request', () => {
  test('each order exists once, and the recorded visibility is correct', async () => {
    for (const death of await pointsOf(onLive)) {
      const harness = await openHarness();
      const result = await liveOn(harness, ladder, { death, destination: main, onDoubt: 'resend' });
      expect(
        (await ours(harness)).every((times) => times === 1),
        JSON.stringify(death),
      ).toBe(true);
      expect(learned(harness).every(({ orders }) => orders === 'listed')).toBe(true);
      if (result.status === 'done') expect(await ours(harness)).toHaveLength(3);
      else expect([result.exit, doubtsOf(harness).length > 0]).toEqual([6, true]);
    }
  });
});
