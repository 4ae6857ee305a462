/** Overviews of runs: kept in a file, used while it is true, and never instead of a journal that may have changed. */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../../src/base/json.ts';
import { cataloguePath } from '../../../src/engine/journal/catalogue.ts';
import type { Entry } from '../../../src/engine/journal/entry.ts';
import { frame, unframe } from '../../../src/engine/journal/record.ts';
import { everyName } from '../../../src/engine/journal/run-list.ts';
import { journalPath } from '../../../src/engine/journal/runs.ts';
import { overviewOf, overviewVersion } from '../../../src/report/overview/overview.ts';
import { openOverviews, type Overviews } from '../../../src/report/overview/overviews.ts';
import {
  doneRun,
  doubtRun,
  interruptedRun,
  killedRun,
  resumedRun,
  stoppedRun,
} from '../../support/entries.ts';
import { continueRun, recordRun } from '../../support/recorded.ts';

const runs = ['r-1', 'r-2', 'r-3'];
/** Folders with runs, which changed more than two seconds ago. */
let root: string;
/** Three finished ones, and their stored overviews. */
let model: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'overviews-'));
  model = join(root, 'model');
  for (const folder of ['model', 'others']) {
    for (const run of runs) await recordRun(join(root, folder), doneRun(), run);
  }
  await recordRun(join(root, 'open'), doneRun(), 'r-done');
  await recordRun(join(root, 'open'), doneRun().slice(0, 5), 'r-open');
  await keep(join(root, 'open'), true);
  expect(existsSync(cataloguePath(join(root, 'open')))).toBe(false); // it may change again at the same time
  await setTimeout(2_100);
  await keep(model, true);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function keep(state: string, isLast = false): Promise<Overviews> {
  const overviews = openOverviews(state);
  const names = await everyName(state);
  for (const run of names) await overviews.read(run);
  overviews.keep(names, isLast);
  return overviews;
}

/** The stored overviews. */
function linesIn(state: string): readonly Stored[] {
  const lines = readFileSync(cataloguePath(state), 'utf8').split('\n').filter(Boolean);
  const facts: readonly Stored[] = lines.map((line) => JSON.parse(unframe(line)));
  return facts.filter(({ kind }) => kind.startsWith('overview'));
}

interface Stored {
  readonly kind: string;
  readonly run: string;
  readonly value: object;
}

/** Stores another text of what each run did, which only the file has. */
function forge(state: string): void {
  const path = cataloguePath(state);
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  const next = lines.map((line) => {
    const fact: Stored = JSON.parse(unframe(line));
    if (!fact.kind.startsWith('overview')) return `${line}\n`;
    return frame(JSON.stringify({ ...fact, value: { ...fact.value, what: 'forged' } }));
  });
  writeFileSync(path, next.join(''));
}

/** What is told of each run: of the file, or of its journal. */
async function sources(state: string): Promise<readonly string[]> {
  const overviews = openOverviews(state);
  const found = await Promise.all(runs.map((run) => overviews.read(run)));
  return found.map((one) => {
    if (one?.kind !== 'read') return one?.kind ?? 'none';
    return one.overview.what === 'forged' ? 'file' : 'journal';
  });
}

/** The files themselves, not copies: a copy has another stamp. */
async function withModel(work: () => Promise<void>): Promise<void> {
  const before = readFileSync(cataloguePath(model));
  try {
    await work();
  } finally {
    writeFileSync(cataloguePath(model), before);
  }
}

describe('what is stored', () => {
  test('counts while the files of a run are unchanged', () =>
    withModel(async () => {
      forge(model);
      expect(await sources(model)).toEqual(['file', 'file', 'file']);
    }));

  test('does not count when it is damaged, of another version, or not ours', () =>
    withModel(async () => {
      forge(model);
      const text = readFileSync(cataloguePath(model), 'utf8');
      let at = 0;
      const second = text.replaceAll('forged', (word) => (++at === 2 ? 'forgex' : word));
      writeFileSync(cataloguePath(model), second);
      expect(await sources(model)).toEqual(['file', 'journal', 'file']);
      const [own, next] = [`overview ${overviewVersion}`, `overview ${overviewVersion + 1}`];
      const lines = text.trimEnd().split('\n');
      const newer = lines.map((line) => frame(unframe(line).replace(own, next))).join('');
      for (const other of [newer, text.slice(0, -40), '', 'x\n', '\0']) {
        writeFileSync(cataloguePath(model), other);
        const isTorn = other.length === text.length - 40;
        const rest = isTorn ? ['file', 'file'] : ['journal', 'journal'];
        expect(await sources(model)).toEqual([...rest, 'journal']);
      }
      rmSync(cataloguePath(model));
      expect(await sources(model)).toEqual(['journal', 'journal', 'journal']);
    }));

  test('does not count for a copy of the state folder, whose files are others', async () => {
    await withModel(async () => {
      forge(model);
      const copy = mkdtempSync(join(tmpdir(), 'overviews-copy-'));
      cpSync(model, copy, { recursive: true, preserveTimestamps: true });
      expect(await sources(copy)).toEqual(['journal', 'journal', 'journal']);
      rmSync(copy, { recursive: true });
    });
  });

  test('does not count when the journal or its mark was written since, with the same bytes too', () =>
    withModel(async () => {
      forge(model);
      const path = journalPath(model, 'r-2');
      const before = readFileSync(path);
      writeFileSync(path, `x${before.toString()}`);
      expect(await sources(model)).toEqual(['file', 'damaged', 'file']);
      writeFileSync(path, before); // the same bytes, written later
      expect(await sources(model)).toEqual(['file', 'journal', 'file']);
      const mark = join(model, 'high-water', 'r-3.mark');
      const marked = readFileSync(mark);
      writeFileSync(mark, marked);
      expect(await sources(model)).toEqual(['file', 'journal', 'journal']);
    }));

  test('is of finished runs that changed more than two seconds ago', async () => {
    const state = join(root, 'open');
    await keep(state, true);
    expect(linesIn(state).map(({ run }) => run)).toEqual(['r-done']);
  });

  test('is added by each process, and read by the next', async () => {
    const state = join(root, 'others');
    await Promise.all(Array.from({ length: 8 }, () => keep(state, true)));
    expect(new Set(linesIn(state).map(({ run }) => run))).toEqual(new Set(runs));
    forge(state);
    expect(await sources(state)).toEqual(['file', 'file', 'file']);
    const overviews = await keep(state);
    rmSync(join(state, 'runs', 'r-2'), { recursive: true });
    rmSync(join(state, 'high-water', 'r-2.mark'));
    writeFileSync(journalPath(state, 'r-3'), readFileSync(journalPath(state, 'r-3')));
    const before = linesIn(state);
    await overviews.read('r-3');
    overviews.keep(await everyName(state), true);
    expect(linesIn(state)).toEqual(before); // r-3 has just been written
    expect(await sources(state)).toEqual(['file', 'none', 'journal']);
  });

  test('is stored by a process that goes on, too, once its files have not changed for a moment', async () => {
    const state = mkdtempSync(join(tmpdir(), 'overviews-'));
    await recordRun(state, doneRun(), 'r-1');
    const overviews = await keep(state);
    const before = await overviews.read('r-1');
    expect(existsSync(cataloguePath(state))).toBe(false);
    await setTimeout(2_100);
    expect(await overviews.read('r-1')).toBe(before);
    overviews.keep(['r-1']);
    expect(linesIn(state).map(({ run }) => run)).toEqual(['r-1']);
    rmSync(state, { recursive: true });
  });

  test('is not written for less than a hundredth of the runs, unless the process ends', async () => {
    const state = mkdtempSync(join(tmpdir(), 'overviews-'));
    for (let run = 0; run < 120; run++) await recordRun(state, doneRun().slice(0, 1), `r-${run}`);
    await recordRun(state, doneRun(), 'r-done');
    await setTimeout(2_100);
    const overviews = openOverviews(state);
    const names = await everyName(state);
    for (const run of names) await overviews.read(run);
    overviews.keep(names);
    expect(existsSync(cataloguePath(state))).toBe(false);
    overviews.keep(names, true);
    expect(existsSync(cataloguePath(state))).toBe(true);
    rmSync(state, { recursive: true });
  });
});

test('a run is read once by all who ask at the same time, and again when it changed', async () => {
  const state = mkdtempSync(join(tmpdir(), 'overviews-'));
  const entries = doneRun();
  await recordRun(state, entries.slice(0, 5), 'r-1');
  const overviews = openOverviews(state);
  const [first, second] = await Promise.all([overviews.read('r-1'), overviews.read('r-1')]);
  expect(first).toBe(second);
  expect(await overviews.read('r-1')).toBe(first);
  await continueRun(state, 'r-1', entries.slice(5, 6));
  expect(await overviews.read('r-1')).toMatchObject({ overview: { seq: 6 } });
  rmSync(state, { recursive: true });
});

test('nothing that sends reads overviews', () => {
  const root = join(import.meta.dirname, '..', '..', '..', 'src');
  const importers = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('report/overview'))
    .filter((file) => readFileSync(join(root, file), 'utf8').includes('/overview/'));
  expect(importers.toSorted()).toEqual([
    'app/doctor/earlier-runs.ts', // sends nothing
    'app/store/synchronized.ts', // only says how stores make them
    'cli/commands/runs-list.ts',
    'cli/commands/runs-metrics.ts',
    'serve/server/desk.ts',
    'serve/server/monitoring.ts',
    'serve/server/run-index.ts',
    'serve/server/run-looks.ts',
    'serve/server/run-places.ts',
    'serve/server/run-row.ts',
    'serve/server/run-rows.ts',
    'serve/server/run-texts.ts',
  ]);
});

/** Overviews of an earlier version would be shown with its words: a change here needs another version. */
test('what is made of known journals is what this version stores', () => {
  const begun = (): readonly Entry[] => doneRun().slice(0, 1);
  const known = [begun, doneRun, stoppedRun, doubtRun, interruptedRun, killedRun, resumedRun];
  const made = known.map((entries) => overviewOf(entries()));
  expect({
    version: overviewVersion,
    digest: sha256(JSON.stringify(made)).slice(0, 16),
  }).toMatchInlineSnapshot(`
    {
      "digest": "3683b9eb0d5b254a",
      "version": 5,
    }
  `);
});
