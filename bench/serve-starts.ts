/**
 * Starts of `deskhand serve` beside few and many ended runs, in turns: the CPU until the first page is answered, the
 * memory until then, and how long the page in the middle of the list takes right afterwards; then the same after
 * some runs came and others went since the last server. Ends with 1 when a start beside many takes more than 1.3
 * times the CPU of one beside few, or 3 times when runs came and went, or a page does not have all runs.
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
import { exchangeRuns, repositoryWith, type Repository } from './serve/folder.ts';
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
const orders = Number(values.orders);
const shareMax = 1.3;
const changedShareMax = 3;
const exchanged = 5; // runs that come, and as many that go, before some starts
const noted: Millis = 15 * second; // in which a server stores what the next one begins with

interface Start {
  readonly cpu: number;
  readonly memory: number;
  readonly middle: Millis;
}

interface Folder {
  readonly runs: number;
  readonly repository: Repository;
  readonly starts: Start[];
  /** Those after runs came and went. */
  readonly changed: Start[];
}

const parent = mkdtempSync(join(tmpdir(), 'deskhand-starts-'));
try {
  const folders: Folder[] = [];
  for (const runs of [Number(values.few), Number(values.many)]) {
    const repository = await repositoryWith(parent, { runs, orders });
    await systemClock.sleep(3 * second); // files that have just changed are not stored
    await firstStart(repository, runs);
    folders.push({ runs, repository, starts: [], changed: [] });
  }
  for (let round = 0; round < Number(values.rounds); round++)
    for (const { runs, repository, starts } of folders) starts.push(await start(repository, runs));
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const { runs, repository, changed } of folders) {
      await exchangeRuns(repository, { runs: exchanged, orders });
      await systemClock.sleep(3 * second);
      changed.push(await start(repository, runs, noted));
    }
  }
  const isFew = shareOf(folders, ({ starts }) => starts) <= shareMax;
  console.log(`after ${exchanged} runs came and ${exchanged} went:`);
  const isFewChanged = shareOf(folders, ({ changed }) => changed) <= changedShareMax;
  if (!isFew || !isFewChanged) process.exitCode = 1;
} finally {
  rmSync(parent, { recursive: true, force: true });
}

/** Prints the starts beside few and many runs. @returns the CPU beside many by that beside few */
function shareOf(folders: readonly Folder[], of: (folder: Folder) => readonly Start[]): number {
  const cpu = folders.map((folder) => median(of(folder).map((each) => each.cpu)));
  for (const [at, folder] of folders.entries()) {
    const starts = of(folder);
    const middle = median(starts.map((each) => each.middle));
    const memory = median(starts.map((each) => each.memory));
    const all = starts.map((each) => each.cpu.toFixed(2)).join(' ');
    console.log(
      `${folder.runs} runs: ${cpu[at]?.toFixed(2)} s of CPU (${all}), ${memory.toFixed(0)} MB`,
    );
    console.log(`  the page in the middle of the list: ${middle.toFixed(0)} ms`);
  }
  const share = (cpu[1] ?? NaN) / (cpu[0] ?? NaN);
  console.log(`${share.toFixed(2)} times the CPU`);
  return share;
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

/** @param lasts how long the server then stores what the next one begins with */
async function start(repository: Repository, runs: number, lasts: Millis = 0): Promise<Start> {
  const server = await ServeProcess.start(values.launcher, repository);
  const cookie = await server.signIn();
  const { all, unread } = await server.home(cookie);
  const found = { cpu: server.cpu, memory: server.memory('VmHWM') };
  if (all + unread !== runs) throw new Error(`its first page has ${all} runs and ${unread} unread`);
  const begun = systemClock.monotonic();
  await server.read(`/api/v1/home?page=${Math.ceil(runs / 60)}`, cookie);
  const middle = systemClock.monotonic() - begun;
  await systemClock.sleep(lasts);
  await server.end();
  return { ...found, middle };
}
