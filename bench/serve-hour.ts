/**
 * The memory of `deskhand serve` over an hour of events, on a clock that is moved: beside 10,000 finished
 * runs, five are always in progress, each with an order every second; 50 streams of events are open, and
 * pages are read every five seconds. Ends with 1 when the heap after the hour is more than 5 % larger than
 * after ten minutes, or when Node warns of something.
 *
 *   npx tsx bench/serve-hour.ts [--runs 10000] [--tabs 50] [--minutes 60]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { millisecond, second, type Millis } from '../src/base/clock.ts';
import { streamsOfSession } from '../src/serve/server/streams.ts';
import { onlyStart } from './growth/records.ts';
import { BusyDesk } from './serve/busy-desk.ts';
import { repositoryWith, type Repository } from './serve/folder.ts';
import type { Heap, Question } from './serve/hour-server.ts';
import { ServeProcess } from './serve/server.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    tabs: { type: 'string', default: '50' },
    minutes: { type: 'string', default: '60' },
  },
});
const runs = Number(values.runs);
const tabs = Number(values.tabs);
const minutes = Number(values.minutes);
const growthMax = 1.05;
const firstMeasured = 10; // minutes, after which every cache is warm
const poll: Millis = 400 * millisecond; // of the server
const reading: Millis = 5 * second; // of pages

const parent = mkdtempSync(join(tmpdir(), 'deskhand-hour-'));
try {
  const repository = await repositoryWith(parent, { runs, orders: 10 });
  const server = await ServeProcess.startWith(
    [
      '--expose-gc',
      '--import',
      import.meta.resolve('tsx'),
      join(import.meta.dirname, 'serve', 'hour-server.ts'),
    ],
    repository,
  );
  await measured(server, repository);
} finally {
  rmSync(parent, { recursive: true, force: true });
}

async function measured(server: ServeProcess, { stateDir }: Repository): Promise<void> {
  const cookies = [await server.signIn()];
  const [cookie = ''] = cookies;
  for (;;) {
    const { all, unread } = await server.home(cookie);
    if (all === runs && unread === 0) break;
    await step(server);
  }
  while (cookies.length * streamsOfSession < tabs) cookies.push(await server.signIn());
  const streams = await Promise.all(
    Array.from({ length: tabs }, (_, tab) => server.open(cookies[tab % cookies.length] ?? '')),
  );
  const events = counted(streams);
  const desk = new BusyDesk(stateDir, onlyStart(stateDir));
  const heaps = new Map<number, Heap>();
  for (let time: Millis = 0; time < minutes * 60 * second; time += poll) {
    if (time % second < poll) await desk.second();
    await step(server);
    if (time % reading < poll) await readPages(server, cookie, desk);
    const passed = (time + poll) / (60 * second);
    if (passed % firstMeasured === 0) heaps.set(passed, await heapAt(passed, server, desk, events));
  }
  for (const stream of streams) stream.destroy();
  await desk.end();
  const { warnings, cpu } = server;
  console.log(`CPU of the server ${cpu.toFixed(0)} s`);
  await server.end();
  if (warnings !== '') console.log(`warnings ${warnings}`);
  const growth = (heaps.get(minutes)?.used ?? NaN) / (heaps.get(firstMeasured)?.used ?? NaN);
  console.log(`heap ${growth.toFixed(3)} × from minute ${firstMeasured} to ${minutes}`);
  if (growth <= growthMax && warnings === '') return;
  console.log(`TOO MUCH, goal ${growthMax}`);
  process.exitCode = 1;
}

function step(server: ServeProcess): Promise<unknown> {
  return server.ask({ kind: 'step', ms: poll } satisfies Question);
}

async function readPages(server: ServeProcess, cookie: string, desk: BusyDesk): Promise<void> {
  await server.home(cookie);
  const { newest } = desk;
  if (newest !== undefined) await server.read(`/api/v1/runs/${newest}/events`, cookie);
}

/** How many events all streams have received. */
function counted(streams: readonly IncomingMessage[]): () => number {
  let events = 0;
  for (const stream of streams) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => (events += text.split('\nid: ').length - 1));
  }
  return () => events;
}

async function heapAt(
  passed: number,
  server: ServeProcess,
  desk: BusyDesk,
  events: () => number,
): Promise<Heap> {
  const heap = (await server.ask({ kind: 'heap' } satisfies Question)) as Heap;
  const [used, external, rss] = [heap.used, heap.external, heap.rss].map((bytes) =>
    (bytes / 1_048_576).toFixed(1),
  );
  console.log(
    `minute ${String(passed).padStart(2)}: heap ${used} MB, buffers ${external} MB, resident ${rss} MB; ` +
      `${desk.entries} entries were written, ${events()} events received`,
  );
  return heap;
}
