import { expect, test } from 'vitest';
import { replay } from '../../../src/engine/journal/replay.ts';
import { writesOf } from '../../../src/engine/journal/sent-writes.ts';
import { doneRun } from '../../support/entries.ts';

test('entries are folded once, and again when one was added or is another', () => {
  const entries = doneRun();
  const known = replay(entries);
  expect(replay(entries)).toBe(known);
  const [last] = entries.splice(-1);
  if (last !== undefined) entries.push({ ...last });
  const again = replay(entries);
  expect(again).not.toBe(known);
  expect(again).toEqual(known);
  if (last !== undefined) entries.push({ ...last, seq: last.seq + 1 });
  expect(replay(entries)).not.toBe(again);
});

test('the writes of a run are collected once for its ledger, its states and its limits', () => {
  const entries = doneRun();
  const known = writesOf(entries);
  expect(writesOf(entries)).toBe(known);
  expect(writesOf([...entries])).not.toBe(known);
});
