/** What a lost machine may have sent, according to its pushed journal. */
import { expect, test } from 'vitest';
import { openWritesIn, takenOver, type Write } from '../../../src/engine/journal/possible.ts';
import type { Entry, Event, Outcome } from '../../../src/engine/journal/entry.ts';

const lost = { host: 'ci-7', since: 100, until: 200 };

const entriesOf = (...events: readonly Event[]): readonly Entry[] =>
  events.map((event, index) => ({ seq: index + 1, at: index, ...event }));

function order(address: string): Write {
  return { address, operation: 'futures/place-order', input: { size: '1' }, identity: address };
}

const opened = (...addresses: readonly string[]): Event => ({
  kind: 'opened',
  step: 'ladder',
  writes: addresses.map(order),
});

const sent = (address: string): Event => ({
  kind: 'intended',
  ...order(address),
  attempt: 1,
  signedAt: 150,
});

const settled = (address: string, outcome: Outcome): Event => ({
  kind: 'settled',
  address,
  outcome,
});

const done: Outcome = { kind: 'done', output: {}, evidence: 'answered' };
const person = { who: 'ann' };
const leftUndone: Outcome = { kind: 'skipped', because: 'by hand', person };
const absent: Outcome = { kind: 'failed', code: 'absent', message: '', exit: 1, person };
const refused: Outcome = { kind: 'refused', code: '1', message: '', exit: 1 };
const doubt: Outcome = { kind: 'doubt', because: 'no answer' };

function possible(...events: readonly Event[]): readonly string[] {
  return takenOver(entriesOf(...events), lost).flatMap((event) =>
    event.kind === 'intended' ? [`${event.address} ${event.attempt}`] : [event.kind],
  );
}

test('lists all writes of open steps, and last the takeover', () => {
  expect(possible(opened('a', 'b'))).toEqual(['a 1', 'b 1', 'taken-over']);
  const [first] = takenOver(entriesOf(opened('a')), lost);
  expect(first).toEqual({ kind: 'intended', ...order('a'), attempt: 1, since: 100, signedAt: 200 });
});

test('omits what ended since, in any way', () => {
  for (const outcome of [done, refused, doubt, leftUndone]) {
    const entries = [opened('a', 'b'), sent('a'), settled('a', outcome)];
    expect(possible(...entries)).toEqual(['b 1', 'taken-over']);
  }
});

test('lists a write that was sent without an outcome', () => {
  expect(possible(opened('a'), sent('a'))).toEqual(['a 2', 'taken-over']);
});

test('a step that was opened again may have sent again everything that is not final', () => {
  const again = (outcome: Outcome): readonly string[] =>
    possible(opened('a'), sent('a'), settled('a', outcome), { kind: 'resumed' }, opened('a'));
  for (const outcome of [refused, doubt, absent])
    expect(again(outcome)).toEqual(['a 2', 'taken-over']);
  for (const outcome of [done, leftUndone]) expect(again(outcome)).toEqual(['taken-over']);
});

test('omits a write that is pushed separately: its own intent decides', () => {
  const write: Write = { ...order('sub'), operation: 'account/create-sub' };
  expect(possible({ kind: 'opened', step: 'sub', writes: [write] })).toEqual(['taken-over']);
});

test('lists the writes without an outcome by the step that sent them', () => {
  const entries = entriesOf(opened('a', 'b', 'c'), sent('a'), sent('b'), settled('b', done));
  expect([...openWritesIn(entries)]).toEqual([['ladder', [expect.objectContaining(order('a'))]]]);
});
