/**
 * `deskhand serve` beside many runs: the CPU of a start whose overviews of runs are not stored yet until
 * all are on the page, and of the next one until its first page, which has all of them; of the first
 * metrics; of the page of runs, with open tabs, and its bytes; of a server that does nothing else. Ends with
 * 1 when a start, the metrics or the page needs more than its goal.
 *
 *   npm run build && npx tsx bench/serve.ts [--runs 10000] [--orders 10] [--tabs 50] [--launcher FILE]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { second, systemClock } from '../src/base/clock.ts';
import { streamsOfSession } from '../src/serve/server/streams.ts';
import { deskhand } from './processes/desk.ts';
import { spentBy } from './processes/spent.ts';
import { repositoryWith, type Repository } from './serve/folder.ts';
import { ServeProcess } from './serve/server.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    orders: { type: 'string', default: '10' },
    tabs: { type: 'string', default: '50' },
    launcher: { type: 'string', default: deskhand },
  },
});
const runs = Number(values.runs);
const tabs = Number(values.tabs);
const pages = 40; // of runs, for one figure
const goals = {
  'second start': 1,
  'first metrics': 1,
  'page of runs': 0.015,
  'kB of the page': 20,
};

const parent = mkdtempSync(join(tmpdir(), 'deskhand-serve-'));
try {
  const repository = await repositoryWith(parent, { runs, orders: Number(values.orders) });
  await systemClock.sleep(3 * second); // files that have just changed are not stored
  await started('first start', repository);
  const warm = await started('second start', repository);
  const { server, cookie } = warm;
  const metrics = await spent(server, () => server.read('/metrics'));
  const again = await spent(server, () => server.read('/metrics'));
  const cookies = [cookie];
  while (cookies.length * streamsOfSession < tabs) cookies.push(await server.signIn());
  const streams = await Promise.all(
    Array.from({ length: tabs }, (_, tab) => server.open(cookies[tab % cookies.length] ?? '')),
  );
  const page = (await spent(server, () => repeated(pages, () => server.home(cookie)))) / pages;
  const idle = (await spent(server, () => systemClock.sleep(10 * second))) / 10;
  console.log(`first metrics   ${metrics.toFixed(2)} s of CPU, then ${again.toFixed(2)} s`);
  const bytes = await compressed(server, cookie);
  console.log(`page of runs    ${(page * 1000).toFixed(1)} ms of CPU, with ${tabs} tabs`);
  console.log(`its bytes       ${(bytes / 1000).toFixed(1)} kB of its page and list, compressed`);
  console.log(`nothing to do   ${(idle * 100).toFixed(1)} % of a core`);
  console.log(`memory          ${server.memory('VmHWM').toFixed(0)} MB at the peak`);
  for (const stream of streams) stream.destroy();
  const { warnings } = server; // before it says that it ends
  await server.end();
  if (warnings !== '') console.log(`warnings        ${warnings}`);
  await commands(repository);
  const found = {
    'second start': warm.cpu,
    'first metrics': metrics,
    'page of runs': page,
    'kB of the page': bytes / 1000,
  };
  for (const [name, goal] of Object.entries(goals)) {
    const cpu = found[name as keyof typeof goals];
    if (cpu <= goal) continue;
    console.log(`TOO MUCH  ${name}: ${cpu.toFixed(3)}, goal ${goal}`);
    process.exitCode = 1;
  }
  if (warnings !== '') process.exitCode = 1;
} finally {
  rmSync(parent, { recursive: true, force: true });
}

/** Starts the server until every run is on its page; the first one is ended. The second is asked once. */
async function started(
  name: 'first start' | 'second start',
  repository: Repository,
): Promise<{ readonly server: ServeProcess; readonly cookie: string; readonly cpu: number }> {
  const server = await ServeProcess.start(values.launcher, repository);
  const cookie = await server.signIn();
  for (;;) {
    const { all, unread } = await server.home(cookie);
    if (all === runs && unread === 0) break;
    if (name === 'second start') throw new Error(`its first page has ${all} runs`);
    await systemClock.sleep(200);
  }
  const { cpu } = server;
  console.log(`${name.padEnd(15)} ${cpu.toFixed(2)} s of CPU until ${runs} runs are on the page`);
  if (name === 'first start') await server.end();
  return { server, cookie, cpu };
}

/** Bytes of the page and of its list of runs, as a browser receives them. */
async function compressed(server: ServeProcess, cookie: string): Promise<number> {
  const texts = await Promise.all(['/', '/api/v1/home'].map((path) => server.read(path, cookie)));
  return texts.reduce((sum, text) => sum + gzipSync(text).length, 0);
}

async function commands({ folder, env }: Repository): Promise<void> {
  for (const words of [
    ['runs', 'list'],
    ['runs', 'list', '--status', 'doubt'],
    ['runs', 'metrics'],
  ]) {
    const { cpu, peak } = await spentBy(values.launcher, words, { cwd: folder, env });
    console.log(`${words.join(' ')}: ${cpu.toFixed(2)} s of CPU, ${peak.toFixed(0)} MB`);
  }
}

async function spent(server: ServeProcess, work: () => Promise<unknown>): Promise<number> {
  const before = server.cpu;
  await work();
  return server.cpu - before;
}

async function repeated(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let at = 0; at < times; at++) await work();
}
