/** What a takeover costs for each line of a journal: parsed once, and not written again. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { dropJournal } from '../../../src/engine/journal/kept-journal.ts';
import { journalPath, openRun, readRun, readToContinue } from '../../../src/engine/journal/runs.ts';
import { destination } from '../../support/harness.ts';
import { desks } from '../market.ts';
import { entriesOn, runProcess } from '../machine-process.ts';
import { stage, type Stage } from './stage.ts';

afterEach(() => {
  dropJournal();
  vi.restoreAllMocks();
});

/** A has stored the run until its third order, and its lease is over. */
async function leftByA(): Promise<Stage> {
  const staged = await stage();
  const dies = { at: 'request', path: 'place-order', nth: 3, when: 'after' } as const;
  await expect(runProcess(staged.a, staged.harness, desks, { dies })).rejects.toThrow();
  staged.pass(undefined, false);
  return staged;
}

test('a machine that continues a run parses each line of its journal once', async () => {
  const { harness, database, b } = await leftByA();
  const stored = database.text('r-1').trimEnd().split('\n').length;
  const parse = vi.spyOn(JSON, 'parse');
  await b.store.sync({ run: 'r-1' });
  expect(await readRun(b.stateDir, 'r-1')).toHaveLength(stored);
  const entries = await readToContinue(b.stateDir, 'r-1');
  const hold = await b.store.claim({
    run: 'r-1',
    playbook: desks.name,
    accounts: [destination],
    isResumed: true,
    now: async () => harness.clock.now(),
    observedAt: harness.clock.now(),
  });
  const opened = await openRun(b.stateDir, 'r-1', harness.clock, entries, hold.over);
  const parsed = parse.mock.calls.filter(([text]) => text.startsWith('{"seq":'));
  expect([parsed.length, opened.entries.length]).toEqual([stored, stored]);
  await opened.journal.close();
  await hold.release();
});

test('a journal that is changed between two checks is read again', async () => {
  const { b } = await leftByA();
  await b.store.sync({ run: 'r-1' });
  await readToContinue(b.stateDir, 'r-1');
  const path = journalPath(b.stateDir, 'r-1');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"attempt":1', '"attempt":2'));
  await expect(readRun(b.stateDir, 'r-1')).rejects.toThrow('wrong checksum');
});

test('a step that is opened again with the same writes does not list them again', async () => {
  const { harness, b } = await leftByA();
  expect(await runProcess(b, harness, desks, { isResumed: true })).toMatchObject({
    status: 'done',
  });
  const entries = await entriesOn(b);
  const resumed = entries.findIndex(({ kind }) => kind === 'resumed');
  const listed = new Map<string, readonly string[]>();
  const again: string[] = [];
  for (const [at, entry] of entries.entries()) {
    if (entry.kind !== 'opened') continue;
    const before = listed.get(entry.step);
    if (at < resumed && entry.writes) listed.set(entry.step, entry.items ?? []);
    if (at < resumed || before === undefined) continue;
    again.push(entry.step);
    expect([entry.writes, entry.items]).toEqual([undefined, before]);
  }
  expect(again.length).toBeGreaterThan(0);
});
