/** Lines in a database that are no journal: their run is damaged here, others are read, and nothing continues it. */
import { expect, test } from 'vitest';
import { readRun } from '../../../src/engine/journal/runs.ts';
import { chainStart, frame, linkOf, readRecord } from '../../../src/engine/journal/record.ts';
import type { RunLines, SharedRuns } from '../../../src/stores/shared/shared-runs.ts';
import { desks } from '../market.ts';
import { entriesOn, runProcess } from '../machine-process.ts';
import { machineOn, type SharedMachine } from './machines.ts';
import { stage } from './stage.ts';

/** Changes what the database answers about a run, and what its list of runs says. */
type Change = (lines: RunLines) => RunLines;

async function machineThatReads(change: Change): Promise<{
  readonly machine: SharedMachine;
  readonly resume: () => Promise<unknown>;
}> {
  const { harness, database, a, pass } = await stage();
  await runProcess(a, harness, desks, { runId: 'r-2' });
  const dies = { at: 'request', path: 'place-order', nth: 2, when: 'after' } as const;
  await expect(runProcess(a, harness, desks, { dies })).rejects.toThrow();
  pass();
  const hostile = (runs: SharedRuns): SharedRuns => {
    const changed = async (run: string): Promise<RunLines | undefined> => {
      const all = await runs.lines(run, 0);
      return all && run === 'r-1' ? change(all) : all;
    };
    return {
      ...runs,
      changed: async (cursor, beside) => {
        const { runs: rows, ...rest } = await runs.changed(cursor, beside);
        const found = rows.map(async (row) => {
          const { count = row.lines, link = row.link } = (await changed(row.run)) ?? {};
          return { run: row.run, lines: count, link };
        });
        return { ...rest, runs: await Promise.all(found) };
      },
      lines: async (run, after) => {
        const found = await changed(run);
        const text =
          found?.text
            .split(/(?<=\n)/)
            .slice(after)
            .join('') ?? '';
        return found && { ...found, text };
      },
    };
  };
  const machine = machineOn(() => hostile(database.connect()), harness.clock);
  return { machine, resume: () => runProcess(machine, harness, desks, { isResumed: true }) };
}

/** With correct checksums and links, as whoever may write to the database could store them. */
const rewritten =
  (change: (entry: object, at: number) => unknown): Change =>
  (lines) => {
    let prev = chainStart;
    const text = lines.text
      .trimEnd()
      .split('\n')
      .map((line, at) => {
        const json = JSON.stringify(
          Object.assign(Object(change(readRecord(line).entry, at)), { prev }),
        );
        prev = linkOf(json);
        return frame(json);
      })
      .join('');
    return { ...lines, text, link: prev };
  };

const onLine = (line: number, fields: object): Change =>
  rewritten((entry, at) => (at === line ? { ...entry, ...fields } : entry));

test.each<[string, Change]>([
  ['an entry of another shape', onLine(3, { kind: 'settled', outcome: null })],
  ['an entry without its fields', onLine(4, { kind: 'intended', address: 5 })],
  ['a repeated number', onLine(5, { seq: 5 })],
  ['a time that no calendar has', onLine(3, { at: 1e300 })],
  ['a last entry of another shape', rewritten((entry) => ({ ...entry, at: 'today' }))],
  [
    'a line that is not JSON',
    (all) => ({ ...all, text: all.text.replace(/\n/, '\nnot a line\n') }),
  ],
  ['another text', (all) => ({ ...all, text: all.text.replace('"attempt":1', '"attempt":7') })],
  [
    'lines that are missing in between',
    (all) => ({ ...all, text: all.text.replace(/\n[^\n]+/, '') }),
  ],
  [
    'lines that are missing at the end',
    (all) => ({ ...all, text: all.text.replace(/[^\n]+\n$/, '') }),
  ],
  ['no line at all', (all) => ({ ...all, text: '' })],
  ['another header', (all) => ({ ...all, header: '{"format":1}' })],
])('%s in the database damages its run alone', async (_what, change) => {
  const { machine, resume } = await machineThatReads(change);
  await machine.store.sync();
  await machine.store.sync({ run: 'r-1' });
  await expect(readRun(machine.stateDir, 'r-1')).rejects.toThrow(/is damaged|are missing/);
  expect((await entriesOn(machine, 'r-2')).length).toBeGreaterThan(0);
  await expect(resume()).rejects.toThrow(/is damaged|are missing/);
});

test('an intact journal of this folder is left when the database has another one', async () => {
  let isDamaged = false;
  const { machine } = await machineThatReads((all) =>
    isDamaged ? onLine(3, { kind: 'settled', outcome: null })(all) : all,
  );
  await machine.store.sync();
  const before = await entriesOn(machine);
  isDamaged = true;
  await machine.store.sync();
  expect(await entriesOn(machine)).toEqual(before);
});
