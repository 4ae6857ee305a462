/** What other machines are reported before a write leaves, whatever the order of things. */
import { expect, test } from 'vitest';
import { minute, standingClock } from '../../src/base/clock.ts';
import { memoryJournal } from '../../src/engine/runtime/memory.ts';
import type { Entry, Event } from '../../src/engine/journal/entry.ts';
import type { Journal } from '../../src/engine/journal/journal.ts';
import type { Write } from '../../src/engine/journal/possible.ts';
import { gatedJournal } from '../../src/stores/git/gate.ts';
import { StoreError } from '../../src/stores/store.ts';
import { start } from './machines.ts';

const lease = 5 * minute;

interface Stage {
  readonly journal: Journal;
  /** What is on the disk. */
  readonly disk: readonly Entry[];
  /** What was on the disk at each telling. */
  readonly publications: number[];
  until: number;
  /** What a telling brings across, of what is on the disk. */
  reaches: (lines: number) => number;
  /** Entries are queued, and on the disk only when this is called. */
  readonly hold: () => () => void;
}

function stage(): Stage {
  const disk: Entry[] = [];
  const memory = memoryJournal(standingClock(start), disk);
  let gate: Promise<void> = Promise.resolve();
  const inner: Journal = {
    append: (event) => gate.then(() => memory.append(event)),
    flush: () => gate,
    length: () => memory.length(),
    close: () => memory.close(),
  };
  let published = 0;
  const made: Omit<Stage, 'journal'> = {
    disk,
    publications: [],
    until: start + lease,
    reaches: (lines) => lines,
    hold: () => {
      let free = (): void => undefined;
      gate = new Promise((resolve) => (free = resolve));
      return free;
    },
  };
  const publisher = {
    published: () => published,
    until: () => made.until,
    publish: async () => {
      made.publications.push(disk.length);
      published = made.reaches(disk.length);
      made.until = Math.max(made.until, start + lease);
    },
  };
  return Object.assign(made, { journal: gatedJournal(inner, lease, publisher) });
}

function order(address: string, price = '100'): Write {
  return { address, operation: 'futures/place-order', input: { price }, identity: address };
}

function sub(address: string): Write {
  return { address, operation: 'account/create-sub', input: { username: 'a' }, identity: address };
}

function opened(step: string, writes?: readonly Write[]): Event {
  return { kind: 'opened', step, ...(writes && { writes }) };
}

function intended(write: Write, signedAt = start): Event {
  return { kind: 'intended', ...write, attempt: 1, signedAt };
}

test('there is one push before the first write of a step, and none for the others', async () => {
  const { journal, publications } = stage();
  const writes = ['a', 'b', 'c'].map((key) => order(`ladder[${key}]`));
  await journal.append(opened('ladder', writes));
  for (const write of writes) await journal.append(intended(write));
  expect(publications).toEqual([1]);
});

test('queued entries are on the disk before they are pushed', async () => {
  const { journal, publications, hold, disk } = stage();
  await journal.append(opened('outer'));
  const free = hold();
  const opening = journal.append(opened('outer[a]/ladder', [order('outer[a]/ladder[1]')]));
  const sending = journal.append(intended(order('outer[a]/ladder[1]')));
  await Promise.resolve();
  expect(publications).toEqual([]);
  free();
  await Promise.all([opening, sending]);
  expect(publications).toEqual([2]);
  expect(disk.map(({ kind }) => kind)).toEqual(['opened', 'opened', 'intended']);
});

test('a nested step is pushed even if the outer one was', async () => {
  const { journal, publications } = stage();
  await journal.append(opened('outer'));
  await journal.append(opened('outer[a]/ladder', [order('outer[a]/ladder[1]')]));
  await journal.append(intended(order('outer[a]/ladder[1]')));
  await journal.append(opened('outer[b]/ladder', [order('outer[b]/ladder[1]')]));
  await journal.append(intended(order('outer[b]/ladder[1]')));
  expect(publications).toEqual([2, 4]);
});

test.each([
  ['that no step listed', []],
  ['with another content than the listed one', [order('ladder[a]', '99')]],
])('a write %s is pushed separately, with its intent', async (_, writes) => {
  const { journal, publications } = stage();
  await journal.append(opened('ladder', writes));
  await journal.append(intended(order('ladder[a]')));
  expect(publications.at(-1)).toBe(2);
});

test('a write that cannot be looked up is pushed separately, although its step listed it', async () => {
  const { journal, publications } = stage();
  await journal.append(opened('subs', [sub('subs[a]'), sub('subs[b]')]));
  await journal.append(intended(sub('subs[a]')));
  await journal.append(intended(sub('subs[b]')));
  expect(publications).toEqual([1, 2, 3]);
});

test('a step that is opened again with other content is pushed again', async () => {
  const { journal, publications } = stage();
  await journal.append(opened('ladder', [order('ladder', '1')]));
  await journal.append(intended(order('ladder', '1')));
  await journal.append(opened('ladder', [order('ladder', '2')]));
  await journal.append(intended(order('ladder', '2')));
  expect(publications).toEqual([1, 3]);
});

test('a push that does not include the entry allows no write', async () => {
  const one = stage();
  one.reaches = (lines) => lines - 1;
  await one.journal.append(opened('ladder', [order('ladder')]));
  await expect(one.journal.append(intended(order('ladder')))).rejects.toThrow(StoreError);
  expect(one.disk.map(({ kind }) => kind)).toEqual(['opened']);
});

test('nothing is signed after the lease, which is renewed after half of it', async () => {
  const one = stage();
  await one.journal.append(opened('ladder', [order('ladder')]));
  const late = intended(order('ladder'), start + lease + 1);
  await expect(one.journal.append(late)).rejects.toThrow(StoreError);
  expect(one.publications).toEqual([1]);
  await one.journal.append(intended(order('ladder'), start + lease / 2));
  expect(one.publications).toEqual([1]);
  await one.journal.append(intended(order('ladder'), start + lease / 2 + 1));
  expect(one.publications).toHaveLength(2);
});
