/**
 * A run of 10,000 orders whose process is killed after 6,000: how soon another one continues it, and
 * how much memory that needs. Once with two workers over Postgres, of which the second takes the run
 * over, and once with a journal in files and `resume` at once. At the 10 orders per second of an
 * account it takes about twenty minutes.
 *
 *   npm run build && npx tsx bench/large-run.ts [--items 10000] [--kill-at 6000]
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { second, systemClock, type Millis } from '../src/base/clock.ts';
import type { RequestNote } from '../src/sandbox/requests.ts';
import { booksOf } from '../test/postgres/books.ts';
import { Machine, type Life, type Site } from '../test/postgres/machine.ts';
import { login, startPostgres } from '../test/postgres/server.ts';
import { cleanFile } from '../test/support/cleanup.ts';
import { deskhand, openDesk, type Desk } from './processes/desk.ts';
import { largeLadder, lowest, queuedRun } from './processes/queued-run.ts';

const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '10000' },
    'kill-at': { type: 'string', default: '6000' },
  },
});
const items = Number(values.items);
const killAt = Number(values['kill-at']);
const text = largeLadder(items);

try {
  const isRight = await Promise.all([overPostgres(), embedded()]);
  process.exitCode = isRight.every(Boolean) ? 0 : 1;
} finally {
  await cleanFile();
}

async function overPostgres(): Promise<boolean> {
  const { desk, server, site, one, two, worker: killed } = await queuedRun(text, '4s');
  await sent(one, killed, killAt);
  const next = two.begin(['worker']);
  await systemClock.sleep(2 * second); // it waits for a job
  killed.child.kill('SIGKILL');
  await takenOver('Postgres', desk, two, next);
  const state = 'select ended is not null as ended from deskhand.job';
  while ((await server.sql(state, login.database))[0]?.['ended'] !== true) {
    await systemClock.sleep(second);
  }
  const isRight = await judged('Postgres', site, next);
  next.child.kill('SIGTERM');
  await next.end;
  await Promise.all([one.close(), two.close()]);
  await desk.close();
  return isRight;
}

/** The same machine, so that its journal is there; the database is not used. */
async function embedded(): Promise<boolean> {
  const [desk, server] = await Promise.all([openDesk('[1]'), startPostgres()]);
  const { folder, baseUrl, controlUrl, uid, state } = desk;
  const env = { ...desk.env, DESKHAND_STORE: 'local' };
  const site = { folder, launcher: deskhand, server, baseUrl, controlUrl, uid, env };
  const one = await Machine.open(site, 'one', text, 0);
  const killed = one.begin(['run', 'ladder.yaml']);
  await sent(one, killed, killAt);
  killed.child.kill('SIGKILL');
  await killed.end;
  const [run = ''] = readdirSync(join(state, 'runs'));
  const next = one.begin(['resume', run]);
  await takenOver('files', desk, one, next);
  let peak = NaN;
  while (next.child.exitCode === null) {
    peak = peakOf(next) ?? peak;
    await systemClock.sleep(second / 5);
  }
  const isRight = await judged('files', site, next, peak);
  await one.close();
  await desk.close();
  return isRight;
}

async function sent(machine: Machine, life: Life, count: number): Promise<void> {
  while (machine.sentBy(life).length < count) {
    if (life.child.exitCode !== null) throw new Error((await life.end).stderr);
    await systemClock.sleep(50);
  }
}

/** Called when a process was killed. Prints the time to the first request and order of the next one. */
async function takenOver(name: string, desk: Desk, machine: Machine, life: Life): Promise<void> {
  const [at, now] = [systemClock.monotonic(), systemClock.now()];
  const arrivals = 100; // what the killed process had sent
  while (machine.sentBy(life).length === 0) await systemClock.sleep(10);
  const order = systemClock.monotonic() - at;
  // Asked once: to write them out takes time that the next process needs.
  const notes = (await desk.control('requests')) as readonly RequestNote[];
  const request = notes.find((note) => note.at > now + arrivals)?.at;
  const seconds = (ms: Millis): string => (ms / second).toFixed(1);
  console.log(
    `${name}, ${items} orders, killed after ${killAt}: first request of the next process after ` +
      `${seconds((request ?? NaN) - now)} s, first order after ${seconds(order)} s`,
  );
}

async function judged(name: string, site: Site, life: Life, peak = peakOf(life)): Promise<boolean> {
  const { prices } = await booksOf(site);
  const wanted = Array.from({ length: items }, (_none, place) => prices.get(lowest + place) ?? 0);
  const [twice, lost] = [wanted.filter((many) => many > 1), wanted.filter((many) => many === 0)];
  console.log(
    `${name}: ${twice.length} orders twice, ${lost.length} lost, ` +
      `${(peak ?? NaN).toFixed(0)} MB of memory at the peak of the second process`,
  );
  return twice.length + lost.length === 0;
}

/** Resident memory at its peak, in MB; undefined when the process has ended. */
function peakOf({ child }: Life): number | undefined {
  try {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(status) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}
