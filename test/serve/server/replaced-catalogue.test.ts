/** Pages answer although the catalogue is replaced or damaged between the start of the server and its first look. */
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bytesIn } from '../../../src/engine/journal/catalogue-bytes.ts';
import { CatalogueLines } from '../../../src/engine/journal/catalogue-lines.ts';
import { cataloguePath } from '../../../src/engine/journal/catalogue.ts';
import { doneRun } from '../../support/entries.ts';
import { recordRun } from '../../support/recorded.ts';
import { served, type Served } from './desk.ts';

const runs = 5;
const stateDir = mkdtempSync(join(tmpdir(), 'replaced-catalogue-'));
const path = cataloguePath(stateDir);
let intact = '';

const complete = async ({ desk, poll }: Served): Promise<void> => {
  do await poll();
  while (desk.runs.isBehind());
};
const replace = (): void => {
  writeFileSync(`${path}.new`, intact);
  renameSync(`${path}.new`, path);
};

beforeAll(async () => {
  for (let number = 0; number < runs; number++) {
    const entries = doneRun().map((entry) => ({ ...entry, at: entry.at + number }));
    await recordRun(stateDir, entries, `r-${number}`);
  }
  await setTimeout(2_100); // files that have just changed are not stored
  const first = await served({ stateDir });
  await complete(first);
  first.desk.runs.keep(true);
  const stored = new CatalogueLines(bytesIn(readFileSync(path)));
  intact = stored.packed(() => true, []);
});
afterAll(() => rmSync(stateDir, { recursive: true, force: true }));

test.each([
  ['the file is replaced', replace],
  ['a block is damaged', () => writeFileSync(path, intact.replaceAll('desk-setup', 'desk-SETUP'))],
])('%s: runs are counted as unread, then read', async (_name, change) => {
  replace();
  rmSync(join(stateDir, 'listed'), { force: true }); // it notes runs outside of blocks
  const server = await served({ stateDir });
  await server.desk.runs.open();
  const { length } = server.desk.runs.select();
  change();
  const counts = async (): Promise<readonly unknown[]> => {
    const response = await server.get('/home');
    const { all, unread, runs: shown } = (await response.json()) as Counted;
    return [response.status, all, unread, shown.length, server.errors.length];
  };
  expect([length, await counts()]).toEqual([runs, [200, 0, runs, 0, 0]]);
  await complete(server);
  expect(await counts()).toEqual([200, runs, 0, runs, 0]);
});

interface Counted {
  readonly all: number;
  readonly unread: number;
  readonly runs: readonly unknown[];
}
