/** A person's word on a doubt: what it must agree with, and what resume makes of it. */
import { describe, expect, test } from 'vitest';
import { TransportError, type Transport } from '../../src/contract/exchange.ts';
import { emptyJournal, journalOver, readJournal } from '../../src/journal/journal.ts';
import { doubtsIn, outcomeBy, type Verdict } from '../../src/effects/resolve.ts';
import {
  clientOf,
  entriesOf,
  ledgerOn,
  live,
  liveOn,
  openDesk,
  ordersPlaced,
  playbookFrom,
  type Desk,
} from '../support/desk.ts';
import { limitOrder } from '../support/order.ts';

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

/** Loses the second order: on its way there, or its answer. */
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

/** Dead right after the second order was worked on. */
async function killed(): Promise<Desk> {
  const desk = await openDesk();
  const orders = { at: 'request', when: 'after' } as const;
  await expect(live(desk, playbook, { death: { ...orders, nth: 3 } })).rejects.toThrow();
  expect(doubtsIn(entriesOf(desk)).map(({ address }) => address)).toEqual([doubted]);
  return desk;
}

/** Nobody knows, and people are to be asked. */
async function asking(): Promise<Desk> {
  const desk = await openDesk();
  await live(desk, playbook, { onDoubt: 'ask', wrap: losing('request') });
  expect(doubtsIn(entriesOf(desk)).map(({ address }) => address)).toEqual([doubted]);
  return desk;
}

async function say(
  desk: Desk,
  verdict: Verdict,
  ...wraps: readonly Parameters<typeof clientOf>[1][]
) {
  const [doubt] = doubtsIn(entriesOf(desk));
  if (doubt === undefined) throw new Error('nothing is in doubt');
  const { outcome, note } = await outcomeBy(doubt, verdict, {
    person: { who: 'kim', comment: 'seen on the page' },
    exchanges: (wraps.length > 0 ? wraps : [undefined]).map((wrap) => clientOf(desk, wrap)),
    signal: new AbortController().signal,
  });
  const { state, entries } = readJournal(desk.disk, 'journal.ndjson');
  const journal = journalOver(
    {
      write: async (text) => {
        desk.disk += text;
      },
      sync: () => Promise.resolve(),
      close: () => Promise.resolve(),
    },
    desk.clock,
    entries.length === 0 ? emptyJournal : state,
  );
  await journal.append({ kind: 'settled', address: doubt.address, outcome });
  return { outcome, note };
}

/** The orders of the run by price, as the exchange has them. */
async function placed(desk: Desk): Promise<ReadonlyMap<string, string>> {
  const { list } = await clientOf(desk).call('order/list-open', { category: 'USDT-FUTURES' });
  const ours = list.filter(({ clientOid }) => clientOid.startsWith('dh'));
  return new Map(ours.map(({ price, orderId }) => [price, orderId]));
}

const timesPlaced = async (desk: Desk): Promise<number[]> =>
  [...(await ordersPlaced(desk))].filter(([id]) => id.startsWith('dh')).map(([, times]) => times);

const unread = (): Transport => () => Promise.reject(new TransportError('no route', 'no'));

const later = (desk: Desk): void => desk.clock.advance(41_000);

describe('--placed', () => {
  test('the order as the exchange shows it: resume adopts it without a look', async () => {
    const desk = await killed();
    const orderId = (await placed(desk)).get('40500.0') ?? '';
    const { outcome, note } = await say(desk, { kind: 'placed', id: orderId });
    expect(outcome).toMatchObject({
      kind: 'done',
      evidence: 'by-person',
      output: { orderId },
      person: { who: 'kim', comment: 'seen on the page' },
    });
    expect([note, doubtsIn(entriesOf(desk))]).toEqual([undefined, []]);
    expect([...ledgerOn(desk).values()].map(({ kind }) => kind)).toEqual(['done', 'done']);
    const result = await live(desk, playbook);
    expect([result.status, await timesPlaced(desk)]).toEqual(['done', [1, 1, 1]]);
    const looks = entriesOf(desk).filter(({ kind }) => kind === 'waited');
    expect(looks).toEqual([]);
  });

  test('another order of the run is refused, and so is one the clientOid does not lead to', async () => {
    const desk = await killed();
    const other = (await placed(desk)).get('41000.0') ?? '';
    await expect(say(desk, { kind: 'placed', id: other })).rejects.toThrow(/its clientOid is dh/);
    await expect(say(desk, { kind: 'placed', id: '12345' })).rejects.toThrow(
      /the exchange shows clientOid dh\w+ as \d+; it stays in doubt/,
    );
    expect(doubtsIn(entriesOf(desk))).toHaveLength(1);
  });

  test('what one account shows speaks against it, also when another cannot be read', async () => {
    const desk = await killed();
    const said = say(desk, { kind: 'placed', id: '12345' }, undefined, unread);
    await expect(said).rejects.toThrow(/the exchange shows clientOid dh\w+ as \d+/);
  });

  test.each([
    ['price', '"price":"40500.0"', '"price":"40400.0"'],
    ['size', '"qty":"0.001"', '"qty":"0.002"'],
    ['side', '"side":"buy"', '"side":"sell"'],
    ['symbol', '"symbol":"BTCUSDT"', '"symbol":"ETHUSDT"'],
  ])('an order of another %s is refused', async (what, was, is) => {
    const desk = await killed();
    const orderId = (await placed(desk)).get('40500.0') ?? '';
    const changed =
      (transport: Transport): Transport =>
      async (request, signal) => {
        const answer = await transport(request, signal);
        const text = Buffer.from(answer.body).toString('utf8');
        return { ...answer, body: Buffer.from(text.replaceAll(was, is)) };
      };
    await expect(say(desk, { kind: 'placed', id: orderId }, changed)).rejects.toThrow(
      new RegExp(`order ${orderId} is not .*: its ${what} is`),
    );
  });

  test('is recorded with a note when no list shows it, or none can be read', async () => {
    const unseen = await asking();
    expect((await say(unseen, { kind: 'placed', id: '12345' })).note).toBe(
      'the lists do not show it',
    );
    const blind = await asking();
    const { note } = await say(blind, { kind: 'placed', id: '12345' }, unread);
    expect(note).toMatch(/^the lists cannot be read/);
  });
});

describe('--absent', () => {
  test('once it cannot be accepted any more: resume sends it, under its name', async () => {
    const desk = await asking();
    expect(await timesPlaced(desk)).toEqual([1]);
    const { outcome } = await say(desk, { kind: 'absent' });
    expect(outcome).toMatchObject({ kind: 'failed', code: 'absent', person: { who: 'kim' } });
    const result = await live(desk, playbook, { onDoubt: 'ask' });
    expect([result.status, await timesPlaced(desk)]).toEqual(['done', [1, 1, 1]]);
    const attempts = entriesOf(desk).flatMap((entry) =>
      entry.kind === 'intended' && entry.address === doubted ? [entry.attempt] : [],
    );
    expect(attempts).toEqual([1, 2]);
  });

  test('is refused while a copy may still arrive', async () => {
    const desk = await killed();
    await expect(say(desk, { kind: 'absent' })).rejects.toThrow(/may accept it for another 3\d s/);
  });

  test('is refused while a list shows it, and while no list can be read', async () => {
    const desk = await killed();
    later(desk);
    await expect(say(desk, { kind: 'absent' })).rejects.toThrow(/is there, as order \d+/);
    const refused =
      (transport: Transport): Transport =>
      (request, signal) =>
        request.operation === 'order/list-open'
          ? Promise.reject(new TransportError('no route', 'no'))
          : transport(request, signal);
    await expect(say(desk, { kind: 'absent' }, refused)).rejects.toThrow(/cannot be read/);
  });
});

describe('--abandon', () => {
  test('leaves it and what needs it undone; the rest is done, and the run ends', async () => {
    const desk = await asking();
    await say(desk, { kind: 'abandon' });
    const result = await liveOn(desk, playbook, { onDoubt: 'ask' });
    expect([result.status, result.exit]).toEqual(['done', 0]);
    expect(await timesPlaced(desk)).toEqual([1, 1]);
    const closed = entriesOf(desk)
      .slice(entriesOf(desk).findIndex(({ kind }) => kind === 'resumed'))
      .flatMap((entry) => (entry.kind === 'closed' ? [[entry.step, entry.status]] : []));
    expect(closed).toEqual([
      ['ladder', 'done'],
      ['tickers', 'done'],
      ['look', 'skipped'],
      ['after', 'skipped'],
    ]);
  });

  test('proves nothing: another run still finds it open, and a person may say more later', async () => {
    const desk = await killed();
    await say(desk, { kind: 'abandon' });
    const kinds = (): string[] => [...ledgerOn(desk).values()].map(({ kind }) => kind);
    expect(kinds()).toEqual(['done', 'open']);
    const orderId = (await placed(desk)).get('40500.0') ?? '';
    await say(desk, { kind: 'placed', id: orderId });
    expect(kinds()).toEqual(['done', 'done']);
  });
});

test('a doubt of another run is not settled in this one', async () => {
  const [doubt] = doubtsIn(entriesOf(await killed()));
  const witness = {
    person: { who: 'kim' },
    exchanges: [],
    signal: new AbortController().signal,
  };
  const elsewhere = { address: doubted, because: 'run r-old began it', intents: [] };
  expect(doubt?.intents).toHaveLength(1);
  await expect(outcomeBy(elsewhere, { kind: 'absent' }, witness)).rejects.toThrow(
    /this run sent nothing for ladder\[40500.0\]: run r-old began it/,
  );
});

test('a doubt within a playbook is settled where it is, not at the step that uses it', async () => {
  const inner = `
playbook: 1
name: part
steps:
  - id: bid
    uses: futures/place-order
    with:${limitOrder({ price: '40000.0' })}
`;
  const outer = 'playbook: 1\nname: outer\nsteps:\n  - { id: part, uses: ./part.yaml, with: {} }\n';
  const desk = await openDesk();
  const lost: Transport = async () => {
    throw new TransportError('connection reset', 'maybe');
  };
  const wrap =
    (transport: Transport): Transport =>
    (request, signal) =>
      (request.operation === 'futures/place-order' ? lost : transport)(request, signal);
  await live(desk, playbookFrom(outer, { 'part.yaml': inner }), { onDoubt: 'ask', wrap });
  expect(doubtsIn(entriesOf(desk)).map(({ address }) => address)).toEqual(['part/bid']);
});
