/** The command line over a real database: what people type, on machines with a folder each. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deskhand, folderWith, type Ended } from '../cli/deskhand.ts';
import { files, ownOrders } from '../cli/ladder.ts';
import { startSandbox, type Started } from '../cli/sandbox.ts';
import { control, hurried, killed, loseSecondAnswer, underWay } from '../cli/under-way.ts';
import { login, startPostgres, type PostgresServer } from './server.ts';

interface Desk {
  readonly server: PostgresServer;
  readonly exchange: Started;
  readonly env: Readonly<Record<string, string>>;
}

async function desk(): Promise<Desk> {
  const [server, exchange] = await Promise.all([startPostgres(), startSandbox()]);
  const env = { ...exchange.env('hedge'), DESK_DATABASE: server.url() };
  return { server, exchange, env };
}

/** A machine: a folder with the configuration and the playbook. No lease ends by itself during a test. */
function machine({ exchange }: Desk): string {
  const config = `profile: main
profiles: { main: { target: sandbox, base-url: "${exchange.baseUrl}" } }
state: { store: postgres, url: { env: DESK_DATABASE }, lease: 5m }
`;
  return folderWith({ 'deskhand.yaml': config, 'ladder.yaml': files['ladder.yaml'] });
}

const at =
  ({ env }: Desk, cwd: string) =>
  (...words: readonly string[]): Promise<Ended> =>
    deskhand(words, { cwd, env });

test('tables are made once, and doctor reports the database', async () => {
  const all = await desk();
  const type = at(all, machine(all));
  const early = await type('run', 'ladder.yaml');
  expect([early.code, early.stderr]).toEqual([
    5,
    expect.stringContaining('deskhand store upgrade'),
  ]);
  expect(await type('store', 'upgrade')).toMatchObject({
    code: 0,
    stdout: 'created the tables, version 6\n',
  });
  expect(await type('store', 'upgrade')).toMatchObject({
    code: 0,
    stdout: 'the tables have version 6\n',
  });
  const { stdout } = await type('doctor');
  expect(stdout).toMatch(
    /postgres \(from deskhand.yaml\), reachable; 0 runs in progress; server \d+/,
  );
  expect(stdout).toContain('no synchronous standby');
});

test('a machine is killed in a run: another continues it after the lease, each order once', async () => {
  const all = await desk();
  const { exchange, env } = all;
  await control(exchange, 'POST', 'config', { duplicateClientOid: 'accept' });
  await loseSecondAnswer(exchange);
  const [a, b] = [machine(all), machine(all)];
  expect((await at(all, a)('store', 'upgrade')).code).toBe(0);
  const begun = await underWay(exchange, { cwd: a, env });
  await killed(begun);
  const beside = await at(all, b)('runs', 'list');
  expect(beside.stdout).toContain(begun.run);
  const early = await at(all, b)('resume', begun.run);
  expect([early.code, early.stderr]).toEqual([5, expect.stringMatching(/has a claim on main/)]);
  // It is in progress while its lease lasts; afterwards a machine that has seen nothing yet names it.
  expect((await at(all, machine(all))('doctor')).stdout).not.toContain(begun.run);
  await all.server.sql('update deskhand.run set lease = clock_timestamp()', login.database);
  const looked = await at(all, machine(all))('doctor');
  expect(looked.stdout).toMatch(
    new RegExp(`${begun.run} \\(ladder\\) (?:was interrupted|is in doubt)`),
  );
  const other = await at(all, b)('run', 'ladder.yaml');
  expect([other.code, other.stderr]).toEqual([
    5,
    expect.stringContaining('did not report its end'),
  ]);
  const late = await deskhand(['resume', begun.run], {
    cwd: b,
    env: { ...env, ...hurried(exchange) },
  });
  expect([late.code, late.stderr]).toEqual([0, expect.any(String)]);
  const names = await ownOrders(b, env);
  expect([names.length, new Set(names).size]).toEqual([3, 3]);
  expect((await at(all, a)('runs', 'verify', begun.run)).code).toBe(0);
  expect((await at(all, a)('resume', begun.run)).stderr).toContain('nothing to resume');
  const journal = readFileSync(join(a, '.deskhand', 'runs', begun.run, 'journal.ndjson'), 'utf8');
  expect(readFileSync(join(b, '.deskhand', 'runs', begun.run, 'journal.ndjson'), 'utf8')).toBe(
    journal,
  );
  // The metrics of a machine that has seen nothing yet are of all runs, too.
  const metrics = await at(all, machine(all))('runs', 'metrics');
  expect(metrics.stdout).toMatch(/^deskhand_runs_total\{.*state="done".*\} 1$/m);
});

test('an unreachable database: nothing is sent, and what is here is still shown', async () => {
  const all = await desk();
  const folder = machine(all);
  const type = at(all, folder);
  expect((await type('store', 'upgrade')).code).toBe(0);
  expect((await type('run', 'ladder.yaml')).code).toBe(0);
  await all.server.stop();
  writeFileSync(join(folder, 'ladder.yaml'), files['ladder.yaml'].replaceAll('40000', '40001'));
  const refused = await type('run', 'ladder.yaml');
  expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining('is not reachable')]);
  expect(refused.stderr).not.toContain(login.password);
  expect((await ownOrders(folder, all.env)).length).toBe(3);
  expect((await type('runs', 'list')).stdout).toContain('done');
});

test('a person reports a restored database', async () => {
  const all = await desk();
  const folder = machine(all);
  const type = at(all, folder);
  expect((await type('store', 'upgrade')).code).toBe(0);
  const asked = await type('store', 'restored');
  expect([asked.code, asked.stderr]).toEqual([
    2,
    expect.stringContaining('deskhand store restored --yes'),
  ]);
  expect((await type('plan', 'ladder.yaml', '--var', 'rungs=1', '--out', 'plan.json')).code).toBe(
    0,
  );
  const reported = await type('store', 'restored', '--yes');
  expect([reported.code, reported.stdout]).toEqual([
    0,
    expect.stringContaining('look up every write'),
  ]);
  const cwd = folder;
  const env = { ...all.env, ...hurried(all.exchange) };
  const run = await deskhand(['run', 'plan.json', '-o', 'ndjson'], { cwd, env });
  expect([run.code, run.stderr]).toEqual([0, expect.any(String)]);
  expect(run.stdout).toContain('"forgets":true');
  expect((await ownOrders(machine(all), all.env)).length).toBe(1);
});
