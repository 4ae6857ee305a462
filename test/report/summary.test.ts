import { describe, expect, test } from 'vitest';
import type { Entry, Event } from '../../src/journal/entry.ts';
import { summaryOf } from '../../src/report/summary.ts';
import { orderInput, started } from '../support/desk-setup.ts';
import { doneRun, doubtRun, interruptedRun, stoppedRun } from '../support/entries.ts';
import { done, tape } from '../support/tape.ts';

const begin = () => tape().add(started('r-1'));
const close = (step: string, status: Extract<Event, { kind: 'closed' }>['status'], because = '') =>
  ({ kind: 'closed', step, status, ...(because && { because }) }) as const;

test('a run without a last word is in doubt before it is interrupted', () => {
  const [, ...rest] = doubtRun().toReversed();
  const { entries } = tape(rest.toReversed()).add(close('verify', 'interrupted'));
  expect(summaryOf(entries).status).toBe('doubt');
});

describe('why a run stopped', () => {
  test('a read leaves no outcome when it fails: its step says why', () => {
    const { entries } = begin()
      .add({ kind: 'opened', step: 'verify' })
      .add(close('verify', 'refused', 'Invalid ACCESS_KEY'))
      .add({ kind: 'finished', status: 'stopped', exit: 4, outputs: null });
    const { stop, refused, lead } = summaryOf(entries);
    expect(stop).toMatchObject({
      address: 'verify',
      by: 'exchange',
      message: 'Invalid ACCESS_KEY',
    });
    expect(refused).toMatchObject([{ address: 'verify', message: 'Invalid ACCESS_KEY' }]);
    expect(lead).toBe('verify was refused by the exchange; nothing is in doubt.');
  });

  test('an expectation that did not hold is told with its own line', () => {
    const { entries } = begin()
      .add({ kind: 'opened', step: 'leverage' })
      .send({
        address: 'leverage',
        operation: 'futures/set-all-leverage',
        input: { productType: 'USDT-FUTURES', leverage: '5' },
        outcome: done('success'),
      })
      .add({
        kind: 'unmet',
        address: 'leverage',
        level: 'error',
        message: 'no symbol was changed',
        line: 22,
      })
      .add(close('leverage', 'failed', 'no symbol was changed'))
      .add({ kind: 'finished', status: 'stopped', exit: 1, outputs: null });
    const { stop, lead, done: groups } = summaryOf(entries);
    expect(stop).toMatchObject({ by: 'expectation', line: 22, message: 'no symbol was changed' });
    expect(lead).toBe('leverage is done, but not as expected; nothing is in doubt.');
    expect(groups).toMatchObject([{ text: 'leverage set' }]);
  });

  test('the excerpt marks the field the message names, and what it was sent as', () => {
    const marked = summaryOf(stoppedRun()).stop?.excerpt.map(
      ({ number, text, isMarked, sent }) =>
        `${isMarked ? '>' : ' '} ${number} ${text}${sent ? `   (${sent})` : ''}`,
    );
    expect(marked?.join('\n')).toMatchInlineSnapshot(`
      "  24   - id: ladder
        36       orderType: limit
        37       force: post_only
        38       price: "{{ each.value.price }}"
      > 39       size: "{{ each.value.size }}"   (9.000)"
    `);
  });

  test('a message that names no field marks the step itself', () => {
    const entries = stoppedRun().map((entry) =>
      entry.kind === 'settled' && entry.outcome.kind === 'refused'
        ? { ...entry, outcome: { ...entry.outcome, message: 'Not now' } }
        : entry,
    );
    expect(summaryOf(entries).stop).toMatchObject({ line: 24, message: 'Not now' });
  });
});

describe('what was left out', () => {
  test('on purpose is skipped; for want of a step that failed is not sent', () => {
    const { entries } = begin()
      .add(close('subs', 'skipped', 'its condition is false'))
      .add({ kind: 'opened', step: 'ladder', items: ['1', '2'] })
      .send({
        address: 'ladder[1]',
        operation: 'futures/place-order',
        input: orderInput('1'),
        outcome: done({}),
      })
      .add(close('ladder', 'done'))
      .add({ ...close('verify', 'skipped', 'it needs leverage'), missing: 'leverage' });
    const { skipped, notSent } = summaryOf(entries);
    expect(skipped).toEqual([
      { count: 1, text: 'subs', detail: 'its condition is false' },
      { count: 1, text: '1 of 2 items of ladder', detail: 'its condition is false' },
    ]);
    expect(notSent).toEqual([
      { count: 3, text: 'steps 2, 4 and 5', detail: 'leverage, verify, volume' },
    ]);
  });
});

describe('orders', () => {
  const placed = (price: string, output = {}) => ({
    address: `ladder[${price}]`,
    operation: 'futures/place-order' as const,
    input: { ...orderInput(price), price, clientOid: `c${price}` },
    outcome: done({ clientOid: `c${price}`, ...output }),
  });
  const row = (price: string, orderStatus: string) => ({ clientOid: `c${price}`, orderStatus });

  test('are placed until a later look shows more; post-only may be cancelled at once', () => {
    const on = begin().add({ kind: 'opened', step: 'ladder', items: ['1', '2', '3'] });
    for (const price of ['1', '2', '3']) on.send(placed(price));
    on.add(close('ladder', 'done')).add({ kind: 'opened', step: 'verify' });
    on.read('aside', 'order/list-open', { list: [row('1', 'new')] }); // an earlier look
    on.read('verify', 'order/list-open', { list: [row('1', 'live')] });
    on.read('past', 'order/list-history', { list: [row('2', 'cancelled')] });
    const { orders, done: groups } = summaryOf(on.entries);
    expect(orders.map(({ state }) => state)).toEqual(['live', 'cancelled', 'placed']);
    expect(groups[0]).toEqual({
      count: 3,
      text: '3 of 3 orders placed',
      detail: '0.06 USDT · 1 live, 1 cancelled, 1 placed',
    });
  });

  test('at market have no notional, and are counted', () => {
    const on = begin().add({ kind: 'opened', step: 'ladder', items: ['1', '2'] });
    const atMarket = placed('2');
    const { price: _price, ...input } = atMarket.input;
    on.send(placed('1')).send({ ...atMarket, input });
    expect(summaryOf(on.entries).done[0]).toMatchObject({ detail: '0.01 USDT + 1 at market' });
  });

  test('found in the ledger are told apart from those placed now', () => {
    const on = begin().add({ kind: 'opened', step: 'ladder', items: ['1', '2'] });
    on.send(placed('1'));
    const found = placed('2');
    const outcome = { kind: 'done', output: null, evidence: 'from-ledger' } as const;
    on.add({ kind: 'settled', address: found.address, outcome });
    const texts = summaryOf(on.entries).done.map(({ text }) => text);
    expect(texts).toEqual(['1 of 2 orders placed', '1 of 2 orders already there']);
  });
});

describe('a journal without a last word', () => {
  test('made by a page of its own `finally` tells how the run went', () => {
    const finallyOf = (entries: Entry[]) => {
      const on = tape(entries.slice(0, -1));
      return on.add({ kind: 'opened', step: 'page' }).entries;
    };
    expect(summaryOf(finallyOf(doneRun())).status).toBe('done');
    expect(summaryOf(finallyOf(stoppedRun())).status).toBe('stopped');
    expect(summaryOf(finallyOf(doubtRun())).status).toBe('doubt');
    expect(summaryOf(finallyOf(interruptedRun())).status).toBe('interrupted');
  });

  test('is not finished while a step is open', () => {
    const { entries } = begin().add({ kind: 'opened', step: 'verify' });
    expect(summaryOf(entries)).toMatchObject({
      status: 'unfinished',
      headline: 'not finished at step 1 of 5',
      lead: 'The journal ends before the run does; nothing is in doubt.',
    });
  });

  test('a read under way is never a doubt; a sub-account under way is one for a person', () => {
    const on = begin().add({ kind: 'opened', step: 'subs', items: ['alpha'] });
    on.add({
      kind: 'intended',
      address: 'subs[alpha]',
      operation: 'account/create-sub',
      input: { username: 'alpha' },
      identity: 'i',
      attempt: 1,
      signedAt: 1,
    });
    const { inDoubt, next } = summaryOf(on.entries);
    expect(inDoubt).toMatchObject([{ kind: 'sub-account', what: 'sub-account alpha' }]);
    expect(next.map(({ command }) => command)).toEqual([
      "deskhand resolve r-1 'subs[alpha]' --placed SUB_UID",
      "deskhand resolve r-1 'subs[alpha]' --absent",
      "deskhand resolve r-1 'subs[alpha]' --abandon",
      'deskhand resume r-1',
      'deskhand runs show r-1 --requests',
    ]);
  });
});

test('a clock that jumps back gives no negative time', () => {
  const entries = doneRun().map((entry) =>
    entry.seq > 10 ? { ...entry, at: entry.at - 3_600_000 } : entry,
  );
  const { tookMs, steps } = summaryOf(entries);
  expect(tookMs).toBeGreaterThanOrEqual(0);
  for (const { ms } of steps) expect(ms).toBeGreaterThanOrEqual(0);
});

test('a journal must begin with the start of a run', () => {
  expect(() => summaryOf([])).toThrow('a journal begins with `started`');
  expect(() => summaryOf(doneRun().slice(1))).toThrow('a journal begins with `started`');
});

test('a write whose answer was lost and found again is counted', () => {
  const found = { ...done({ orderId: '1', clientOid: 'a' }), evidence: 'looked-up' } as const;
  const { entries } = begin()
    .add({ kind: 'opened', step: 'ladder' })
    .send({
      address: 'ladder',
      operation: 'futures/place-order',
      input: orderInput('60000'),
      outcome: found,
    })
    .add(close('ladder', 'done'));
  expect(summaryOf(entries)).toMatchObject({ lookedUp: 1, tally: { done: 1, inDoubt: 0 } });
  expect(summaryOf(doneRun()).lookedUp).toBe(0);
});
