/**
 * Starts of `deskhand serve` beside few and many ended runs, in turns: the CPU until the first page is answered, the
 * memory until then, and how long the page in the middle of the list takes right afterwards. Ends with 1 when a
 * start beside many takes more than 1.3 times the CPU of one beside few, or a page does not have all runs.
 *
 *   npm run build && npx tsx bench/serve-starts.ts [--few 1000] [--many 100000] [--orders 3] [--rounds 5] [--launcher FILE]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { second, systemClock, type Millis } from '../src/base/clock.ts';
import { median } from './figures/median.ts';
import { deskhand } from './processes/desk.ts';
import { repositoryWith, type Repository } from './serve/folder.ts';
import { ServeProcess } from './serve/server.ts';

const { values } = parseArgs({
  options: {
    few: { type: 'string', default: '1000' },
    many: { type: 'string', default: '100000' },
    orders: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    launcher: { type: 'string', default: deskhand },
  },
});
const shareMax = 1.3;
const noted: Millis = 15 * second; // in which a server stores what the next one begins with

interface Start {
  readonly cpu: number;
  readonly memory: number;
  readonly middle: Millis;
}

const parent = mkdtempSync(join(tmpdir(), 'deskhand-starts-'));
try {
  const folders: { readonly runs: number; readonly repository: Repository; starts: Start[] }[] = [];
  for (const runs of [Number(values.few), Number(values.many)]) {
    const repository = await repositoryWith(parent, { runs, orders: Number(values.orders) });
    await systemClock.sleep(3 * second); // files that have just changed are not stored
    await firstStart(repository, runs);
    folders.push({ runs, repository, starts: [] });
  }
  for (let round = 0; round < Number(values.rounds); round++)
    for (const { runs, repository, starts } of folders) starts.push(await start(repository, runs));
  const cpu = folders.map(({ starts }) => median(starts.map((each) => each.cpu)));
  for (const [at, { runs, starts }] of folders.entries()) {
    const middle = median(starts.map((each) => each.middle));
    const memory = median(starts.map((each) => each.memory));
    const all = starts.map((each) => each.cpu.toFixed(2)).join(' ');
    console.log(`${runs} runs: ${cpu[at]?.toFixed(2)} s of CPU (${all}), ${memory.toFixed(0)} MB`);
    console.log(`  the page in the middle of the list: ${middle.toFixed(0)} ms`);
  }
  const share = (cpu[1] ?? NaN) / (cpu[0] ?? NaN);
  console.log(`${share.toFixed(2)} times the CPU`);
  if (!(share <= shareMax)) process.exitCode = 1;
} finally {
  rmSync(parent, { recursive: true, force: true });
}

/** Starts a server that reads every journal, and ends it when it has stored what it read. */
async function firstStart(repository: Repository, runs: number): Promise<void> {
  const server = await ServeProcess.start(values.launcher, repository);
  const cookie = await server.signIn();
  for (;;) {
    const { all, unread } = await server.home(cookie);
    if (all === runs && unread === 0) break;
    await systemClock.sleep(second);
  }
  await systemClock.sleep(noted);
  await server.end();
}

async function start(repository: Repository, runs: number): Promise<Start> {
  const server = await ServeProcess.start(values.launcher, repository);
  const cookie = await server.signIn();
  const { all } = await server.home(cookie);
  const found = { cpu: server.cpu, memory: server.memory('VmHWM') };
  if (all !== runs) throw new Error(`its first page has ${all} runs`);
  const begun = systemClock.monotonic();
  await server.read(`/api/v1/home?page=${Math.ceil(runs / 60)}`, cookie);
  const middle = systemClock.monotonic() - begun;
  await server.end();
  return { ...found, middle };
}
