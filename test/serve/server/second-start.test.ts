/** A server that begins with the runs of the catalogue answers like one that read every journal, and reads none of
 * them again.
 */
import fc from 'fast-check';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { hour, minute } from '../../../src/base/clock.ts';
import { cataloguePath } from '../../../src/engine/journal/catalogue.ts';
import { bytesIn } from '../../../src/engine/journal/catalogue-bytes.ts';
import { CatalogueLines } from '../../../src/engine/journal/catalogue-lines.ts';
import type { Entry } from '../../../src/engine/journal/entry.ts';
import { markPath } from '../../../src/engine/journal/high-water.ts';
import { headerPath, journalPath } from '../../../src/engine/journal/runs.ts';
import { ListedTable } from '../../../src/report/overview/listed-table.ts';
import {
  approvedRun,
  doneRun,
  doubtRun,
  interruptedRun,
  killedRun,
  resumedRun,
  stoppedRun,
} from '../../support/entries.ts';
import { openedIn } from '../../support/opened.ts';
import { continueRun, recordRun } from '../../support/recorded.ts';
import { startOfRuns } from '../../support/tape.ts';
import { refuseLinksIn } from '../../../src/app/config/state-folder.ts';
import { foldersWithoutLinks } from '../../../src/serve/server/listed-names.ts';
import { served, type Served } from './desk.ts';

const kinds = [doneRun, stoppedRun, approvedRun, doubtRun, interruptedRun, killedRun, resumedRun];
const playbooks = ['desk-setup', 'ladder', 'Reports'];
const profiles = ['sandbox', 'mm-main', 'hedge'];
const runs = 70;
let root: string;
/** The same folder, for a server that has read every run, and for one that begins with the catalogue. */
let stateDir: string;
let first: Served;
let second: Served;

/** Names, accounts and times of runs, in no order; some began at one time. */
function shifted(entries: readonly Entry[], number: number): readonly Entry[] {
  const later = ((number * 37) % runs) * 20 * minute - (number % 5 === 0 ? 20 * minute : 0);
  const [playbook, profile] = [playbooks[number % 3], profiles[(number >> 1) % 3]];
  return entries.map((entry) => ({
    ...entry,
    at: entry.at + later,
    ...('time' in entry && { time: entry.time + later }),
    ...('signedAt' in entry && { signedAt: entry.signedAt + later }),
    ...(entry.kind === 'started' && {
      playbook: { ...entry.playbook, name: playbook ?? '' },
      destination: { ...entry.destination, profile: profile ?? '' },
    }),
  }));
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'second-start-'));
  stateDir = join(root, 'state');
  for (let number = 0; number < runs; number++) {
    const entries = kinds[number % kinds.length]?.() ?? [];
    await recordRun(stateDir, shifted(entries, number), `r-${String(number).padStart(4, '0')}`);
  }
  const lines = readFileSync(journalPath(stateDir, 'r-0007'), 'utf8').split('\n');
  writeFileSync(journalPath(stateDir, 'r-0007'), lines.with(2, '{}').join('\n'));
  writeFileSync(headerPath(stateDir, 'r-0014'), '{');
  writeFileSync(journalPath(stateDir, 'r-0021'), '');
  mkdirSync(join(stateDir, 'runs', 'notes'));
  await setTimeout(2_100); // files that have just changed are not stored
  first = await served({ stateDir });
  await complete(first);
  first.desk.runs.keep(true);
  const stored = readFileSync(cataloguePath(stateDir), 'utf8').split('\n').filter(Boolean);
  const packed = new CatalogueLines(bytesIn(Buffer.from(stored.slice(0, -20).join('\n'))));
  const facts = stored.slice(-20).map((line) => `${line}\n`);
  writeFileSync(cataloguePath(stateDir), [packed.packed(() => true, []), ...facts].join(''));
  second = await served({ stateDir });
  await second.desk.runs.open();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function complete({ desk, poll }: Served): Promise<void> {
  do await poll();
  while (desk.runs.isBehind());
}

async function answers(path: string): Promise<readonly unknown[]> {
  return Promise.all(
    [first, second].map(async ({ get }) => {
      const response = await get(path);
      return [path, response.status, await response.json()];
    }),
  );
}

const time = fc.integer({ min: -3, max: runs }).map((at) => String(startOfRuns + (at / 3) * hour));
const playbook = fc.constantFrom(...playbooks, 'none');
const account = fc.constantFrom(...profiles, 'none');
const words = fc.constantFrom(
  'btcusdt',
  'r-000',
  'ladder',
  'DESK',
  'orders placed',
  'ana@desk.example',
  '60500.0',
  'x-',
  '"',
  '6',
);
const page = fc.integer({ min: 1, max: 4 }).map(String);
const all = { page, playbook, account, since: time, until: time };
const queries = fc.oneof(
  query('/home', {
    ...all,
    state: fc.constantFrom('done', 'stopped', 'doubt', 'interrupted', 'unfinished', 'damaged'),
    person: fc.constantFrom('ana@desk.example', 'nobody'),
    text: words,
  }),
  query('/orders', {
    ...all,
    symbol: fc.constantFrom('BTCUSDT', 'ethusdt'),
    state: fc.constantFrom('placed', 'doubt', 'refused'),
    id: words,
  }),
  query('/search', { playbook, account, since: time, until: time, text: words, run: words }),
  fc
    .tuple(query('/history', { page, since: time, until: time }), playbook)
    .map(
      ([path, name]) => `${path}&playbook=${name}&days=${startOfRuns},${startOfRuns + 9 * hour}`,
    ),
  fc.nat(runs - 1).map((number) => `/runs/r-${String(number).padStart(4, '0')}/related`),
);

/** A path with a few of these parameters: with many of them nothing would be left. */
function query(
  path: string,
  parameters: Readonly<Record<string, fc.Arbitrary<string>>>,
): fc.Arbitrary<string> {
  const few = fc.shuffledSubarray(Object.keys(parameters), { maxLength: 3 });
  return fc.tuple(few, fc.record(parameters)).map(([keys, values]) => {
    const chosen = new URLSearchParams(
      Object.fromEntries(keys.map((key) => [key, values[key] ?? ''])),
    );
    return `${path}?${chosen}`;
  });
}

const unended = Array.from({ length: runs }, (_none, number) => number)
  .filter((number) => !kinds[number % kinds.length]?.().some(({ kind }) => kind === 'finished'))
  .map((number) => `r-${String(number).padStart(4, '0')}`);

test('no file of a run that ended is opened by a second start, nor by its pages', async () => {
  const server = await served({ stateDir });
  const paths = await openedIn(stateDir, async () => {
    await server.desk.runs.open();
    for (const path of [
      '/home',
      '/home?page=2',
      '/home?playbook=ladder',
      '/history?playbook=ladder',
    ])
      expect((await server.get(path)).status).toBe(200);
    await complete(server);
  });
  const files = paths.filter((path) => path.endsWith('son')); // its folder is listed, too
  const names = new Set(files.map((path) => basename(dirname(path))));
  expect([...names].toSorted()).toEqual([...unended, 'r-0007', 'r-0014', 'r-0021'].toSorted());
});

test('the first page is complete before any file was looked at, and unread runs are counted', async () => {
  const server = await served({ stateDir });
  await server.desk.runs.open();
  const home = (await (await server.get('/home')).json()) as { all: number; unread: number };
  expect([home.all > 50, home.all + home.unread]).toEqual([true, runs + 1]); // with a folder
});

test('what it answers is what a server answers that has read every run', async () => {
  await complete(second);
  expect((await answers('/home')).map((each) => (each as unknown[])[1])).toEqual([200, 200]);
  await fc.assert(
    fc.asyncProperty(queries, async (path) => {
      const [before, now] = await answers(path);
      expect(now).toEqual(before);
    }),
    { numRuns: 300 },
  );
});

test('a page makes the rows that it shows, and those of runs that may need a person', async () => {
  const made = vi.spyOn(ListedTable.prototype, 'lineAt');
  const count = async (path: string): Promise<number> => {
    made.mockClear();
    expect((await second.get(path)).status).toBe(200);
    return made.mock.calls.length;
  };
  try {
    const notable = await count('/home?state=running');
    expect(notable).toBe(20);
    for (const path of ['/home', '/home?page=2', '/home?playbook=ladder', '/home?text=btcusdt'])
      expect(await count(path)).toBeLessThanOrEqual(notable + 30);
    expect(await count('/orders?id=none')).toBe(0);
  } finally {
    made.mockRestore();
  }
});

test('a run that was continued meanwhile is shown as it is now from the first page on', async () => {
  await continueRun(stateDir, 'r-0005', resumedRun().slice(killedRun().length));
  const server = await served({ stateDir });
  await server.desk.runs.open();
  await complete(server);
  const [row] = [server.desk.runs.row('r-0005')];
  expect(row?.state).toBe('done');
  expect(readFileSync(journalPath(stateDir, 'r-0005'), 'utf8')).toContain('resumed');
});

test('the names that the last server noted count until a run comes or goes', async () => {
  await setTimeout(2_100); // folders that have just changed are listed
  const last = await served({ stateDir });
  await last.desk.runs.open();
  await complete(last);
  last.desk.runs.keep(true);
  const open = async (): Promise<{ readonly isListed: boolean; readonly all: string[] }> => {
    const server = await served({ stateDir });
    const paths = await openedIn(stateDir, () => server.desk.runs.open());
    const selected = server.desk.runs.select();
    const all = Array.from({ length: selected.length }, (_none, at) => selected.row(at).run);
    return { isListed: paths.includes(join(stateDir, 'runs')), all };
  };
  const before = await open();
  expect([before.isListed, before.all.includes('r-0006')]).toEqual([false, true]);
  rmSync(join(stateDir, 'runs', 'r-0006'), { recursive: true });
  rmSync(markPath(stateDir, 'r-0006'));
  const without = await open();
  expect([without.isListed, without.all]).toEqual([
    true,
    before.all.filter((run) => run !== 'r-0006'),
  ]);
  writeFileSync(join(stateDir, 'listed'), 'x');
  expect((await open()).all).toEqual(without.all);
});

test('a link in the folders of runs is refused although the last server noted their names', async () => {
  const start = async (): Promise<void> => {
    refuseLinksIn(stateDir, false, foldersWithoutLinks(stateDir));
  };
  const note = async (): Promise<void> => {
    await setTimeout(2_100); // folders that have just changed are listed
    const server = await served({ stateDir });
    await server.desk.runs.open();
    await complete(server);
    server.desk.runs.keep(true);
  };
  const listed = join(stateDir, 'runs');
  await note();
  expect(foldersWithoutLinks(stateDir)).toEqual(new Set([listed, join(stateDir, 'high-water')]));
  expect(await openedIn(stateDir, start)).toEqual([]);
  symlinkSync(root, join(listed, 'r-link'));
  await expect(openedIn(stateDir, start)).rejects.toThrow('r-link is a link');
  await note();
  await expect(openedIn(stateDir, start)).rejects.toThrow('r-link is a link');
  rmSync(join(listed, 'r-link'));
  expect(await openedIn(stateDir, start)).toContain(listed);
});
