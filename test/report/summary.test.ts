import { describe, expect, test } from 'vitest';
import type { Entry, Event, Evidence, Outcome } from '../../src/engine/journal/entry.ts';
import { noDoubtWords } from '../../src/report/sentences.ts';
import { summaryOf } from '../../src/report/summary.ts';
import { orderInput, started } from '../support/desk-setup.ts';
import { doneRun, doubtRun, interruptedRun, killedRun, stoppedRun } from '../support/entries.ts';
import { done, tape, type Tape } from '../support/tape.ts';

const begin = () => tape().add(started('r-1'));
const close = (step: string, status: Extract<Event, { kind: 'closed' }>['status'], because = '') =>
  ({ kind: 'closed', step, status, ...(because && { because }) }) as const;

test('a run without an outcome is in doubt before it is interrupted', () => {
  const [, ...rest] = doubtRun().toReversed();
  const { entries } = tape(rest.toReversed()).add(close('verify', 'interrupted'));
  expect(summaryOf(entries).status).toBe('doubt');
});

describe('why a run stopped', () => {
  test('a failed read has no outcome: its step has the reason', () => {
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

  test('a failed expectation is reported with its own line', () => {
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
    expect(lead).toBe('leverage is done, but differs from the expectation; nothing is in doubt.');
    expect(groups).toMatchObject([{ text: 'leverage set' }]);
  });

  test('a failure that the run continued from did not stop it', () => {
    const failed = (step: string, more: object = {}) => ({
      ...close(step, 'failed', 'no'),
      ...more,
    });
    const read = (step: string): Event => ({ kind: 'opened', step });
    const end: Event = { kind: 'finished', status: 'stopped', exit: 1, outputs: null };
    const last = begin().add(
      ...['subs', 'leverage', 'ladder', 'volume'].flatMap((step) => [
        read(step),
        close(step, 'done'),
      ]),
      read('verify'),
      failed('verify', { continues: true }),
      end,
    );
    expect(summaryOf(last.entries)).toMatchObject({
      headline: 'finished; step verify failed',
      stop: { address: 'verify', continues: true },
    });
    const later = begin().add(
      read('subs'),
      failed('subs'),
      read('leverage'),
      failed('leverage'),
      end,
    );
    expect(summaryOf(later.entries)).toMatchObject({
      headline: 'stopped at step 2 of 5',
      stop: { address: 'leverage' },
    });
  });

  test('the excerpt marks the field that the message names, and its sent value', () => {
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

  test('a message without a field marks the step itself', () => {
    const entries = stoppedRun().map((entry) =>
      entry.kind === 'settled' && entry.outcome.kind === 'refused'
        ? { ...entry, outcome: { ...entry.outcome, message: 'Not now' } }
        : entry,
    );
    expect(summaryOf(entries).stop).toMatchObject({ line: 24, message: 'Not now' });
  });
});

describe('steps that did not run', () => {
  test('are skipped by condition, or not sent because a step failed', () => {
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

  test('are placed until a later lookup shows more; post-only may be canceled immediately', () => {
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

  test('found in the ledger are distinguished from those placed now', () => {
    const on = begin().add({ kind: 'opened', step: 'ladder', items: ['1', '2'] });
    on.send(placed('1'));
    const found = placed('2');
    const outcome = { kind: 'done', output: null, evidence: 'from-ledger' } as const;
    on.add({ kind: 'settled', address: found.address, outcome });
    const texts = summaryOf(on.entries).done.map(({ text }) => text);
    expect(texts).toEqual(['1 of 2 orders placed', '1 of 2 orders already there']);
  });
});

describe('a journal without an end entry', () => {
  test('reports the run so far on a page of its own `finally`', () => {
    const finallyOf = (entries: Entry[]) => {
      const on = tape(entries.slice(0, -1));
      return on.add({ kind: 'opened', step: 'page' }).entries;
    };
    const pageOf = { isWriting: true };
    expect(summaryOf(finallyOf(doneRun()), pageOf).status).toBe('done');
    expect(summaryOf(finallyOf(doneRun())).status).toBe('unfinished'); // it may go on
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

  test('an unfinished read is never a doubt; an unfinished sub-account is one for a person', () => {
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

test('the time until another process takes a run over is no time of an attempt', () => {
  const hour = 3_600_000;
  const killed = killedRun();
  const before = summaryOf(killed).tookMs;
  const on = tape(killed).wait(hour);
  on.add({ kind: 'taken-over', host: 'desk-1', since: 0, until: 1 });
  on.add({ kind: 'resumed' });
  expect(summaryOf(on.entries).tookMs).toBe(before);
});

test('a clock that jumps back gives no negative duration', () => {
  const entries = doneRun().map((entry) =>
    entry.seq > 10 ? { ...entry, at: entry.at - 3_600_000 } : entry,
  );
  const { tookMs, steps } = summaryOf(entries);
  expect(tookMs).toBeGreaterThanOrEqual(0);
  for (const { ms } of steps) expect(ms).toBeGreaterThanOrEqual(0);
});

test('a journal must start with the start of a run', () => {
  expect(() => summaryOf([])).toThrow('a journal starts with `started`');
  expect(() => summaryOf(doneRun().slice(1))).toThrow('a journal starts with `started`');
});

test('a write whose response was lost and found is counted', () => {
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

describe('the summary when nothing is in doubt', () => {
  const address = 'ladder[61500.0]';
  const operation = 'futures/place-order';
  const input = orderInput('61500.0');
  const by = (evidence: Evidence): Outcome => {
    return { kind: 'done', output: { orderId: '1', clientOid: 'dh1' }, evidence };
  };
  const opened = () => begin().add({ kind: 'opened', step: 'ladder', items: ['61500.0'] });
  const words = ({ entries }: Tape): string => noDoubtWords(summaryOf(entries));

  /** An attempt without an answer. */
  const lose = (on: Tape, attempt: number): Tape =>
    on.add({ kind: 'intended', address, operation, input, identity: 'i', attempt, signedAt: 1 });

  test('is short if every write got a response', () => {
    const on = opened().send({ address, operation, input, outcome: by('answered') });
    expect(words(on)).toBe('none');
  });

  test('reports each lost response and how it was settled', () => {
    const found = lose(opened(), 1).add({
      kind: 'settled',
      address,
      outcome: by('looked-up'),
    });
    expect(words(found)).toBe('none (1 lost response looked up and found)');
    const again = lose(lose(opened(), 1), 2);
    again.send({ address, operation, input, outcome: by('answered') });
    expect(words(again)).toBe('none (2 attempts without a response, sent again)');
    const both = lose(lose(opened(), 1), 2).add({
      kind: 'settled',
      address,
      outcome: by('looked-up'),
    });
    expect(words(both)).toBe(
      'none (1 lost response looked up and found; 1 attempt without a response, sent again)',
    );
  });

  test('reports no lost response if this run sent nothing', () => {
    const on = opened().add({ kind: 'settled', address, outcome: by('looked-up') });
    expect(words(on)).toBe('none (1 write of earlier runs found, not sent again)');
  });

  test('counts a truncated response as lost', () => {
    const on = opened();
    on.send({ address, operation, input, outcome: { kind: 'doubt', because: 'half' }, code: '' });
    on.send({ address, operation, input, outcome: by('answered') });
    expect(words(on)).toBe('none (1 attempt without a response, sent again)');
  });
});
