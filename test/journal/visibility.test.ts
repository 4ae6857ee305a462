/** What runs learned of an account's lists, found in their journals. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { standingClock } from '../../src/base/clock.ts';
import type { Destination, Visibility } from '../../src/journal/entry.ts';
import { accountOf } from '../../src/journal/account.ts';
import { createRun, runFolder } from '../../src/journal/runs.ts';
import { readVisibilities } from '../../src/journal/visibility.ts';
import { live, started } from '../support/desk-setup.ts';
import { listedOn } from '../support/listed.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'visibility-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

let made = 0;

/** A run, newer than all before, that learned this. */
async function ran(
  orders: readonly Visibility['orders'][],
  destination: Destination = live,
): Promise<string> {
  made += 1;
  const run = `r-${made}`;
  const clock = standingClock(1_790_000_000_000 + made);
  const header = { run, playbook: 'desk-setup', destination, program: 'test' };
  const journal = await createRun(folder, { ...header, createdAt: clock.now() }, clock);
  await journal.append(started(run, destination));
  for (const visibility of listedOn(destination).values()) {
    for (const each of orders) {
      const order = { ...visibility.order, run };
      await journal.append({ kind: 'visibility', ...visibility, orders: each, order });
    }
  }
  await journal.close();
  return run;
}

const learned = async (account: Destination = live): Promise<string> => {
  const found = (await readVisibilities(folder, [account])).get(accountOf(account));
  return found === undefined ? 'nothing' : `${found.orders} by ${found.order.run}`;
};

test('nothing is known before the first run, and of other accounts after it', async () => {
  expect(await learned()).toBe('nothing');
  const run = await ran(['listed']);
  expect(await learned()).toBe(`listed by ${run}`);
  expect(await learned({ ...live, keyFingerprint: 'ffffffff' })).toBe('nothing');
  expect(await learned({ ...live, host: 'elsewhere' })).toBe('nothing');
});

test('it belongs to the account, by whatever name its profile goes', async () => {
  const run = await ran(['listed']);
  expect(await learned({ ...live, profile: 'renamed' })).toBe(`listed by ${run}`);
});

test('a run that learned nothing hides no earlier one', async () => {
  const run = await ran(['unlisted']);
  await ran([]);
  await ran(['unknown']);
  expect(await learned()).toBe(`unlisted by ${run}`);
});

test('a proof outlives what was looked for in vain', async () => {
  const run = await ran(['unlisted', 'listed', 'unknown']);
  expect(await learned()).toBe(`listed by ${run}`);
});

test('a damaged journal tells nothing, and takes no proof back', async () => {
  const run = await ran(['listed']);
  const damaged = await ran(['unlisted']);
  const path = join(runFolder(folder, damaged), 'journal.ndjson');
  await writeFile(path, (await readFile(path, 'utf8')).replace('desk', 'dusk'));
  expect(await learned()).toBe(`listed by ${run}`);
});

test('of a sandbox nothing is looked for', async () => {
  const sandbox: Destination = { ...live, target: 'sandbox' };
  await ran(['unlisted'], sandbox);
  expect(await learned(sandbox)).toBe('nothing');
});
