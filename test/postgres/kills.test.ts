/**
 * Real processes on machines whose clocks are an hour off, over a real database: killed, suspended
 * and cut off. The exchange accepts a clientOid twice, so its books show a second order.
 * `bench/database-kills.ts` does the same at random moments.
 */
import { beforeAll, expect, test } from 'vitest';
import { hour, second, systemClock } from '../../src/base/clock.ts';
import { ladder } from '../../bench/processes/desk.ts';
import { afterEachTest } from '../support/cleanup.ts';
import { booksOf, intentsOf, runFrom } from './books.ts';
import { Machine, type Life, type Site } from './machine.ts';
import type { PostgresServer } from './server.ts';
import { siteOn } from './site.ts';
import { preparedServer } from './world.ts';

const lease = 5 * second;
const orders = 30;
let server: PostgresServer;
let base = 20_000;
const machines: Machine[] = [];

beforeAll(async () => {
  server = await preparedServer();
});
afterEachTest(() => Promise.all(machines.splice(0).map((machine) => machine.close())));

interface Scene {
  readonly site: Site;
  /** An hour ahead, and an hour behind. */
  readonly ahead: Machine;
  readonly behind: Machine;
}

/** @param leaseFor of the runs: longer than any pause of a busy machine where nobody waits for its end */
async function scene(leaseFor = `${lease / second}s`): Promise<Scene> {
  const site: Site = { ...(await siteOn(server)), lease: leaseFor };
  const prices = `range inputs.base (add inputs.base ${orders - 1})`;
  const text = ladder(prices, '{ base: { type: integer } }');
  const ahead = await Machine.open(site, 'ahead', text, hour);
  const behind = await Machine.open(site, 'behind', text, -hour);
  machines.push(ahead, behind);
  base += orders;
  return { site, ahead, behind };
}

interface Begun {
  readonly run: string;
  readonly life: Life;
}

/** A run that has just sent its tenth order. */
async function begun(machine: Machine): Promise<Begun> {
  const life = machine.begin(['run', 'ladder.yaml', '--var', `base=${base}`]);
  await machine.untilSent(life, 10);
  return { run: (await runFrom(server, base)) ?? '', life };
}

async function expectEachOnce(site: Site): Promise<void> {
  const { names, prices } = await booksOf(site);
  const wanted = Array.from({ length: orders }, (_, place) => base + place);
  expect(wanted.map((price) => prices.get(price))).toEqual(wanted.map(() => 1));
  expect([...names.values()].every((count) => count === 1)).toBe(true);
}

test('a killed process: another machine finishes its run', async () => {
  const { site, ahead, behind } = await scene();
  const { run, life } = await begun(ahead);
  life.child.kill('SIGKILL');
  await life.end;
  expect(await behind.finish(run)).toMatchObject({ code: 0 });
  await expectEachOnce(site);
  expect((await ahead.begin(['runs', 'verify', run]).end).code).toBe(0);
});

test('a killed database: a run continues within the lease', async () => {
  const { site, ahead } = await scene('1m');
  const { life } = await begun(ahead);
  await server.kill();
  await server.start();
  expect(await life.end).toMatchObject({ code: 0 });
  await expectEachOnce(site);
});

test('a killed database: a run stops after the lease, and another machine finishes it', async () => {
  const { site, ahead, behind } = await scene();
  const { run, life } = await begun(ahead);
  await server.kill();
  const { code, stderr } = await life.end;
  expect([[5, 6], stderr]).toEqual([expect.arrayContaining([code]), expect.any(String)]);
  await server.start();
  expect(await behind.finish(run)).toMatchObject({ code: 0 });
  await expectEachOnce(site);
});

test('a suspended process sends nothing new when it wakes up after a takeover', async () => {
  const { site, ahead, behind } = await scene();
  const { run, life } = await begun(behind);
  life.child.kill('SIGSTOP');
  const stored = await intentsOf(server, run);
  const sent = behind.sentBy(life).length;
  const next = await ahead.takeOver(run);
  life.child.kill('SIGCONT');
  expect([5, 6]).toContain((await life.end).code);
  expect(newIn(behind.sentBy(life).slice(sent), stored)).toEqual([]);
  expect((await next.end).code).toBe(0);
  await expectEachOnce(site);
});

test('a process that is cut off from the database sends nothing new after the lease', async () => {
  const { site, ahead, behind } = await scene();
  const { run, life } = await begun(ahead);
  ahead.relay.cut();
  const cutAt = systemClock.monotonic();
  const next = await behind.takeOver(run);
  const stored = await intentsOf(server, run);
  const sent = ahead.sentBy(life).length;
  await systemClock.sleep(Math.max(0, cutAt + 2 * lease - systemClock.monotonic()));
  ahead.relay.renew();
  ahead.relay.deliver();
  expect([5, 6]).toContain((await life.end).code);
  expect(ahead.sentBy(life).length).toBe(sent);
  expect(newIn(ahead.sentBy(life), stored)).toEqual([]);
  expect((await next.end).code).toBe(0);
  await expectEachOnce(site);
});

const newIn = (names: readonly string[], stored: ReadonlySet<string>): readonly string[] =>
  names.filter((name) => !stored.has(name));
