/** What a machine fetches of runs, while they are written here and elsewhere. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRun } from '../../../src/engine/journal/runs.ts';
import type { SharedRuns } from '../../../src/stores/shared/shared-runs.ts';
import { desks } from '../market.ts';
import { runProcess } from '../machine-process.ts';
import { machineOn } from './machines.ts';
import { stage } from './stage.ts';

const journalIn = (stateDir: string): string =>
  readFileSync(join(stateDir, 'runs', 'r-1', 'journal.ndjson'), 'utf8');

test('commands in the same folder, and on another machine, follow a run without disturbing it', async () => {
  const { harness, database, b } = await stage();
  let synced = 0;
  // Lines are in the database, and not in the file yet.
  const meanwhile = (runs: SharedRuns): SharedRuns => ({
    ...runs,
    keep: async (holder, batch) => {
      const isKept = await runs.keep(holder, batch);
      await beside.store.sync();
      await b.store.sync();
      expect((await readRun(b.stateDir, 'r-1')).length).toBeGreaterThan(0);
      synced += 1;
      return isKept;
    },
  });
  const a = machineOn(() => meanwhile(database.connect()), harness.clock);
  const beside = machineOn(() => database.connect(), harness.clock, a.stateDir);
  const result = await runProcess(a, harness, desks);
  expect(result.status).toBe('done');
  expect(synced).toBeGreaterThan(8);
  await b.store.sync();
  for (const { stateDir } of [a, b]) expect(journalIn(stateDir)).toBe(database.text('r-1'));
  expect(await b.store.sync()).toEqual([]);
});

test('a shorter journal is completed, another one is set aside, and a deleted run is fetched again', async () => {
  const { harness, a, b } = await stage();
  await runProcess(a, harness, desks);
  await b.store.sync();
  const folder = join(b.stateDir, 'runs', 'r-1');
  const path = join(folder, 'journal.ndjson');
  const whole = journalIn(b.stateDir);
  const middle = Math.floor(whole.length / 2);
  for (const other of [
    whole.slice(0, middle),
    whole.slice(0, whole.indexOf('\n', middle) + 1),
    whole.split('\n').slice(1).join('\n'),
    '',
  ]) {
    writeFileSync(path, other);
    await b.store.sync();
    expect(journalIn(b.stateDir)).toBe(whole);
  }
  expect(readdirSync(folder).filter((name) => name.startsWith('set-aside-'))).toHaveLength(1);
  rmSync(folder, { recursive: true });
  await b.store.sync();
  expect(journalIn(b.stateDir)).toBe(whole);
});

test('a run whose journal is damaged here is resumed with that of the database', async () => {
  const { harness, database, a, b, pass } = await stage();
  const dies = { at: 'request', path: 'place-order', nth: 2, when: 'after' } as const;
  await expect(runProcess(a, harness, desks, { dies })).rejects.toThrow();
  await b.store.sync();
  const path = join(b.stateDir, 'runs', 'r-1', 'journal.ndjson');
  const whole = journalIn(b.stateDir);
  const middle = Math.floor(whole.length / 2);
  writeFileSync(path, `${whole.slice(0, middle)}\u0001${whole.slice(middle + 1)}`);
  pass();
  expect(await runProcess(b, harness, desks, { isResumed: true })).toMatchObject({
    status: 'done',
  });
  expect(journalIn(b.stateDir)).toBe(database.text('r-1'));
  expect(database.text('r-1').startsWith(whole)).toBe(true);
});

test.each(['../../evil', 'r-1/../../x', '', 'R-1', 'r-1\u0000'])(
  'a database that names the run %j writes nothing here',
  async (run) => {
    const { harness, database } = await stage();
    const hostile = (runs: SharedRuns): SharedRuns => ({
      ...runs,
      changed: async () => ({ runs: [{ run, lines: 1, link: '0' }], cursor: '' }),
      lines: async () => ({ header: '{}', count: 1, link: '0', text: 'x\n' }),
    });
    const one = machineOn(() => hostile(database.connect()), harness.clock);
    await expect(one.store.sync()).rejects.toThrow('is not the id of a run');
    expect(existsSync(one.stateDir)).toBe(false);
  },
);
