/** A desk over a shared store: machines with a folder each, workers, and people without a key. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { begin, deskhand, folderWith, type Ended } from '../cli/deskhand.ts';
import { files, ownOrders } from '../cli/ladder.ts';
import { startSandbox, type Started } from '../cli/sandbox.ts';
import { control, isLost as isAnswerLost } from '../cli/under-way.ts';
import { startPostgres, type PostgresServer } from './server.ts';

export interface Desk {
  readonly exchange: Started;
  /** In deskhand.yaml. */
  readonly state: string;
  /** Without a key. */
  readonly reviewer: Readonly<Record<string, string>>;
  readonly keys: Readonly<Record<string, string>>;
}

export interface PostgresDesk extends Desk {
  readonly server: PostgresServer;
}

/**
 * A lease that a test waits for. A third of it is the time limit of each call to the database, and
 * the longest time until a worker stops a run that was cancelled.
 */
export const brief = '5s';

/** @param lease `brief` where a test waits for its end; default: longer than any pause of a busy machine */
export async function desk(lease = '1m'): Promise<PostgresDesk> {
  const [server, exchange] = await Promise.all([startPostgres(), startSandbox()]);
  const state = `{ store: postgres, url: { env: DESK_DATABASE }, lease: ${lease} }`;
  return { server, ...(await deskOver(exchange, state, { DESK_DATABASE: server.url() })) };
}

/** @param reviewer variables that name the store */
export async function deskOver(
  exchange: Started,
  state: string,
  reviewer: Readonly<Record<string, string>>,
): Promise<Desk> {
  await control(exchange, 'POST', 'config', { duplicateClientOid: 'accept' });
  const all = { exchange, state, reviewer, keys: { ...exchange.env('hedge'), ...reviewer } };
  const upgraded = await type(all, folder(all), ['store', 'upgrade']);
  expect([upgraded.code, upgraded.stderr]).toEqual([0, '']);
  return all;
}

/** A checkout on one machine. */
export function folder({ exchange, state }: Desk): string {
  const config = `profile: main
profiles: { main: { target: sandbox, base-url: "${exchange.baseUrl}" } }
state: ${state}
`;
  const ladder = files['ladder.yaml'];
  const others = ['1', '2', '3', '4'].map((name) => [
    `${name}.yaml`,
    ladder.replace(/^name: .*$/m, `name: ladder-${name}`),
  ]);
  return folderWith({
    'deskhand.yaml': config,
    'ladder.yaml': ladder,
    ...Object.fromEntries(others),
  });
}

export const type = ({ keys }: Desk, cwd: string, words: readonly string[]): Promise<Ended> =>
  deskhand(words, { cwd, env: keys });

/** A plan in a file, and the id of its run. */
export async function planned(
  all: Desk,
  cwd: string,
): Promise<{ readonly file: string; readonly run: string }> {
  expect((await type(all, cwd, ['plan', 'ladder.yaml', '--out', 'plan.json'])).code).toBe(0);
  const file = join(cwd, 'plan.json');
  const text = readFileSync(file, 'utf8');
  return { file, run: JSON.parse(text).run };
}

interface Working {
  readonly child: ChildProcessWithoutNullStreams;
  readonly said: () => string;
}

/** A worker with a folder of its own, when it has begun to take jobs. */
export async function worker(
  all: Desk,
  env: Readonly<Record<string, string>> = {},
  cwd = folder(all),
  words: readonly string[] = [],
): Promise<Working> {
  const begun = beginWorker(all, env, cwd, words);
  while (!begun.said().includes('serves main')) await once(begun.child.stderr, 'data');
  return begun;
}

/** The same, at once. */
export function beginWorker(
  all: Desk,
  env: Readonly<Record<string, string>> = {},
  cwd = folder(all),
  words: readonly string[] = [],
): Working {
  const child = begin(['worker', '--slots', '2', ...words], {
    cwd,
    env: { ...all.keys, ...env },
  });
  let said = '';
  child.stdout.resume();
  child.stderr.on('data', (part) => (said += String(part)));
  return { child, said: () => said };
}

export async function follow(all: Desk, cwd: string, plan: string): Promise<Ended> {
  return deskhand(['run', plan, '--queue', '--follow'], { cwd, env: all.reviewer });
}

export async function expectOrders(all: Desk, many: number): Promise<void> {
  const names = await ownOrders(folder(all), all.keys);
  expect([names.length, new Set(names).size]).toEqual([many, many]);
  const answer = await fetch(`${all.exchange.controlUrl}/requests`);
  const { data } = Object(await answer.json());
  expect([...data].filter(({ status }) => status === 429)).toEqual([]);
}

export const isLost = ({ exchange }: Desk): Promise<boolean> => isAnswerLost(exchange);
