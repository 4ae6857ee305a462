/**
 * `deskhand serve` while a stranger on this machine opens 10,000 connections and holds as many as the server lets
 * it, first from the address of everybody else, then from twenty others: how often a person who is signed in gets
 * the page of runs over a new connection, and how long it takes. Ends with 1 when a request fails, or takes a
 * second in the middle of all.
 *
 *   npm run build && npx tsx bench/serve-strangers.ts [--sockets 10000] [--requests 100] [--launcher FILE]
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { millisecond, second, systemClock, type Millis } from '../src/base/clock.ts';
import { median } from './figures/median.ts';
import { deskhand } from './processes/desk.ts';
import { repositoryWith } from './serve/folder.ts';
import { ServeProcess } from './serve/server.ts';

const { values } = parseArgs({
  options: {
    sockets: { type: 'string', default: '10000' },
    requests: { type: 'string', default: '100' },
    launcher: { type: 'string', default: deskhand },
  },
});
const requests = Number(values.requests);
const between: Millis = 50 * millisecond;
const timeMax: Millis = 10 * second;
const goal: Millis = second;

interface Held {
  readonly held: number;
  readonly opened: number;
  readonly ended: number;
}

const parent = mkdtempSync(join(tmpdir(), 'deskhand-strangers-'));
try {
  const server = await ServeProcess.start(
    values.launcher,
    await repositoryWith(parent, { runs: 100, orders: 10 }),
  );
  const cookie = await server.signIn();
  console.log(`alone           ${words(await asked(server, cookie))}`);
  for (const [what, addresses] of [
    ['one address', 0],
    ['20 addresses', 20],
  ] as const) {
    const stranger = fork(
      join(import.meta.dirname, 'serve', 'stranger.mjs'),
      [new URL(server.url).port, values.sockets, String(addresses)],
      { execArgv: [] },
    );
    await opened(stranger);
    const found = await asked(server, cookie);
    const { held, opened: all, ended } = await ask(stranger);
    console.log(`${what.padEnd(15)} ${words(found)}`);
    console.log(`                ${held} held of ${all} opened; the server ended ${ended}`);
    if (found.failed > 0 || median(found.times) > goal) process.exitCode = 1;
    stranger.disconnect();
    await once(stranger, 'exit');
  }
  const { warnings } = server;
  await server.end();
  if (warnings !== '') {
    console.log(`warnings        ${warnings}`);
    process.exitCode = 1;
  }
} finally {
  rmSync(parent, { recursive: true, force: true });
}

async function ask(stranger: ChildProcess): Promise<Held> {
  const answer = once(stranger, 'message');
  stranger.send({});
  return (await answer)[0] as Held;
}

/** Waits until the stranger opened all of its connections once. */
async function opened(stranger: ChildProcess): Promise<void> {
  while ((await ask(stranger)).opened < Number(values.sockets)) await systemClock.sleep(100);
}

interface Asked {
  readonly times: readonly Millis[];
  readonly failed: number;
}

/** Asks for the page of runs, each time over a new connection. */
async function asked(server: ServeProcess, cookie: string): Promise<Asked> {
  const times: Millis[] = [];
  let failed = 0;
  for (let at = 0; at < requests; at++) {
    const begun = systemClock.monotonic();
    const status = await statusOf(`${server.url}/api/v1/home`, cookie);
    if (status === 200) times.push(systemClock.monotonic() - begun);
    else failed += 1;
    await systemClock.sleep(between);
  }
  return { times, failed };
}

function statusOf(url: string, cookie: string): Promise<number> {
  return new Promise((resolve) => {
    const request = get(
      url,
      { headers: { cookie }, agent: false, timeout: timeMax },
      (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode ?? 0));
        response.once('error', () => resolve(0));
      },
    );
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(0));
  });
}

function words({ times, failed }: Asked): string {
  const sorted = times.toSorted((a, b) => a - b);
  const last = sorted.at(-1) ?? NaN;
  const got = `${times.length} of ${times.length + failed} got the page`;
  return `${got}, in ${median(sorted).toFixed(0)} ms in the middle, ${last.toFixed(0)} ms at most`;
}
