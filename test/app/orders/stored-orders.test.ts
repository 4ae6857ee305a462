/** Orders of ended runs are stored, and count while the files of their run are unchanged. */
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ordersOfRun } from '../../../src/app/orders/recorded-orders.ts';
import { StoredOrders } from '../../../src/app/orders/stored-orders.ts';
import { cataloguePath } from '../../../src/engine/journal/catalogue.ts';
import { markPath } from '../../../src/engine/journal/high-water.ts';
import { frame, unframe } from '../../../src/engine/journal/record.ts';
import { journalPath, runFolder } from '../../../src/engine/journal/runs.ts';
import {
  approvedRun,
  doneRun,
  doubtRun,
  killedRun,
  longRun,
  resumedRun,
} from '../../support/entries.ts';
import { continueRun, recordRun } from '../../support/recorded.ts';

const ended = { done: doneRun(), approved: approvedRun(), doubt: doubtRun() };
const unstored = { killed: killedRun(), long: longRun(1_100) };
const runs = [...Object.keys(ended), ...Object.keys(unstored)];
let stateDir: string;
let path: string;

beforeAll(async () => {
  stateDir = mkdtempSync(join(tmpdir(), 'stored-orders-'));
  path = cataloguePath(stateDir, 'orders');
  for (const [run, entries] of Object.entries({ ...ended, ...unstored }))
    await recordRun(stateDir, entries, run);
  await setTimeout(2_100); // files that have just changed are not stored
}, 30_000);
afterAll(() => rmSync(stateDir, { recursive: true, force: true }));

async function read(keeps = false): Promise<Readonly<Record<string, unknown>>> {
  const stored = new StoredOrders(stateDir);
  const found: Record<string, unknown> = {};
  for (const run of runs) found[run] = (await stored.of(run)).orders;
  if (keeps) await stored.keep();
  return found;
}

async function recorded(): Promise<Readonly<Record<string, unknown>>> {
  const found: Record<string, unknown> = {};
  for (const run of runs) found[run] = (await ordersOfRun(stateDir, run)).orders;
  return found;
}

function lines(): readonly { readonly run: string }[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(unframe(line)) as { readonly run: string });
}

/** Gives the stored orders addresses that only the file has. */
function forge(): void {
  const text = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  const forged = text.map((line) => frame(unframe(line).replaceAll('ladder[', 'forged[')));
  writeFileSync(path, forged.join(''));
}

function isForged(found: unknown): boolean {
  return JSON.stringify(found).includes('forged');
}

test('those of ended runs are stored as their records have them, of up to a thousand orders', async () => {
  expect(await read()).toEqual(await recorded());
  expect(existsSync(path)).toBe(false); // it may not write
  expect(await read(true)).toEqual(await recorded());
  expect(lines().map(({ run }) => run)).toEqual(Object.keys(ended));
  expect(await read(true)).toEqual(await recorded());
  expect(lines()).toHaveLength(Object.keys(ended).length);
});

test('they count until a file of the run changes, and a damaged line does not', async () => {
  await read(true);
  const whole = readFileSync(path);
  forge();
  const forged = await read();
  expect(runs.filter((run) => isForged(forged[run]))).toEqual(['done', 'approved', 'doubt']);
  utimesSync(journalPath(stateDir, 'done'), 1, 1);
  rmSync(runFolder(stateDir, 'approved'), { recursive: true });
  rmSync(markPath(stateDir, 'approved'));
  await recordRun(stateDir, doubtRun(), 'approved');
  const changed = await read();
  expect(runs.filter((run) => isForged(changed[run]))).toEqual(['doubt']);
  expect(changed['approved']).toEqual((await recorded())['approved']);
  writeFileSync(path, whole.toString().replaceAll('ladder[', 'LADDER[')); // not its checksums
  expect(await read()).toEqual(await recorded());
});

test('a run that continues has its later orders', async () => {
  const before = await read(true);
  await continueRun(stateDir, 'killed', resumedRun().slice(killedRun().length));
  const now = await read();
  expect(now).toEqual(await recorded());
  expect(now['killed']).not.toEqual(before['killed']);
});
