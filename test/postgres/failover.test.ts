/** A database that forgets what it confirmed: by a standby that lagged, or by a restored copy. */
import { expect, test } from 'vitest';
import { hour, minute } from '../../src/base/clock.ts';
import { openPostgres } from '../../src/stores/postgres/runs.ts';
import { StoreError } from '../../src/stores/store.ts';
import { batchOf, lease, requestOf, resumeOf, taken } from '../stores/shared/contract.ts';
import { PostgresServer } from './server.ts';
import { preparedServer } from './world.ts';

const start = Date.UTC(2026, 0, 5);
const request = { now: start };

test('a promoted standby that lacks lines refuses their holder, and says what it may have forgotten', async () => {
  const primary = await preparedServer();
  const standby = await primary.standby();
  const runs = openPostgres({ url: primary.url(), lease });
  const { holder } = await taken(runs, requestOf('known', request));
  await runs.keep(holder, batchOf(0, 'a\n'));
  await primary.caughtUp(standby);
  await standby.cut();
  const later = start + hour;
  expect(await runs.keep(holder, batchOf(1, 'b\n'))).toBe(true);
  await taken(runs, requestOf('unknown', { now: later }));

  const there = openPostgres({ url: standby.url(), lease });
  await expect(there.keep(holder, batchOf(1, 'b\n'))).rejects.toThrow(/is a standby/);
  await expect(there.take(resumeOf('known'))).rejects.toThrow(StoreError);
  await primary.kill();
  await standby.promote();

  expect(await there.lines('known', 0)).toMatchObject({ text: 'a\n' });
  expect(await there.keep(holder, batchOf(1, 'b\n'))).toBe(false);
  expect(await there.renew(holder)).toBe(false);
  expect(await there.release(holder)).toBe(false);

  const now = later + minute;
  const other = await taken(there, requestOf('unknown', { now }));
  expect(other.forgot?.isContinued).toBe(false);
  expect(other.forgot?.since).toBeLessThanOrEqual(start);
  expect(other.forgot?.until).toBe(now);
  await there.unlock('known', 'nonce of known', false);
  const again = await taken(there, resumeOf('known', { now: now + minute }));
  expect(again.forgot).toMatchObject({ isContinued: false });
  expect(await there.keep(again.holder, batchOf(1, 'c\n'))).toBe(true);
  // The process that was cut off has the same epoch as nobody here.
  expect(await there.keep(holder, batchOf(2, 'b\n'))).toBe(false);
  await Promise.all([runs.close(), there.close()]);
});

test('a standby that was promoted without loss is another incarnation, too', async () => {
  const primary = await preparedServer();
  const standby = await primary.standby();
  const runs = openPostgres({ url: primary.url(), lease });
  const { holder } = await taken(runs, requestOf('known', request));
  await runs.keep(holder, batchOf(0, 'a\n'));
  await primary.caughtUp(standby);
  await primary.stop();
  await standby.promote();
  const there = openPostgres({ url: standby.url(), lease });
  expect(await there.keep(holder, batchOf(1, 'b\n'))).toBe(false);
  const { forgot } = await taken(there, requestOf('next', { now: start + minute }));
  expect(forgot).toMatchObject({ isContinued: false, until: start + minute });
  await Promise.all([runs.close(), there.close()]);
});

test('a copy of the disk has the same incarnation until a person reports the restoration', async () => {
  const server = await preparedServer();
  const runs = openPostgres({ url: server.url(), lease });
  const { holder } = await taken(runs, requestOf('known', request));
  await runs.keep(holder, batchOf(0, 'a\n'));
  await server.stop();
  const copied = server.copyData();
  await server.start();
  expect(await runs.keep(holder, batchOf(1, 'b\n'))).toBe(true);
  await server.stop();

  const copy = await PostgresServer.over(copied);
  const there = openPostgres({ url: copy.url(), lease });
  expect(await there.lines('known', 0)).toMatchObject({ text: 'a\n' });
  expect((await taken(there, requestOf('before', request))).forgot).toBeUndefined();
  await there.restored(start + hour);
  expect(await there.keep(holder, batchOf(1, 'x\n'))).toBe(false);
  const { forgot } = await taken(there, requestOf('next', { now: start + hour }));
  expect(forgot?.since).toBeLessThanOrEqual(start);
  expect(forgot).toMatchObject({ isContinued: false, until: start + hour });
  await Promise.all([runs.close(), there.close()]);
});
