/** Rate limits in a real database: several processes keep them together, by the clock of the database. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { second, standingClock, systemClock } from '../../src/base/clock.ts';
import type { Limit } from '../../src/exchange/api/operation.ts';
import { createLimiter } from '../../src/exchange/client/layers/limit.ts';
import { storedPace } from '../../src/app/config/stored-pace.ts';
import { openPaces } from '../../src/stores/postgres/paces.ts';
import type { SharedPaces } from '../../src/stores/shared/shared-paces.ts';
import { deskhand, folderWith, type Ended } from '../cli/deskhand.ts';
import { startSandbox } from '../cli/sandbox.ts';
import {
  lease,
  limit,
  newKey,
  sharedPacesContract,
  untilTaken as taking,
} from '../stores/shared/paces-contract.ts';
import { login, type PostgresServer } from './server.ts';
import { preparedServer } from './world.ts';

sharedPacesContract('postgres', async () => {
  const prepared = await preparedServer();
  return { url: prepared.url(), close: async () => undefined };
});

const clock = systemClock;
const warn = (message: string): never => {
  throw new Error(message);
};
let server: PostgresServer;
let paces: SharedPaces;

beforeAll(async () => {
  server = await preparedServer();
  paces = openPaces({ url: server.url(), lease });
});
afterAll(() => paces.close());

const sql = (text: string): Promise<readonly Record<string, unknown>[]> =>
  server.sql(text, login.database);

const untilTaken = (key: string, id: string, of = limit): Promise<number> =>
  taking(paces, key, id, of);

test('a request that is not asked for again loses its turn', async () => {
  const key = newKey();
  const narrow = { ...limit, permits: 1 };
  await untilTaken(key, 'a', narrow);
  expect(await paces.take(key, narrow, 'dead')).toBeGreaterThan(0);
  await paces.answered(key, 'a');
  await clock.sleep(limit.per + 10);
  expect(await paces.take(key, narrow, 'b')).toBeGreaterThan(0); // it is behind
  await sql(`update deskhand.pace_place set until = clock_timestamp() where id = 'dead'`);
  expect(await paces.take(key, narrow, 'b')).toBe(0);
});

test('places continue after the clock of the database was set back', async () => {
  const key = newKey();
  for (const id of ['a', 'b']) {
    await untilTaken(key, id);
    await paces.answered(key, id);
  }
  await sql(`update deskhand.pace_place set asked = asked + interval '1 hour',
    taken = taken + interval '1 hour', answered = answered + interval '1 hour';
    update deskhand.pace set held_until = held_until + interval '1 hour'`);
  const since = clock.monotonic();
  await untilTaken(key, 'c');
  expect(clock.monotonic() - since).toBeLessThan(10 * 60 * second); // not the hour
});

test('a database that crashed gives no place before a window has passed', async () => {
  const key = newKey();
  const wide: Limit = { permits: 2, per: 2 * second, of: 'ip' };
  await sql(`insert into deskhand.pace values ('${key}', clock_timestamp())`);
  expect(await paces.take(key, wide, 'a')).toBe(0);
  await server.kill();
  await server.start();
  const again = openPaces({ url: server.url(), lease });
  onTestFinished(() => again.close());
  expect(await again.take(key, wide, 'b')).toBeGreaterThan(second);
});

test('without an answer of the database a request fails as not sent', async () => {
  const unreachable = openPaces({ url: 'postgres://desk@127.0.0.1:1/desk', lease });
  const standing = standingClock(0);
  const limiter = createLimiter({
    clock: standing,
    paces: (key, of) => storedPace(unreachable, key, of, { clock: standing, warn }),
  });
  await expect(limiter.acquire('market/list-tickers')).rejects.toMatchObject({
    name: 'TransportError',
    sent: 'no',
    message: expect.stringContaining('the shared rate limit is not known'),
  });
  expect(standing.monotonic()).toBeGreaterThanOrEqual(2 * second);
  await unreachable.close();
});

test('writes of an account keep their own pace, whose place does not wait for the database', async () => {
  const keys: string[] = [];
  const limiter = createLimiter({
    clock,
    account: 'one',
    paces: (key, of) => {
      keys.push(key);
      return storedPace(paces, `${newKey()} ${key}`, { ...of, per: 1 }, { clock, warn });
    },
  });
  for (const name of ['futures/place-order', 'order/list-open', 'market/list-tickers'] as const) {
    await (await limiter.acquire(name)).answered();
  }
  expect(keys).toEqual([
    'address',
    expect.stringMatching(/^order\/list-open@[0-9a-f]{8}$/),
    'market/list-tickers',
  ]);
});

test('with pace: shared commands take their places from the database, and send nothing without it', async () => {
  const exchange = await startSandbox();
  const cwd = folderWith({
    'deskhand.yaml': `profile: main
profiles: { main: { target: sandbox, base-url: "${exchange.baseUrl}" } }
state: { store: postgres, url: { env: DESK_DATABASE }, pace: shared }
`,
  });
  const call = (url: string): Promise<Ended> =>
    deskhand(['call', 'market/list-tickers', 'category=SPOT'], {
      cwd,
      env: { ...exchange.env('hedge'), DESK_DATABASE: url },
    });
  const done = await call(server.url());
  expect([done.code, done.stderr]).toEqual([0, expect.any(String)]);
  const { host } = new URL(exchange.baseUrl);
  expect(
    await sql(`select key from deskhand.pace where key like '%${host}%' order by key`),
  ).toEqual(['address', 'market/list-tickers'].map((name) => ({ key: `${host} ${name}` })));
  expect(
    await sql(`select from deskhand.pace_place where key like '%${host}%'
    and answered is null`),
  ).toEqual([]);
  const refused = await call('postgres://desk@127.0.0.1:1/desk');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('the shared rate limit is not known'),
  ]);
});
