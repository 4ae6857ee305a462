/** Workers of two versions at once, as while machines are upgraded one by one. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { second, systemClock } from '../../src/base/clock.ts';
import { ladder } from '../../bench/processes/desk.ts';
import { afterEachTest } from '../support/cleanup.ts';
import { booksOf } from './books.ts';
import { Machine, type End, type Life, type Site } from './machine.ts';
import { buildVersion, newerVersion, type Version } from './newer-version.ts';
import { login, type PostgresServer } from './server.ts';
import { siteOn } from './site.ts';
import { preparedServer } from './world.ts';

const lease = 3 * second;
const orders = 24;
let server: PostgresServer;
let version: Version;
let base = 20_000;
const machines: Machine[] = [];

beforeAll(async () => {
  server = await preparedServer();
  version = await buildVersion(newerVersion);
});
afterAll(() => version.remove());
afterEachTest(() => Promise.all(machines.splice(0).map((machine) => machine.close())));

interface Scene {
  readonly site: Site;
  readonly older: Machine;
  readonly newer: Machine;
}

/**
 * @param format of the run folders of the newer version
 * @param longest the lease
 */
async function scene(format: 1 | 2, longest = '3s'): Promise<Scene> {
  const site = { ...(await siteOn(server)), lease: longest };
  const env = { ...site.env, FORMAT: String(format) };
  const text = ladder(
    `range inputs.base (add inputs.base ${orders - 1})`,
    '{ base: { type: integer } }',
  );
  const older = await Machine.open(site, 'older', text, 0);
  const newer = await Machine.open({ ...site, env, launcher: version.launcher }, 'newer', text, 0);
  machines.push(older, newer);
  base += orders;
  return { site, older, newer };
}

/** @returns the id of the run */
async function queued(machine: Machine): Promise<string> {
  const plan = ['plan', 'ladder.yaml', '--var', `base=${base}`, '--out', 'plan.json'];
  const planned = await machine.begin(plan).end;
  expect([planned.code, planned.stderr]).toEqual([0, expect.any(String)]);
  expect(await machine.begin(['run', 'plan.json', '--queue']).end).toMatchObject({ code: 0 });
  const text = readFileSync(join(machine.folder, 'plan.json'), 'utf8');
  return String(JSON.parse(text).run);
}

const working = (machine: Machine): Life => machine.begin(['worker'], true);

/** A worker has the run until it has sent some orders. */
async function turn(machine: Machine, signal: 'SIGTERM' | 'SIGKILL'): Promise<End> {
  const life = working(machine);
  await machine.untilSent(life, 5);
  life.child.kill(signal);
  return life.end;
}

async function finished(machine: Machine, run: string): Promise<void> {
  const life = working(machine);
  const text = `select ending from deskhand.job where id = '${run}' and ended is not null`;
  let ending: string | undefined;
  while (ending === undefined) {
    expect(life.child.exitCode).toBe(null);
    await systemClock.sleep(50);
    const [row] = await server.sql(text, login.database);
    ending = row && String(row['ending']);
  }
  life.child.kill('SIGTERM');
  await life.end;
  expect(JSON.parse(ending)).toMatchObject({ exit: 0, message: 'done' });
}

async function expectEachOnce(site: Site): Promise<void> {
  const { names, prices } = await booksOf(site);
  const wanted = Array.from({ length: orders }, (_, place) => base + place);
  expect(wanted.map((price) => prices.get(price))).toEqual(wanted.map(() => 1));
  expect([...names.values()].every((count) => count === 1)).toBe(true);
}

test('two versions execute one run by turns, drained and killed, and replay it alike', async () => {
  const { site, older, newer } = await scene(1);
  const run = await queued(older);
  expect((await turn(older, 'SIGTERM')).stderr).toContain('given back');
  await turn(newer, 'SIGKILL');
  expect((await turn(older, 'SIGTERM')).stderr).toContain('given back');
  await finished(newer, run);
  await expectEachOnce(site);
  const replays = [older, newer].map((machine) => machine.begin(['runs', 'replay', run]).end);
  const [one, two] = await Promise.all(replays);
  expect([one?.code, one?.stderr]).toEqual([0, expect.any(String)]);
  expect(two?.stdout).toBe(
    one?.stdout.replace('played by deskhand 0.1.0', 'played by deskhand 0.2.0'),
  );
  const shown = (await newer.begin(['runs', 'show', run]).end).stdout;
  expect(shown).toContain(`${orders} of ${orders} orders`);
  expect((await older.begin(['runs', 'verify', run]).end).code).toBe(0);
});

test('a worker never takes a run that one of a newer format has had', async () => {
  const { site, older, newer } = await scene(2);
  const run = await queued(older);
  await turn(older, 'SIGTERM');
  await turn(newer, 'SIGKILL');
  await systemClock.sleep(lease + second); // now any worker may take it that can
  const idle = await older.begin(['worker', '--once']).end;
  expect([idle.code, idle.stderr]).toEqual([0, expect.not.stringContaining('taken')]);
  await finished(newer, run);
  await expectEachOnce(site);
});

test('a worker gives back what depends on a run of a newer format, and sends nothing', async () => {
  const { site, older, newer } = await scene(2, '1m');
  const before = base;
  const run = await queued(older);
  base += orders;
  const path = join(newer.folder, 'other.yaml');
  const text = readFileSync(join(newer.folder, 'ladder.yaml'), 'utf8');
  writeFileSync(path, text.replace('name: ladder', 'name: other'));
  const own = newer.begin(['run', path, '--var', `base=${base}`]);
  expect(await own.end).toMatchObject({ code: 0 });
  await expectEachOnce(site);
  const life = older.begin(['worker', '--once']);
  const { code, stderr } = await life.end;
  expect([code, stderr]).toEqual([0, expect.stringContaining('given back')]);
  expect(stderr).toContain('header.json has format 2; this version reads 1');
  expect(stderr).toContain('upgrade deskhand here');
  expect(older.sentBy(life)).toEqual([]);
  await server.sql('update deskhand.job set free = clock_timestamp()', login.database);
  base = before;
  await finished(newer, run);
  await expectEachOnce(site);
});
