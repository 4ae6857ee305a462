/** Lists that must have shown an order before their silence is believed: learned once, and kept. */
import { describe, expect, test } from 'vitest';
import { TransportError, type Transport, type WireResponse } from '../../src/api/exchange.ts';
import type { Destination } from '../../src/journal/entry.ts';
import type { RecordedVisibility } from '../../src/journal/visible.ts';
import { accountOf } from '../../src/journal/account.ts';
import { replay } from '../../src/journal/replay.ts';
import { visibilitiesIn, type Visibilities } from '../../src/journal/visibility.ts';
import { summaryOf } from '../../src/report/summary.ts';
import type { RunResult } from '../../src/interpreter/interpret.ts';
import {
  entriesOf,
  live,
  liveOn,
  openDesk,
  ordersPlaced,
  playbookFrom,
  type DeathPoint,
  type Desk,
  type Life,
} from '../support/desk.ts';
import { listedOn } from '../support/listed.ts';
import { order as shownOrder } from '../support/lists.ts';
import { limitOrder } from '../support/order.ts';
import { success } from '../support/scripted.ts';

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
function hide(desk: Desk): void {
  const rules = (['order/list-open', 'order/list-history'] as const).map((operation) => ({
    match: { operation },
    action: { kind: 'stale-reads', ms: 1_000 * 24 * 3_600_000 },
  }));
  desk.sandbox.control('PUT', 'faults', { rules });
}

const show = (desk: Desk): unknown => desk.sandbox.control('PUT', 'faults', { rules: [] });

function onLive(desk: Desk, life: Life = {}): Promise<RunResult> {
  return live(desk, ladder, { onDoubt: 'resend', destination: main, ...life });
}

const learned = (desk: Desk): readonly RecordedVisibility[] =>
  entriesOf(desk).filter((entry) => entry.kind === 'visibility');

/** As a later run finds it in the journal of this one. */
const kept = (desk: Desk): Visibilities => visibilitiesIn(entriesOf(desk));

const ours = async (desk: Desk): Promise<readonly number[]> =>
  [...(await ordersPlaced(desk))].filter(([id]) => id.startsWith('dh')).map(([, times]) => times);

const doubtsOf = (desk: Desk): readonly string[] =>
  [...replay(entriesOf(desk)).values()].flatMap(({ outcome }) =>
    outcome?.kind === 'doubt' ? outcome.because : [],
  );

/** Counts the orders sent, and loses those it is told to lose on their way. */
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

/** Counts what is asked of the lists. */
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
    const desk = await openDesk();
    const asked = { lists: 0 };
    const result = await onLive(desk, { wrap: counting(asked) });
    expect(result.status).toBe('done');
    expect(learned(desk)).toMatchObject([
      { profile: 'main', orders: 'listed', order: { run: 'r-test', orderId: /^\d+$/ } },
    ]);
    expect(asked.lists).toBe(1);
  });

  test('proves nothing if the lists form a cycle, and the run completes', async () => {
    const desk = await openDesk();
    const list = [shownOrder({ id: 1, at: 1 })];
    const circle =
      (transport: Transport): Transport =>
      async (request, signal) =>
        request.operation === 'order/list-open'
          ? success({ list, cursor: '1' })
          : transport(request, signal);
    const result = await onLive(desk, { wrap: circle });
    expect([result.status, result.exit]).toEqual(['done', 0]);
    expect(learned(desk)[0]).toMatchObject({
      orders: 'unknown',
      because: /^order.list-open: .* after \d+ page/,
    });
  });

  test('is not looked up if an earlier run has done so, and this run records that again', async () => {
    const desk = await openDesk();
    const asked = { lists: 0 };
    const visibilities = listedOn(main);
    await onLive(desk, { wrap: counting(asked), visibilities });
    expect(asked.lists).toBe(0);
    expect(kept(desk)).toEqual(visibilities);
  });

  test('proves nothing about another account', async () => {
    const desk = await openDesk();
    const asked = { lists: 0 };
    const visibilities = listedOn({ ...main, keyFingerprint: 'ffff' });
    await onLive(desk, { visibilities, wrap: counting(asked) });
    expect(asked.lists).toBe(1);
    expect(learned(desk).map(({ account }) => account)).toEqual([accountOf(main)]);
  });

  test('is not looked up on a sandbox', async () => {
    const desk = await openDesk();
    const asked = { lists: 0 };
    await live(desk, ladder, { wrap: counting(asked) });
    expect([asked.lists, learned(desk)]).toEqual([0, []]);
  });

  test('that appears late, within the time limit, is found', async () => {
    const desk = await openDesk();
    const rules = [
      { match: { operation: 'order/list-open' }, action: { kind: 'stale-reads', ms: 8_000 } },
    ];
    desk.sandbox.control('PUT', 'faults', { rules });
    await onLive(desk);
    expect(learned(desk)).toMatchObject([{ orders: 'listed' }]);
  });

  test.each(['a look', 'a pause'])('whose lookup ends early in %s proves nothing', async (when) => {
    const desk = await openDesk();
    hide(desk);
    const stop = new AbortController();
    await live(desk, alone, {
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
    expect([...replay(entriesOf(desk)).values()][0]?.outcome?.kind).toBe('done');
    expect(learned(desk)).toEqual([]);
  });
});

test('lists that show an accepted order under another id prove nothing', async () => {
  const desk = await openDesk();
  const renamed =
    (transport: Transport): Transport =>
    async (request, signal) => {
      const answer = await transport(request, signal);
      if (request.operation !== 'futures/place-order') return answer;
      const { data } = JSON.parse(Buffer.from(answer.body).toString('utf8'));
      return success({ ...data, orderId: '1' });
    };
  await live(desk, alone, { onDoubt: 'resend', destination: main, wrap: renamed });
  expect(learned(desk)).toMatchObject([
    { orders: 'unknown', because: expect.stringMatching(/^the lists show it as order \d+$/) },
  ]);
});

describe('an order that the lists do not show', () => {
  test('is done, and the run records that these lists do not show it', async () => {
    const desk = await openDesk();
    hide(desk);
    const result = await onLive(desk);
    expect([result.status, result.exit]).toEqual(['done', 0]);
    expect(learned(desk)).toMatchObject([
      { orders: 'unlisted', because: /^not in \d looks at open and history orders/ },
    ]);
    show(desk);
    expect(await ours(desk)).toEqual([1, 1, 1]);
  });

  test('sends every doubt to a person immediately, whatever the profile says', async () => {
    const desk = await openDesk();
    hide(desk);
    await onLive(desk);
    const visibilities = kept(desk);
    desk.disk = '';
    const began = desk.clock.now();
    const sent: string[] = [];
    const wrap = losing(() => true, sent);
    const result = await onLive(desk, { runId: 'r-2', visibilities, wrap });
    expect([result.status, result.exit]).toEqual(['doubt', 6]);
    expect(new Set(sent).size).toBe(sent.length);
    expect(doubtsOf(desk)[0]).toContain(
      'an order of USDT-FUTURES that was accepted is not in these lists',
    );
    expect(desk.clock.now() - began).toBeLessThan(3_000);
  });

  test('is superseded when a later order is found', async () => {
    const desk = await openDesk();
    hide(desk);
    await onLive(desk);
    const visibilities = kept(desk);
    expect([...visibilities.values()][0]?.orders).toBe('unlisted');
    desk.disk = '';
    show(desk);
    await onLive(desk, { runId: 'r-2', visibilities });
    expect([...kept(desk).values()]).toMatchObject([{ orders: 'listed', order: { run: 'r-2' } }]);
  });

  test('is superseded when the order of a doubt is found', async () => {
    const desk = await openDesk();
    hide(desk);
    await onLive(desk);
    const visibilities = kept(desk);
    desk.disk = '';
    show(desk);
    const lostAnswer =
      (transport: Transport): Transport =>
      async (request, signal) => {
        const answer = await transport(request, signal);
        if (request.operation !== 'futures/place-order') return answer;
        throw new TransportError('connection reset', 'maybe');
      };
    const result = await onLive(desk, { runId: 'r-2', visibilities, wrap: lostAnswer });
    expect(result.status).toBe('done');
    expect([...kept(desk).values()]).toMatchObject([{ orders: 'listed' }]);
  });
});

describe('while the lists are unproved', () => {
  test('an order that is in neither list is not sent again', async () => {
    const desk = await openDesk();
    const sent: string[] = [];
    const result = await onLive(desk, { wrap: losing(() => true, sent) });
    expect(result.exit).toBe(6);
    expect(new Set(sent).size).toBe(sent.length);
    expect(doubtsOf(desk)[0]).toContain(
      'have never shown an order of USDT-FUTURES of this account',
    );
  });

  test('another accepted order decides', async () => {
    const desk = await openDesk();
    const sent: string[] = [];
    const result = await onLive(desk, { wrap: losing((nth) => nth === 1, sent) });
    expect(result.status).toBe('done');
    expect(sent).toHaveLength(4);
    expect(await ours(desk)).toEqual([1, 1, 1]);
  });

  test('unreadable lists are tried at most three times in a run and decide nothing', async () => {
    const desk = await openDesk();
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
    const result = await live(desk, long, { destination: main, wrap: unreadable });
    expect(result.status).toBe('done');
    expect(learned(desk)).toHaveLength(3);
    expect(learned(desk)[0]).toMatchObject({ orders: 'unknown', because: /40084/ });
    desk.disk = '';
    const visibilities = unlistedOn(main);
    await live(desk, long, { destination: main, wrap: unreadable, runId: 'r-2', visibilities });
    expect(kept(desk)).toEqual(visibilities);
  });
});

test('an inconclusive lookup does not revoke a proof', async () => {
  const desk = await openDesk();
  hide(desk);
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
  const result = await live(desk, playbookFrom(ladder.text.replace('parallel: 3', 'parallel: 1')), {
    destination: main,
    onDoubt: 'resend',
    visibilities: unlistedOn(main),
    wrap: (transport) => losesSecond(once(transport)),
  });
  expect(
    learned(desk)
      .map(({ orders }) => orders)
      .slice(0, 2),
  ).toEqual(['unlisted', 'unknown']);
  expect(result.exit).toBe(6);
  expect(doubtsOf(desk)[0]).toContain(
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
    (desk: Desk, transport: Transport): Transport =>
    (request, signal) =>
      request.operation.startsWith('order/list-') && request.query.includes('COIN-FUTURES')
        ? Promise.resolve(success({ list: [], cursor: '' }, desk.clock.now()))
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
    const desk = await openDesk();
    desk.sandbox.control('POST', 'config', { duplicateClientOid: 'accept' });
    const sent: string[] = [];
    const lost = losingAnswer(sent);
    const result = await live(desk, coin, {
      destination: main,
      onDoubt: 'resend',
      visibilities,
      wrap: (transport) => empty(desk, lost(transport)),
    });
    return { desk, result, sent };
  }

  test('is not trusted because another product line of the account is proved', async () => {
    const { desk, result, sent } = await onCoin(listedOn(main, ['USDT-FUTURES', 'USDC-FUTURES']));
    expect([result.status, result.exit]).toEqual(['doubt', 6]);
    expect(new Set(sent).size).toBe(sent.length);
    expect(await ours(desk)).toEqual([1]);
    expect(doubtsOf(desk)[0]).toContain('have never shown an order of COIN-FUTURES');
    const of = learned(desk).filter(({ line: productType }) => productType === 'COIN-FUTURES');
    expect(of.map(({ orders }) => orders)).not.toContain('listed');
  });

  test('is reported as not verified', async () => {
    const { desk } = await onCoin(listedOn(main));
    const [basis] = summaryOf(entriesOf(desk)).bases;
    expect(basis?.assumptions[3]?.state).not.toBe('proved');
  });

  test('is looked up separately, and the result applies only to it', async () => {
    const desk = await openDesk();
    const asked = { lists: 0 };
    const visibilities = listedOn(main);
    await live(desk, coin, { destination: main, visibilities, wrap: counting(asked) });
    expect(asked.lists).toBeGreaterThan(0);
    expect([...kept(desk).keys()].toSorted()).toEqual(
      ['COIN-FUTURES', 'USDT-FUTURES'].map((line) => `${accountOf(main)} ${line}`),
    );
  });
});

/** Every place a run may die at. */
async function pointsOf(play: (desk: Desk) => Promise<RunResult>): Promise<readonly DeathPoint[]> {
  const desk = await openDesk();
  await play(desk);
  const { counts } = desk;
  return (['journal', 'request'] as const).flatMap((at) =>
    Array.from({ length: counts[at] }, (_, index) => index + 1).flatMap((nth) =>
      (['before', 'after'] as const).map((when) => ({ at, nth, when })),
    ),
  );
}

describe('crashing at every journal write and every request', () => {
  test('each order exists once, and the recorded visibility is correct', async () => {
    for (const death of await pointsOf(onLive)) {
      const desk = await openDesk();
      const result = await liveOn(desk, ladder, { death, destination: main, onDoubt: 'resend' });
      expect(
        (await ours(desk)).every((times) => times === 1),
        JSON.stringify(death),
      ).toBe(true);
      expect(learned(desk).every(({ orders }) => orders === 'listed')).toBe(true);
      if (result.status === 'done') expect(await ours(desk)).toHaveLength(3);
      else expect([result.exit, doubtsOf(desk).length > 0]).toEqual([6, true]);
    }
  }, 120_000);
});
