/** What a worker fetches before it starts or continues a run: the runs on its accounts. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPostgres } from '../../src/state-store/postgres/runs.ts';
import { batchOf, lease, requestOf, taken } from '../state-store/shared/contract.ts';
import { hurried, loseSecondAnswer } from '../cli/under-way.ts';
import {
  desk,
  expectOrders,
  folder,
  follow,
  isLost,
  planned,
  type,
  worker,
  type PostgresDesk,
} from './desk.ts';

/** A checkout whose profile has an account-id. @param more of the profile */
function checkout(all: PostgresDesk, more = ''): string {
  const cwd = folder(all);
  const path = join(cwd, 'deskhand.yaml');
  const named = `base-url: "${all.exchange.baseUrl}", account-id: desk-1${more}`;
  const config = readFileSync(path, 'utf8');
  writeFileSync(path, config.replace(`base-url: "${all.exchange.baseUrl}"`, named));
  return cwd;
}

async function plantOther({ server }: PostgresDesk): Promise<string> {
  const runs = openPostgres({ url: server.url(), lease });
  const run = 'r-ther2345';
  const { holder } = await taken(runs, requestOf(run, { playbook: 'ladder-hedge' }));
  expect(await runs.keep(holder, batchOf(0, 'not a line of a journal\n'))).toBe(true);
  await runs.close();
  return run;
}

const runsIn = (cwd: string): readonly string[] =>
  readdirSync(join(cwd, '.deskhand', 'runs')).toSorted();

test('a worker starts and continues a run with the runs on its account, and without those on others', async () => {
  const all = await desk();
  const cwd = checkout(all);
  const before = await type(all, cwd, ['run', '1.yaml']);
  expect([before.code, before.stderr]).toEqual([0, expect.any(String)]);
  const known = runsIn(cwd);
  const { file, run } = await planned(all, cwd);
  await plantOther(all);
  await loseSecondAnswer(all.exchange);
  const [one, two] = [checkout(all), checkout(all)];
  const first = await worker(all, {}, one);
  const followed = follow(all, cwd, file);
  while (!(await isLost(all))) expect(first.child.exitCode).toBe(null);
  first.child.kill('SIGKILL');
  await worker(all, hurried(all.exchange), two);
  const { code, stderr } = await followed;
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  await expectOrders(all, 6);
  for (const here of [one, two]) expect(runsIn(here)).toEqual([...known, run].toSorted());
});

test('a worker whose configuration declares a former id of the account needs the runs on all of them', async () => {
  const all = await desk();
  const cwd = checkout(all);
  const { file } = await planned(all, cwd);
  await plantOther(all);
  const working = await worker(all, {}, checkout(all, ', former-ids: [desk-0]'));
  const { code } = await follow(all, cwd, file);
  expect(code).not.toBe(0);
  expect(working.said()).toContain('r-ther2345');
  await expectOrders(all, 0);
});
