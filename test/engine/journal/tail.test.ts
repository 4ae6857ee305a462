/** A journal is read while another process appends to it, cuts off what a crash left, or replaces it. */
import { appendFileSync, mkdtempSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Event } from '../../../src/engine/journal/entry.ts';
import { chainStart, encodeRecord } from '../../../src/engine/journal/record.ts';
import { journalTail, type JournalTail } from '../../../src/engine/journal/tail.ts';

function lines(count: number, name = 'signal'): readonly string[] {
  let prev = chainStart;
  return Array.from({ length: count }, (_none, at) => {
    const event: Event = { kind: 'signalled', name, payload: at };
    const { line, link } = encodeRecord(event, { seq: at + 1, at, prev });
    prev = link;
    return line;
  });
}

async function seqs(tail: JournalTail): Promise<readonly number[]> {
  const found: number[] = [];
  for await (const { seq } of tail.added()) found.push(seq);
  return found;
}

function place(): string {
  return join(mkdtempSync(join(tmpdir(), 'tail-')), 'journal.ndjson');
}

test('entries are returned once, when their lines are complete', async () => {
  const path = place();
  const tail = journalTail(path);
  expect(await seqs(tail)).toEqual([]);
  const [one = '', two = '', three = ''] = lines(3);
  appendFileSync(path, one + two.slice(0, 20));
  expect([await seqs(tail), tail.end.isTorn]).toEqual([[1], true]);
  appendFileSync(path, two.slice(20));
  expect([await seqs(tail), tail.end.isTorn]).toEqual([[2], false]);
  expect(await seqs(tail)).toEqual([]);
  appendFileSync(path, three);
  expect([await seqs(tail), tail.end.seq]).toEqual([[3], 3]);
});

test('what a crash left at the end may be cut off, and the journal continues', async () => {
  const path = place();
  const tail = journalTail(path);
  const [one = '', two = ''] = lines(2);
  writeFileSync(path, `${one}${two.slice(0, 30)}\0\0\0\n`);
  expect([await seqs(tail), tail.end.isTorn]).toEqual([[1], true]);
  truncateSync(path, Buffer.byteLength(one));
  appendFileSync(path, two);
  expect([await seqs(tail), tail.end.isTorn]).toEqual([[2], false]);
});

test('a line that was changed is refused, also one that does not follow the line before', async () => {
  const [one = '', two = '', three = ''] = lines(3);
  for (const text of [one + two.replace(':1,', ':7,') + three, one + three + two, two + three]) {
    const path = place();
    writeFileSync(path, text);
    await expect(seqs(journalTail(path))).rejects.toThrow('is damaged');
  }
});

test('a link is not followed', async () => {
  const path = place();
  writeFileSync(`${path}.other`, lines(1).join(''));
  symlinkSync(`${path}.other`, path);
  await expect(seqs(journalTail(path))).rejects.toThrow('cannot be read');
});

test('lines longer than what is read at once are whole', async () => {
  const path = place();
  writeFileSync(path, lines(3, 'é'.repeat(1_500_000)).join(''));
  expect(await seqs(journalTail(path))).toEqual([1, 2, 3]);
});
