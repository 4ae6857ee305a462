/** A rate limit shared in a file: processes of one machine keep it together, and a damaged file is harmless. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { second, standingClock, systemClock } from '../../../src/base/clock.ts';
import { createLimiter } from '../../../src/exchange/client/layers/limit.ts';
import { busiest } from '../../support/pace.ts';
import { answerText, rawServer } from '../../support/raw-server.ts';

const permits = 20; // ticker requests per second

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'deskhand-pace-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

test('a new process counts recent calls of the previous one, and no old ones', async () => {
  const paceDir = await folder();
  const clock = standingClock(1_000_000);
  const burst = async (): Promise<number> => {
    const limiter = createLimiter({ clock, paceDir });
    const start = clock.monotonic();
    for (let call = 0; call < permits; call++) {
      await (await limiter.acquire('market/list-tickers')).answered();
    }
    return clock.monotonic() - start;
  };
  expect(await burst()).toBe(0);
  expect(await burst()).toBeGreaterThanOrEqual(second);
  clock.advance(5 * second);
  expect(await burst()).toBe(0);
});

test('a call that starts at the end of the second waits as long as one that was queued', async () => {
  const paceDir = await folder();
  const clock = standingClock(1_000_000);
  const call = async (): Promise<void> =>
    (await createLimiter({ clock, paceDir }).acquire('tax/list-p2p')).answered();
  await call();
  await call();
  const waited = clock.monotonic();
  clock.advance(second);
  await call();
  expect(clock.monotonic()).toBe(2 * waited);
});

test('a call of a crashed process counts for half a minute', async () => {
  const paceDir = await folder();
  const clock = standingClock(1_000_000);
  await createLimiter({ clock, paceDir }).acquire('tax/list-p2p'); // never answered
  await createLimiter({ clock, paceDir }).acquire('tax/list-p2p');
  expect(clock.monotonic()).toBeGreaterThanOrEqual(30 * second);
  expect(clock.monotonic()).toBeLessThan(31 * second);
});

test('each account has its own private file, and a torn file counts as full', async () => {
  const paceDir = await folder();
  const clock = standingClock(1_000_000);
  for (const account of ['one', 'two']) {
    await createLimiter({ clock, paceDir, account }).acquire('tax/list-p2p');
  }
  expect(clock.monotonic()).toBe(0);
  const files = await readdir(paceDir);
  expect(files.filter((name) => name.startsWith('tax.list-p2p@'))).toHaveLength(2);
  for (const file of files) {
    expect((await stat(join(paceDir, file))).mode & 0o777).toBe(0o600);
    await writeFile(join(paceDir, file), '{"answered":[1000');
  }
  await createLimiter({ clock, paceDir, account: 'one' }).acquire('tax/list-p2p');
  expect(clock.monotonic()).toBeGreaterThanOrEqual(second);
  expect(clock.monotonic()).toBeLessThan(3 * second);
});

test('calls continue after the wall clock was set back', async () => {
  const paceDir = await folder();
  const clock = standingClock(10_000_000);
  const answered = Array.from({ length: permits }, () => 99_000_000);
  const ahead = JSON.stringify({ answered, out: {}, heldUntil: 99_000_000 });
  await writeFile(join(paceDir, 'market.list-tickers.json'), ahead);
  await createLimiter({ clock, paceDir }).acquire('market/list-tickers');
  expect(clock.monotonic()).toBeLessThan(2 * second);
});

test.each([
  ['left behind', 1],
  ['left behind before the wall clock was set back', 4_000_000_000],
])('a lock that was %s is removed', async (_, madeAt) => {
  const paceDir = await folder();
  const lock = join(paceDir, 'market.list-tickers.json.lock');
  await writeFile(lock, '');
  await utimes(lock, madeAt, madeAt);
  await createLimiter({ clock: standingClock(10_000_000), paceDir }).acquire('market/list-tickers');
  expect(await readdir(paceDir)).not.toContain('market.list-tickers.json.lock');
});

test('an unwritable pace file stops a call before it is sent and never hides its response', async () => {
  const paceDir = await folder();
  const limiter = createLimiter({ clock: standingClock(1_000_000), paceDir });
  const slot = await limiter.acquire('market/list-tickers');
  await rm(paceDir, { recursive: true });
  await expect(slot.answered()).resolves.toBeUndefined();
  await expect(limiter.acquire('market/list-tickers')).rejects.toThrow('ENOENT');
  await writeFile(paceDir, ''); // the test's end removes it
});

test('three processes together stay within the limit by the server’s count', async () => {
  const arrivals: number[] = [];
  const envelope = '{"code":"00000","msg":"success","requestTime":1,"data":[]}';
  const server = await rawServer({
    onRequest: (socket) => {
      arrivals.push(systemClock.monotonic());
      socket.write(answerText(envelope));
    },
  });
  onTestFinished(async () => server.close());
  const paceDir = await folder();
  const child = join(import.meta.dirname, '..', '..', 'support', 'pace-child.ts');
  const address = `http://127.0.0.1:${server.port}`;
  const run = promisify(execFile);
  await Promise.all(
    [1, 2, 3].map(() => run(process.execPath, ['--import', 'tsx', child, address, paceDir, '15'])),
  );
  expect(arrivals).toHaveLength(45);
  expect(busiest(arrivals)).toBeLessThanOrEqual(permits);
});
