/** A person's statement on a doubt: what it must agree with, and how resume uses it. */
import { describe, expect, test } from 'vitest';
import { day, hour, second, standingClock } from '../../../src/base/clock.ts';
import { TransportError, type Transport } from '../../../src/exchange/api/exchange.ts';
import { namesIn } from '../../../src/engine/journal/writes.ts';
import { doubtsIn } from '../../../src/engine/effects/doubts.ts';
import { outcomeBy, type PersonsFinding } from '../../../src/engine/effects/resolve.ts';
import { type Witness } from '../../../src/engine/effects/evidence.ts';
import { append } from '../../support/append.ts';
import {
  clientOf,
  destination,
  entriesOf,
  ledgerOn,
  live,
  liveOn,
  openHarness,
  ordersPlaced,
  playbookFrom,
  type Harness,
} from '../../support/harness.ts';
import { shifting } from '../../support/lying.ts';
import { limitOrder } from '../../support/order.ts';

const playbook = playbookFrom(`
playbook: 1
name: ladder
account: main
steps:
  - id: ladder
    for-each: ["41000.0", "40500.0", "40000.0"]
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}' })}
  - id: tickers
    uses: market/list-tickers
    with: { category: SPOT }
  - id: look
    needs: [ladder]
    uses: order/list-open
    with: { category: USDT-FUTURES }
  - id: after
    uses: market/list-tickers
    with: { category: SPOT }
    outputs: { rows: "{{ steps.look.response }}" }
`);

const doubted = 'ladder[40500.0]';

/** Drops the second order before it arrives, or its response. */
const losing =
  (what: 'request' | 'answer') =>
  (transport: Transport): Transport => {
    let orders = 0;
    return async (request, signal) => {
      const isOurs = request.operation === 'futures/place-order' && ++orders === 2;
      const answer = isOurs && what === 'request' ? undefined : await transport(request, signal);
      if (isOurs || answer === undefined) throw new TransportError('connection reset', 'maybe');
      return answer;
    };
  };

/** Crashes right after the second order was executed. */
async function killed(): Promise<Harness> {
  const harness = await openHarness();
  const orders = { at: 'request', when: 'after' } as const;
  await expect(live(harness, playbook, { death: { ...orders, nth: 3 } })).rejects.toThrow();
  expect(doubtsIn(entriesOf(harness)).map(({ address }) => address)).toEqual([doubted]);
  return harness;
}

/** Its outcome is unknown, and a person must decide. */
async function asking(): Promise<Harness> {
  const harness = await openHarness();
  await live(harness, playbook, { onDoubt: 'ask', wrap: losing('request') });
  expect(doubtsIn(entriesOf(harness)).map(({ address }) => address)).toEqual([doubted]);
  return harness;
}

async function say(
  harness: Harness,
  verdict: PersonsFinding,
  ...wraps: readonly Parameters<typeof clientOf>[1][]
) {
  const [doubt] = doubtsIn(entriesOf(harness));
  if (doubt === undefined) throw new Error('nothing is in doubt');
  const { outcome, note } = await outcomeBy(doubt, verdict, {
    person: { who: 'kim', comment: 'seen on the page' },
    accounts: (wraps.length > 0 ? wraps : [undefined]).map((wrap) => ({
      exchange: clientOf(harness, wrap),
      destination,
    })),
    target: 'live',
    clock: harness.clock,
    signal: new AbortController().signal,
  });
  await append(harness, { kind: 'settled', address: doubt.address, outcome });
  return { outcome, note };
}

/** The run's orders by price, according to the exchange. */
async function placed(harness: Harness): Promise<ReadonlyMap<string, string>> {
  const { list } = await clientOf(harness).call('order/list-open', { category: 'USDT-FUTURES' });
  const ours = list.filter(({ clientOid }) => String(clientOid).startsWith('dh'));
  return new Map(ours.map(({ price, orderId }) => [String(price), String(orderId)]));
}

const timesPlaced = async (harness: Harness): Promise<number[]> =>
  [...(await ordersPlaced(harness))]
    .filter(([id]) => id.startsWith('dh'))
    .map(([, times]) => times);

const unread = (): Transport => () => Promise.reject(new TransportError('no route', 'no'));

const later = (harness: Harness): void => harness.clock.advance(41_000);

describe('--placed', () => {
  test('adopts the order as the exchange shows it, and resume needs no lookup', async () => {
    const harness = await killed();
    const orderId = (await placed(harness)).get('40500.0') ?? '';
    const { outcome, note } = await say(harness, { kind: 'placed', id: orderId });
    expect(outcome).toMatchObject({
      kind: 'done',
      evidence: 'by-person',
      output: { orderId },
      person: { who: 'kim', comment: 'seen on the page' },
    });
    expect([note, doubtsIn(entriesOf(harness))]).toEqual([undefined, []]);
    expect([...ledgerOn(harness).values()].map(({ kind }) => kind)).toEqual(['done', 'done']);
    const result = await live(harness, playbook);
    expect([result.status, await timesPlaced(harness)]).toEqual(['done', [1, 1, 1]]);
    const looks = entriesOf(harness).filter(({ kind }) => kind === 'waited');
    expect(looks).toEqual([]);
  });

  test('refuses another order of the run, and an order with another clientOid', async () => {
    const harness = await killed();
    const other = (await placed(harness)).get('41000.0') ?? '';
    await expect(say(harness, { kind: 'placed', id: other })).rejects.toThrow(
      /its clientOid is dh/,
    );
    await expect(say(harness, { kind: 'placed', id: '12345' })).rejects.toThrow(
      /the exchange shows clientOid dh\w+ as \d+; it remains in doubt/,
    );
    expect(doubtsIn(entriesOf(harness))).toHaveLength(1);
  });

  test('uses the evidence of one account even if another cannot be read', async () => {
    const harness = await killed();
    const said = say(harness, { kind: 'placed', id: '12345' }, undefined, unread);
    await expect(said).rejects.toThrow(/the exchange shows clientOid dh\w+ as \d+/);
  });

  test.each([
    ['price', '"price":"40500.0"', '"price":"40400.0"'],
    ['size', '"qty":"0.001"', '"qty":"0.002"'],
    ['side', '"side":"buy"', '"side":"sell"'],
    ['symbol', '"symbol":"BTCUSDT"', '"symbol":"ETHUSDT"'],
  ])('refuses an order of another %s', async (what, was, is) => {
    const harness = await killed();
    const orderId = (await placed(harness)).get('40500.0') ?? '';
    const changed =
      (transport: Transport): Transport =>
      async (request, signal) => {
        const answer = await transport(request, signal);
        const text = Buffer.from(answer.body).toString('utf8');
        return { ...answer, body: Buffer.from(text.replaceAll(was, is)) };
      };
    await expect(say(harness, { kind: 'placed', id: orderId }, changed)).rejects.toThrow(
      new RegExp(`order ${orderId} is not .*: its ${what} is`),
    );
  });

  test('in a run whose store forgot lines, adopts an order of deskhand that no journal knows', async () => {
    const harness = await asking();
    const [doubt] = doubtsIn(entriesOf(harness));
    if (doubt === undefined) throw new Error('nothing is in doubt');
    const input = Object(doubt.intents.at(-1)?.input);
    const stray = 'dhaaaaaaaaaaaaaaaaaaaaaaaaaa';
    const place = async (more: object): Promise<string> => {
      const order = { ...input, clientOid: stray, price: '40400.0', ...more };
      return String((await clientOf(harness).call('futures/place-order', order)).orderId);
    };
    const id = await place({});
    const sold = await place({
      side: 'sell',
      price: '99000.0',
      clientOid: stray.replace('a', 'b'),
    });
    const byHand = await place({ clientOid: 'by-hand' });
    const known = new Set<string>();
    const named = (orderId: string, isForgotten = true) =>
      outcomeBy(
        doubt,
        { kind: 'placed', id: orderId },
        {
          person: { who: 'kim' },
          accounts: [{ exchange: clientOf(harness), destination }],
          target: 'live',
          clock: harness.clock,
          signal: new AbortController().signal,
          ...(isForgotten && { namesKnown: async () => known }),
        },
      );
    await expect(named(id, false)).rejects.toThrow(/its clientOid is dha/);
    await expect(named(byHand)).rejects.toThrow(/its clientOid is by-hand/);
    await expect(named(sold)).rejects.toThrow(/it is to sell BTCUSDT, not to buy BTCUSDT/);
    const { outcome, note } = await named(id);
    expect(outcome).toMatchObject({ kind: 'done', output: { orderId: id, clientOid: stray } });
    expect(note).toMatch(/is order \d+ now; its price is 40400/);
    await append(harness, { kind: 'settled', address: doubt.address, outcome });
    for (const name of namesIn(entriesOf(harness))) known.add(name);
    await expect(named(id)).rejects.toThrow(/name an order|its clientOid is dha/); // used already
    const result = await live(harness, playbook, { onDoubt: 'ask' });
    expect([result.status, await timesPlaced(harness)]).toEqual(['done', [1, 1, 1, 1]]);
  });

  test('is recorded with a note if no list shows it or none can be read', async () => {
    const unseen = await asking();
    expect((await say(unseen, { kind: 'placed', id: '12345' })).note).toBe(
      'the lists do not show it',
    );
    const blind = await asking();
    const { note } = await say(blind, { kind: 'placed', id: '12345' }, unread);
    expect(note).toMatch(/^the lists could not be read: the read ended with “/);
  });
});

describe('--absent', () => {
  test('after the wait: resume sends the order with the same clientOid', async () => {
    const harness = await asking();
    expect(await timesPlaced(harness)).toEqual([1]);
    const { outcome } = await say(harness, { kind: 'absent' });
    expect(outcome).toMatchObject({ kind: 'failed', code: 'absent', person: { who: 'kim' } });
    const result = await live(harness, playbook, { onDoubt: 'ask' });
    expect([result.status, await timesPlaced(harness)]).toEqual(['done', [1, 1, 1]]);
    const attempts = entriesOf(harness).flatMap((entry) =>
      entry.kind === 'intended' && entry.address === doubted ? [entry.attempt] : [],
    );
    expect(attempts).toEqual([1, 2]);
  });

  test('is refused while a copy may still arrive', async () => {
    const harness = await killed();
    await expect(say(harness, { kind: 'absent' })).rejects.toThrow(
      /may accept it for another 3\d s/,
    );
  });

  test.each([60, 120, 3_600])('is refused if any one response is %i s ahead', async (ahead) => {
    for (let liar = 1; liar <= 3; liar++) {
      const harness = await killed();
      harness.clock.advance(3 * second);
      const off = shifting((nth) => (nth === liar ? ahead * second : 0));
      const said = say(harness, { kind: 'absent' }, off);
      await expect(said).rejects.toThrow(/may accept it for another 3\d s; .* differ by/);
    }
  });

  test('is refused by the local clock if all responses are ahead', async () => {
    const harness = await killed();
    harness.clock.advance(15 * second);
    const said = say(
      harness,
      { kind: 'absent' },
      shifting(() => 29 * second),
    );
    await expect(said).rejects.toThrow(/may accept it for another 2\d s/);
  });

  test('waits locally, once, if the wall clock was set back', async () => {
    const harness = await asking();
    const back = { ...harness, clock: { ...harness.clock, now: () => harness.clock.now() - hour } };
    const began = harness.clock.monotonic();
    await say(back, { kind: 'absent' });
    expect(harness.clock.monotonic() - began).toBeGreaterThan(49 * second);
    expect(harness.clock.monotonic() - began).toBeLessThan(55 * second);
  });

  test.each(['never listed', 'listed after the first search'] as const)(
    'is decided by two searches past the fence, ten seconds apart: an order that is %s',
    async (when) => {
      const harness = await openHarness();
      harness.sandbox.control('POST', 'config', { duplicateClientOid: 'accept' });
      await live(harness, playbook, { onDoubt: 'ask', wrap: losing('request') });
      const [doubt] = doubtsIn(entriesOf(harness));
      const input = Object(doubt?.intents.at(-1)?.input);
      later(harness);
      const began = harness.clock.monotonic();
      let isThere = when === 'never listed';
      const late =
        (transport: Transport): Transport =>
        async (request, signal) => {
          // It was accepted in time, and is in no list until nine seconds after the first search.
          if (!isThere && harness.clock.monotonic() - began > 9 * second) {
            isThere = true;
            await clientOf(harness).call('futures/place-order', input);
          }
          return transport(request, signal);
        };
      const said = say(harness, { kind: 'absent' }, late);
      if (when === 'never listed') {
        await said;
        const passed = harness.clock.monotonic() - began;
        expect(passed).toBeGreaterThan(10 * second);
        expect(passed).toBeLessThan(15 * second);
        expect(await timesPlaced(harness)).toEqual([1]);
        return;
      }
      await expect(said).rejects.toThrow(/is there, as order \d+/);
      await live(harness, playbook, { onDoubt: 'ask' });
      expect(await timesPlaced(harness)).toEqual([1, 1, 1]);
    },
  );

  test('keeps the signing time: an order that appears late is found, not sent again', async () => {
    const harness = await openHarness();
    const lists = (['order/list-open', 'order/list-history'] as const).map((operation) => ({
      match: { operation },
      action: { kind: 'stale-reads', ms: 1_000 * day },
    }));
    harness.sandbox.control('POST', 'config', { duplicateClientOid: 'accept' });
    harness.sandbox.control('PUT', 'faults', { rules: lists });
    await live(harness, playbook, { onDoubt: 'ask', wrap: losing('answer') });
    await say(harness, { kind: 'absent' });
    harness.sandbox.control('PUT', 'faults', { rules: [] });
    const result = await live(harness, playbook, { onDoubt: 'ask' });
    expect([result.status, await timesPlaced(harness)]).toEqual(['done', [1, 1, 1]]);
    const [, second] = entriesOf(harness)
      .filter((entry) => entry.kind === 'settled' && entry.address === doubted)
      .slice(-2);
    expect(second).toMatchObject({ outcome: { evidence: 'looked-up' } });
  });

  test('searches both lists again for ten seconds before it is sent', async () => {
    const harness = await asking();
    await say(harness, { kind: 'absent' });
    const asked: string[] = [];
    const began = harness.clock.monotonic();
    let sentAt = 0;
    const watch =
      (transport: Transport): Transport =>
      (request, signal) => {
        if (request.operation === 'futures/place-order') sentAt ||= harness.clock.monotonic();
        else if (sentAt === 0) asked.push(request.operation);
        return transport(request, signal);
      };
    await live(harness, playbook, { onDoubt: 'ask', wrap: watch });
    expect(sentAt - began).toBeGreaterThan(10 * second);
    expect(new Set(asked.slice(-2))).toEqual(new Set(['order/list-open', 'order/list-history']));
  });

  test('allows one sending: another lost response is a doubt again', async () => {
    const harness = await asking();
    await say(harness, { kind: 'absent' });
    const lost = (): Transport => () => Promise.reject(new TransportError('reset', 'maybe'));
    const only =
      (transport: Transport): Transport =>
      (request, signal) =>
        (request.operation === 'futures/place-order' ? lost() : transport)(request, signal);
    const result = await live(harness, playbook, { onDoubt: 'ask', wrap: only });
    expect([result.status, result.exit]).toEqual(['doubt', 6]);
    expect(doubtsIn(entriesOf(harness)).map(({ address }) => address)).toEqual([doubted]);
  });

  test('does not cover writes that a lost machine may have sent since', async () => {
    const harness = await asking();
    await say(harness, { kind: 'absent' });
    const now = harness.clock.now();
    await append(harness, { kind: 'taken-over', host: 'ci-7', since: now, until: now });
    const result = await live(harness, playbook, { onDoubt: 'ask' });
    expect([result.status, result.exit, await timesPlaced(harness)]).toEqual(['doubt', 6, [1]]);
  });

  test('leaves the write open for another run, which looks before it sends', async () => {
    const harness = await asking();
    await say(harness, { kind: 'absent' });
    const open = [...ledgerOn(harness).values()].filter(({ kind }) => kind === 'open');
    expect(open).toMatchObject([{ isSaidAbsent: true, intents: [{ signed: [{}] }] }]);
  });

  test('is refused while a list shows the order, and while no list can be read', async () => {
    const harness = await killed();
    later(harness);
    await expect(say(harness, { kind: 'absent' })).rejects.toThrow(/is there, as order \d+/);
    const refused =
      (transport: Transport): Transport =>
      (request, signal) =>
        request.operation === 'order/list-open'
          ? Promise.reject(new TransportError('no route', 'no'))
          : transport(request, signal);
    await expect(say(harness, { kind: 'absent' }, refused)).rejects.toThrow(
      /could not be read: the read ended with “/,
    );
  });
});

describe('--abandon', () => {
  test('skips the write and the steps that need it; the rest is done, and the run ends', async () => {
    const harness = await asking();
    await say(harness, { kind: 'abandon' });
    const result = await liveOn(harness, playbook, { onDoubt: 'ask' });
    expect([result.status, result.exit]).toEqual(['done', 0]);
    expect(await timesPlaced(harness)).toEqual([1, 1]);
    const closed = entriesOf(harness)
      .slice(entriesOf(harness).findIndex(({ kind }) => kind === 'resumed'))
      .flatMap((entry) => (entry.kind === 'closed' ? [[entry.step, entry.status]] : []));
    expect(closed).toEqual([
      ['ladder', 'done'],
      ['tickers', 'done'],
      ['look', 'skipped'],
      ['after', 'skipped'],
    ]);
  });

  test('proves nothing: another run still finds the write open, and a person may record more later', async () => {
    const harness = await killed();
    await say(harness, { kind: 'abandon' });
    const kinds = (): string[] => [...ledgerOn(harness).values()].map(({ kind }) => kind);
    expect(kinds()).toEqual(['done', 'open']);
    const orderId = (await placed(harness)).get('40500.0') ?? '';
    await say(harness, { kind: 'placed', id: orderId });
    expect(kinds()).toEqual(['done', 'done']);
  });
});

test('a doubt of another run is not settled in this one', async () => {
  const [doubt] = doubtsIn(entriesOf(await killed()));
  const witness: Witness = {
    person: { who: 'kim' },
    accounts: [],
    target: 'sandbox',
    clock: standingClock(0),
    signal: new AbortController().signal,
  };
  const elsewhere = { address: doubted, because: 'run r-old began it', intents: [] };
  expect(doubt?.intents).toHaveLength(1);
  await expect(outcomeBy(elsewhere, { kind: 'absent' }, witness)).rejects.toThrow(
    /this run sent nothing for ladder\[40500.0\]: run r-old began it/,
  );
});

describe('a sub-account recorded as absent', () => {
  const sub = playbookFrom(
    'playbook: 1\nname: sub\nsteps:\n  - { id: sub, uses: account/create-sub, with: { username: alpha } }\n',
  );
  const losingSub =
    (isMade: boolean) =>
    (transport: Transport): Transport =>
    async (request, signal) => {
      if (request.operation !== 'account/create-sub') return transport(request, signal);
      if (isMade) await transport(request, signal);
      throw new TransportError('connection reset', 'maybe');
    };

  test.each([
    ['is not', false, ['done', 0]],
    ['is', true, ['doubt', 6]],
  ] as const)('and %s', async (_, isMade, end) => {
    const harness = await openHarness();
    await live(harness, sub, { onDoubt: 'ask', wrap: losingSub(isMade) });
    later(harness);
    await say(harness, { kind: 'absent' });
    const { status, exit } = await live(harness, sub, {
      onDoubt: 'ask',
      ledger: ledgerOn(harness),
    });
    expect([status, exit]).toEqual(end);
    const made: readonly { parent?: string }[] = Object(harness.sandbox.control('GET', 'accounts'));
    expect(made.filter(({ parent }) => parent === harness.sandbox.accounts.hedge.uid)).toHaveLength(
      1,
    );
  });
});

test('a doubt in a nested playbook is settled there, not at the step that uses it', async () => {
  const inner = `
playbook: 1
name: part
steps:
  - id: bid
    uses: futures/place-order
    with:${limitOrder({ price: '40000.0' })}
`;
  const outer = 'playbook: 1\nname: outer\nsteps:\n  - { id: part, uses: ./part.yaml, with: {} }\n';
  const harness = await openHarness();
  const lost: Transport = async () => {
    throw new TransportError('connection reset', 'maybe');
  };
  const wrap =
    (transport: Transport): Transport =>
    (request, signal) =>
      (request.operation === 'futures/place-order' ? lost : transport)(request, signal);
  await live(harness, playbookFrom(outer, { 'part.yaml': inner }), { onDoubt: 'ask', wrap });
  expect(doubtsIn(entriesOf(harness)).map(({ address }) => address)).toEqual(['part/bid']);
});
