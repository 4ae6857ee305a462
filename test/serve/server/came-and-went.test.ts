/** Runs that come, go and change between starts: each server lists what one lists that begins with nothing. */
import fc from 'fast-check';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { minute } from '../../../src/base/clock.ts';
import { cataloguePath } from '../../../src/engine/journal/catalogue.ts';
import { blocksOf, type Fact } from '../../../src/engine/journal/catalogue-blocks.ts';
import type { Entry } from '../../../src/engine/journal/entry.ts';
import { markPath } from '../../../src/engine/journal/high-water.ts';
import { unframe } from '../../../src/engine/journal/record.ts';
import { journalPath, runFolder } from '../../../src/engine/journal/runs.ts';
import { listedKind } from '../../../src/report/overview/listed.ts';
import { fromLists, rowsIn } from '../../../src/serve/server/run-filter.ts';
import type { RunRow } from '../../../src/serve/server/run-row.ts';
import { doneRun, doubtRun, killedRun, stoppedRun } from '../../support/entries.ts';
import { recordRun } from '../../support/recorded.ts';
import { served, type Served } from './desk.ts';

const kinds = [doneRun, stoppedRun, doubtRun, doneRun, killedRun];
const sequences = 5;
const starts = 9; // of each sequence
const runs = 20;
const perBlock = 5;
const last = { isLast: true };
let root: string;
let folders: readonly string[];

function nameOf(number: number): string {
  return `r-${String(number).padStart(4, '0')}`;
}

/** A run of a kind that began some minutes later. */
function entriesOf(number: number, kind: number): readonly Entry[] {
  const later = number * minute;
  return (kinds[kind % kinds.length]?.() ?? []).map((entry) => ({
    ...entry,
    at: entry.at + later,
    ...('time' in entry && { time: entry.time + later }),
  }));
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'came-and-went-'));
  folders = Array.from({ length: sequences }, (_none, at) => join(root, String(at)));
  for (const stateDir of folders) {
    for (let number = 0; number < runs; number++)
      await recordRun(stateDir, entriesOf(number, number), nameOf(number));
  }
  await setTimeout(2_100); // files that have just changed are not stored
  for (const stateDir of folders) {
    await lists(stateDir, last);
    packed(stateDir);
  }
}, 60_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

/**
 * Puts what is stored into small blocks: a desk with thousands of runs has such ones of a thousand.
 * @param lost how many of the runs are then missing in the lists
 */
function packed(stateDir: string, lost = 0): void {
  const facts = readFileSync(cataloguePath(stateDir), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(unframe(line)) as Fact);
  const listed = facts.filter(({ kind }) => kind === listedKind);
  const blocks: string[] = [];
  for (let from = lost; from < listed.length; from += perBlock)
    blocks.push(...blocksOf(listedKind, listed.slice(from, from + perBlock)));
  for (const kind of new Set(facts.map((fact) => fact.kind))) {
    if (kind === listedKind) continue;
    blocks.push(
      ...blocksOf(
        kind,
        facts.filter((fact) => fact.kind === kind),
      ),
    );
  }
  writeFileSync(cataloguePath(stateDir), blocks.join(''));
}

async function complete({ desk, poll }: Served): Promise<void> {
  do await poll();
  while (desk.runs.isBehind());
}

interface Listed {
  /** The runs that are listed before any file was looked at. */
  readonly begun: readonly string[];
  readonly rows: readonly RunRow[];
  /** The first page of their orders, with the sums of all. */
  readonly orders: string;
}

/** The runs of a list as a page makes it. */
async function listedBy({ desk }: Served): Promise<readonly string[]> {
  const rows = await fromLists(1, () => rowsIn(desk.runs.select()));
  return rows.map(({ run }) => run);
}

/** The lists of a server that begins now, and what it stores at its end. */
async function lists(stateDir: string, keeps?: { readonly isLast: boolean }): Promise<Listed> {
  const server = await served({ stateDir });
  const { desk } = server;
  await desk.runs.open();
  const begun = await listedBy(server);
  await complete(server);
  const rows = rowsIn(desk.runs.select());
  const orders = await (await server.get('/orders')).text();
  if (keeps) desk.runs.keep(keeps.isLast);
  server.close();
  return { begun, rows, orders };
}

/** The list of a server that begins with nothing but the files of the runs. */
async function listFromNothing(stateDir: string): Promise<Omit<Listed, 'begun'>> {
  const copy = mkdtempSync(join(root, 'copy-'));
  for (const folder of ['runs', 'high-water'])
    cpSync(join(stateDir, folder), join(copy, folder), { recursive: true });
  const { rows, orders } = await lists(copy);
  rmSync(copy, { recursive: true });
  return {
    rows: rows.map((row) => ({ ...row, what: row.what.replace(copy, stateDir) })),
    orders: orders.replaceAll(copy, stateDir),
  };
}

/** What happens to the runs between two starts; of a run that is not there nothing. */
const changes = {
  comes: async (stateDir, number, kind) => {
    if (isThere(stateDir, number)) return;
    rmSync(markPath(stateDir, nameOf(number)), { force: true });
    await recordRun(stateDir, entriesOf(number, kind), nameOf(number));
  },
  goes: (stateDir, number) => {
    rmSync(runFolder(stateDir, nameOf(number)), { recursive: true, force: true });
    rmSync(markPath(stateDir, nameOf(number)), { force: true });
  },
  'loses its folder': (stateDir, number) => {
    rmSync(runFolder(stateDir, nameOf(number)), { recursive: true, force: true });
  },
  'is damaged': (stateDir, number) => {
    if (!isThere(stateDir, number)) return;
    const path = journalPath(stateDir, nameOf(number));
    writeFileSync(path, readFileSync(path, 'utf8').split('\n').with(1, '{}').join('\n'));
  },
  'is another one': async (stateDir, number, kind) => {
    changes.goes(stateDir, number);
    await changes.comes(stateDir, number, kind + 1);
  },
  'finds a damaged catalogue': (stateDir, number) => {
    const bytes = readFileSync(cataloguePath(stateDir));
    bytes[(number * 997) % bytes.length] = 0x7a;
    writeFileSync(cataloguePath(stateDir), bytes);
  },
  'finds a shorter catalogue': (stateDir, number) => {
    const bytes = readFileSync(cataloguePath(stateDir));
    writeFileSync(cataloguePath(stateDir), bytes.subarray(0, (number * 997) % bytes.length));
  },
  'finds other names': (stateDir) => writeFileSync(join(stateDir, 'listed'), 'x'),
  'waits until files are stored': () => setTimeout(2_100),
} satisfies Readonly<Record<string, (stateDir: string, number: number, kind: number) => unknown>>;

function isThere(stateDir: string, number: number): boolean {
  return readdirSync(join(stateDir, 'runs')).includes(nameOf(number));
}

const change = fc.record({
  what: fc.constantFrom(
    ...(Object.keys(changes) as (keyof typeof changes)[]),
    ...(['comes', 'goes', 'waits until files are stored'] as const),
  ),
  number: fc.nat({ max: runs + 10 }),
  kind: fc.nat({ max: 4 }),
});
const between = fc.record({
  changes: fc.array(change, { maxLength: 3 }),
  keeps: fc.option(fc.record({ isLast: fc.boolean() }), { nil: undefined }),
});
const sequence = fc.array(between, { minLength: starts, maxLength: starts });

test('each start lists what one lists that begins with nothing', async () => {
  const some = fc.sample(sequence, sequences);
  await Promise.all(
    folders.map(async (stateDir, at) => {
      for (const { changes: happened, keeps } of some[at] ?? []) {
        for (const { what, number, kind } of happened) await changes[what](stateDir, number, kind);
        const { begun, ...listed } = await lists(stateDir, keeps);
        const expected = await listFromNothing(stateDir);
        expect({ happened, ...listed }).toEqual({ happened, ...expected });
        const there = new Set(expected.rows.map(({ run }) => run));
        expect(begun.filter((run) => !there.has(run))).toEqual([]); // from the first page on
      }
    }),
  );
}, 120_000);

test('a start lists all runs at once although the catalogue lost some that the last server had', async () => {
  const stateDir = join(root, 'lost');
  for (let number = 0; number < 2 * perBlock; number++)
    await recordRun(stateDir, entriesOf(number, 0), nameOf(number));
  await setTimeout(2_100); // files that have just changed are not stored
  await lists(stateDir, last);
  const facts = readFileSync(cataloguePath(stateDir));
  packed(stateDir);
  await recordRun(stateDir, entriesOf(2 * perBlock, 0), nameOf(2 * perBlock));
  await setTimeout(2_100);
  const { rows } = await lists(stateDir, last); // notes the name that the catalogue did not have
  writeFileSync(cataloguePath(stateDir), facts);
  packed(stateDir, perBlock);
  const server = await served({ stateDir });
  await server.desk.runs.open();
  expect(server.desk.runs.progress()).toEqual({ done: perBlock, of: rows.length });
  await server.poll();
  expect(rowsIn(server.desk.runs.select())).toEqual(rows);
  server.close();
}, 30_000);
