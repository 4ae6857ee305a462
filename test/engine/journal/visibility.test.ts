/** What runs learned about an account's lists, read from their journals. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { standingClock } from '../../../src/base/clock.ts';
import type { ProductType } from '../../../src/exchange/api/vocabulary.ts';
import type { Destination } from '../../../src/engine/journal/entry.ts';
import type { Visibility } from '../../../src/engine/journal/visible.ts';
import { createRun, runFolder } from '../../../src/engine/journal/runs.ts';
import { readVisibilities, visibilitiesOf } from '../../../src/engine/journal/visibility.ts';
import { live, orderInput, started } from '../../support/desk-setup.ts';
import { listedOn } from '../../support/listed.ts';

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
  productType: ProductType = 'USDT-FUTURES',
): Promise<string> {
  made += 1;
  const run = `r-${made}`;
  const clock = standingClock(1_790_000_000_000 + made);
  const header = { run, playbook: 'desk-setup', destination, program: 'test' };
  const journal = await createRun(folder, { ...header, createdAt: clock.now() }, clock);
  await journal.append(started(run, destination));
  for (const visibility of listedOn(destination, [productType]).values()) {
    for (const each of orders) {
      const order = { ...visibility.order, run };
      await journal.append({ kind: 'visibility', ...visibility, orders: each, order });
    }
  }
  await journal.close();
  return run;
}

const learned = async (account: Destination = live): Promise<string> => {
  const found = visibilitiesOf(account, await readVisibilities(folder, [account]));
  const lines = [...found].map(
    ([productType, { orders, order }]) => `${productType} ${orders} by ${order.run}`,
  );
  return lines.join(', ').replace(/^USDT-FUTURES /, '') || 'nothing';
};

test('nothing is known before the first run, or about other accounts after it', async () => {
  expect(await learned()).toBe('nothing');
  const run = await ran(['listed']);
  expect(await learned()).toBe(`listed by ${run}`);
  expect(await learned({ ...live, keyFingerprint: 'ffffffff' })).toBe('nothing');
  expect(await learned({ ...live, host: 'elsewhere' })).toBe('nothing');
});

test('it belongs to the account under any profile name', async () => {
  const run = await ran(['listed']);
  expect(await learned({ ...live, profile: 'renamed' })).toBe(`listed by ${run}`);
});

test('a run without a result does not hide an earlier one', async () => {
  const run = await ran(['unlisted']);
  await ran([]);
  await ran(['unknown']);
  expect(await learned()).toBe(`unlisted by ${run}`);
});

test('a proof remains valid after a later search without a result', async () => {
  const run = await ran(['unlisted', 'listed', 'unknown']);
  expect(await learned()).toBe(`listed by ${run}`);
});

test('a damaged journal gives no result and revokes no proof', async () => {
  const run = await ran(['listed']);
  const damaged = await ran(['unlisted']);
  const path = join(runFolder(folder, damaged), 'journal.ndjson');
  await writeFile(path, (await readFile(path, 'utf8')).replace('desk', 'dusk'));
  expect(await learned()).toBe(`listed by ${run}`);
});

test('nothing is looked up on a sandbox', async () => {
  const sandbox: Destination = { ...live, target: 'sandbox' };
  await ran(['unlisted'], sandbox);
  expect(await learned(sandbox)).toBe('nothing');
});

test('one product line proves nothing about another', async () => {
  const usdt = await ran(['listed']);
  expect(await learned()).toBe(`listed by ${usdt}`);
  const coin = await ran(['unknown'], live, 'COIN-FUTURES');
  expect(await learned()).toBe(`COIN-FUTURES unknown by ${coin}, USDT-FUTURES listed by ${usdt}`);
});

describe('an entry of an older version without a product line', () => {
  /** A run that learned it from an order: its own, or one of another run. */
  async function older(productType: ProductType | undefined, of?: string): Promise<string> {
    made += 1;
    const run = `r-${made}`;
    const clock = standingClock(1_790_000_000_000 + made);
    const header = { run, playbook: 'desk-setup', destination: live, program: 'test' };
    const journal = await createRun(folder, { ...header, createdAt: clock.now() }, clock);
    await journal.append(started(run, live));
    if (productType !== undefined) {
      await journal.append({
        kind: 'intended',
        address: 'first',
        operation: 'futures/place-order',
        input: { ...orderInput('61500.0'), productType },
        identity: 'x',
        attempt: 1,
        signedAt: 1,
      });
    }
    for (const { line: _unnamed, ...visibility } of listedOn(live).values()) {
      const order = { ...visibility.order, run: of ?? run };
      await journal.append({ kind: 'visibility', ...visibility, order });
    }
    await journal.close();
    return run;
  }

  test('proves the product type of its order', async () => {
    const run = await older('COIN-FUTURES');
    expect(await learned()).toBe(`COIN-FUTURES listed by ${run}`);
  });

  test('is found by the run that placed the order, whichever run copied it', async () => {
    const run = await older('USDT-FUTURES');
    await older('COIN-FUTURES', run);
    expect(await learned()).toBe(`listed by ${run}`);
  });

  test('proves nothing if the line is unknown', async () => {
    await older(undefined, 'r-gone');
    await older(undefined);
    expect(await learned()).toBe('nothing');
  });
});
