/** A damaged journal where the state is in git: healed by what was pushed, never shortened to it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { standingClock } from '../../src/base/clock.ts';
import { JournalError } from '../../src/engine/journal/error.ts';
import { createRun, openRun, readRun } from '../../src/engine/journal/runs.ts';
import { setAside } from '../../src/engine/journal/set-aside.ts';
import {
  account,
  hub,
  intended,
  machine,
  start,
  started,
  wanted,
  type Machine,
} from './machines.ts';

const clock = standingClock(start);
const journalOf = ({ stateDir }: Machine): string =>
  join(stateDir, 'runs', 'r-1', 'journal.ndjson');

/** A run that sent an order and reported how it ended. */
async function reported(): Promise<{ one: Machine; text: string }> {
  const one = machine(hub());
  const hold = await one.store.claim(wanted('r-1'));
  const header = {
    run: 'r-1',
    playbook: 'ladder',
    destination: account,
    createdAt: start,
    program: 't',
  };
  const journal = await createRun(one.stateDir, header, clock);
  const opened = await hold.open({ journal, entries: [] });
  for (const event of [
    started,
    { kind: 'opened', step: 'bid' },
    intended,
    { kind: 'finished', status: 'stopped', exit: 1, outputs: null },
  ] as const) {
    await opened.journal.append(event);
  }
  await opened.journal.close();
  await hold.release();
  return { one, text: readFileSync(journalOf(one), 'utf8') };
}

test.each<[string, (text: string) => string]>([
  ['emptied', () => ''],
  ['cut at the end of a line', (text) => text.slice(0, text.indexOf('\n') + 1)],
  ['cut at its beginning', (text) => text.slice(5)],
  ['changed in the middle', (text) => text.replace('"bid"', '"bad"')],
])('a journal that was %s is restored', async (_what, spoil) => {
  const { one, text } = await reported();
  writeFileSync(journalOf(one), spoil(text));
  await expect(readRun(one.stateDir, 'r-1')).rejects.toThrow(JournalError);
  await one.store.sync();
  expect(readFileSync(journalOf(one), 'utf8')).toBe(text);
  expect(await readRun(one.stateDir, 'r-1')).toHaveLength(4);
});

test('one with more local lines than were pushed stays damaged', async () => {
  const { one, text } = await reported();
  const { journal } = await openRun(one.stateDir, 'r-1', clock);
  await journal.append({ ...intended, attempt: 2 });
  await journal.close();
  for (const shorter of [text, text.slice(0, text.indexOf('\n') + 1), text.slice(5), '']) {
    writeFileSync(journalOf(one), shorter);
    await one.store.sync();
    await expect(readRun(one.stateDir, 'r-1')).rejects.toThrow(JournalError);
    expect(readFileSync(journalOf(one), 'utf8')).toBe(shorter);
  }
});

test('an intact journal that continues the pushed one is kept', async () => {
  const { one } = await reported();
  const { journal } = await openRun(one.stateDir, 'r-1', clock);
  await journal.append({ kind: 'resumed' });
  await journal.close();
  const longer = readFileSync(journalOf(one), 'utf8');
  await one.store.sync();
  expect(readFileSync(journalOf(one), 'utf8')).toBe(longer);
  const names = readdirSync(join(one.stateDir, 'runs', 'r-1'));
  expect(names.filter((name) => name.startsWith('set-aside'))).toEqual([]);
});

test('a run that was set aside here is restored for reading, and continued elsewhere', async () => {
  const { one, text } = await reported();
  const said = { who: 'ann', at: start, comment: 'looked', because: 'it is empty' };
  await setAside(one.stateDir, { run: 'r-1', ...said });
  await one.store.sync();
  expect(readFileSync(journalOf(one), 'utf8')).toBe(text);
  expect(await readRun(one.stateDir, 'r-1')).toHaveLength(4);
  await expect(openRun(one.stateDir, 'r-1', clock)).rejects.toThrow(/was set aside by ann/);
});
