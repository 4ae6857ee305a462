/** What commands read of a database with months of runs: what they need, and not every ended run. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filledDatabase, type FilledDatabase } from '../../bench/processes/filled-database.ts';
import { deskhand, type Ended } from '../cli/deskhand.ts';
import { files } from '../cli/ladder.ts';
import { startSandbox } from '../cli/sandbox.ts';
import { deskOver, folder, worker, type Desk } from './desk.ts';

const ended = 3_000; // runs of others, each on one of as many accounts
const running = 20;
const rowsMax = 400; // of any step of a plan; a run of the ladder has fewer lines

interface Filled extends Desk {
  readonly database: FilledDatabase;
}

async function filled(): Promise<Filled> {
  const [database, exchange] = await Promise.all([
    filledDatabase({ runs: ended, rows: 3, bytes: 128, accounts: ended, running }),
    startSandbox(),
  ]);
  const state = '{ store: postgres, url: { env: DESK_DATABASE }, lease: 1m }';
  const all = await deskOver(exchange, state, { DESK_DATABASE: database.explained });
  return { ...all, database };
}

/** A machine that has fetched nothing, whose profiles have an account-id. */
function machine(all: Desk, playbook = files['ladder.yaml']): string {
  const cwd = folder(all);
  const path = join(cwd, 'deskhand.yaml');
  const main = `base-url: "${all.exchange.baseUrl}"`;
  const config = readFileSync(path, 'utf8').replace(main, `${main}, account-id: desk-1`);
  writeFileSync(path, config);
  writeFileSync(join(cwd, 'ladder.yaml'), playbook);
  return cwd;
}

const runsIn = (cwd: string): readonly string[] => {
  const runs = join(cwd, '.deskhand', 'runs');
  return existsSync(runs) ? readdirSync(runs).toSorted() : [];
};

/** Statements that read more rows than they need, since the last call. */
const wasteful = ({ database }: Filled): readonly string[] =>
  database
    .plans()
    .filter(({ rows }) => rows > rowsMax)
    .map(({ statement, rows }) => `${rows} rows: ${statement}`);

async function expectFrugal(
  all: Filled,
  cwd: string,
  words: readonly string[],
  env = all.keys,
): Promise<Ended> {
  const done = await deskhand(words, { cwd, env });
  expect([words, done.code, done.stderr]).toEqual([
    words,
    0,
    expect.not.stringContaining('damaged'),
  ]);
  expect([words, wasteful(all)]).toEqual([words, []]);
  return done;
}

test('no command for one run or one playbook reads the ended runs of others', async () => {
  const all = await filled();
  const [desk, reviewer, working] = [machine(all), machine(all), machine(all)];
  wasteful(all);
  await worker(all, {}, working);
  const out = ['--out', 'plan.json'];
  await expectFrugal(all, reviewer, ['plan', 'ladder.yaml', '--queue', ...out], all.reviewer);
  const text = readFileSync(join(reviewer, 'plan.json'), 'utf8');
  const { run } = JSON.parse(text);
  const queued = ['run', 'plan.json', '--queue', '--follow'];
  await expectFrugal(all, reviewer, queued, all.reviewer);
  expect(runsIn(working)).toEqual([run]);

  for (const verb of ['show', 'logs', 'files', 'replay']) {
    const cwd = machine(all);
    await expectFrugal(all, cwd, ['runs', verb, run], all.reviewer);
    expect([verb, runsIn(cwd)]).toEqual([verb, [run]]);
  }
  await expectFrugal(all, desk, ['resume', run]);
  await expectFrugal(all, desk, ['plan', 'ladder.yaml']);
  await expectFrugal(all, desk, ['run', '1.yaml']);
  const rows = ['market/list-tickers', 'category=SPOT', '--file', 'x.csv'];
  await expectFrugal(all, desk, ['export', ...rows, '--profile', 'main']);
  await expectFrugal(all, desk, ['workers']);
  await expectFrugal(all, desk, ['schedule', 'list']);
  expect(runsIn(desk)).toContain(run);
  expect(runsIn(desk).filter((each) => /^r-\d+$/.test(each))).toEqual([]);
});
