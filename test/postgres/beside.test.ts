/** What a worker fetches before it starts or continues a run: the runs on its accounts. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storedRuns } from '../../src/engine/journal/stored-runs.ts';
import { openPostgres } from '../../src/stores/postgres/runs.ts';
import { batchOf, lease, requestOf, taken } from '../stores/shared/contract.ts';
import { deskhand } from '../cli/deskhand.ts';
import { files } from '../cli/ladder.ts';
import { control, hurried, loseSecondAnswer } from '../cli/under-way.ts';
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
import { login } from './server.ts';

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

const summariesIn = (cwd: string): readonly string[] =>
  [...storedRuns(join(cwd, '.deskhand')).names()].toSorted();

test('a worker starts and continues a run with the runs on its account, and without those on others', async () => {
  const all = await desk('10s');
  const cwd = checkout(all);
  const before = await type(all, cwd, ['run', '1.yaml']);
  expect([before.code, before.stderr]).toEqual([0, expect.any(String)]);
  const known = runsIn(cwd);
  const { file, run } = await planned(all, cwd);
  await plantOther(all);
  await loseSecondAnswer(all.exchange);
  const [one, two, three] = [checkout(all), checkout(all), checkout(all)];
  const first = await worker(all, {}, one);
  const followed = follow(all, cwd, file);
  while (!(await isLost(all))) expect(first.child.exitCode).toBe(null);
  first.child.kill('SIGKILL');
  const shown = async (): Promise<string> =>
    (await deskhand(['runs', 'show', run, '-o', 'ndjson'], { cwd: three, env: all.reviewer }))
      .stdout;
  expect(await shown()).not.toContain('"finished"');
  await worker(all, hurried(all.exchange), two);
  const { code, stderr } = await followed;
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  expect(await shown()).toContain('"finished"'); // what was added since it was fetched
  await expectOrders(all, 6);
  // Of a run that ended and left nothing a summary is enough: its process stored it with the end.
  for (const here of [one, two]) expect([runsIn(here), summariesIn(here)]).toEqual([[run], known]);
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

test('resolve fetches the runs on the accounts of its run, and all of them after lines were lost', async () => {
  const all = await desk();
  const asks = (): string => checkout(all, ', on-doubt: ask');
  const cwd = asks();
  await control(all.exchange, 'PUT', 'faults', { rules: [dropped] });
  const env = { ...all.keys, ...hurried(all.exchange) };
  const { code } = await deskhand(['run', 'ladder.yaml'], { cwd, env });
  expect(code).toBe(6);
  const [run = ''] = runsIn(cwd);
  const other = await plantOther(all);
  const looking = ['resolve', run, '--from-exchange', '--dry-run'];
  const here = asks();
  const looked = await deskhand(looking, { cwd: here, env });
  expect([looked.code, looked.stdout]).toEqual([0, expect.stringContaining('absent')]);
  expect(runsIn(here)).toEqual([run]);
  await all.server.sql('update deskhand.meta set restored = restored + 1', login.database);
  const again = await deskhand(looking, { cwd: here, env });
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining(other)]); // it is damaged
  expect(runsIn(here)).toEqual([run, other].toSorted());
});

/** The second order never arrives. */
const dropped = {
  match: { operation: 'futures/place-order', nth: 2 },
  when: 'before',
  times: 1,
  action: { kind: 'reset' },
};

/** A ladder with a step on another account that is not executed. */
const beside = `${files['ladder.yaml']}`.replace(
  'steps:\n',
  `steps:
  - id: other
    if: "{{ gt inputs.rungs 100 }}"
    account: other
    uses: order/list-open
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
`,
);

test.each([
  ['from the environment', '{ env: OTHER }', { OTHER_API_KEY: 'k2345678' }, false],
  ['from a program', '{ exec: [touch, asked] }', {}, true],
])('the runs on an account that a step names, with a key %s', async (_, secrets, env, isWhole) => {
  const all = await desk();
  const cwd = checkout(all);
  const path = join(cwd, 'deskhand.yaml');
  const other = `  other: { target: sandbox, base-url: "${all.exchange.baseUrl}", account-id: desk-2, secrets: ${secrets} }`;
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(/(profiles: )\{ (main: .*) \}/, `profiles:\n  $2\n${other}`),
  );
  writeFileSync(join(cwd, 'ladder.yaml'), beside);
  await plantOther(all);
  const keys = { ...all.keys, ...env };
  const { code, stderr } = await deskhand(['plan', 'ladder.yaml'], { cwd, env: keys });
  expect([code, stderr]).toEqual(isWhole ? [1, expect.stringContaining('r-ther2345')] : [0, '']);
  expect(existsSync(join(cwd, 'asked'))).toBe(false);
});
