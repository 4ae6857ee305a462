/** A run of the ladder that waits for the response to its second order, so that it can be killed there. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { begin, type Start } from './deskhand.ts';
import type { Started } from './sandbox.ts';

export async function loseSecondAnswer(exchange: Started): Promise<void> {
  await loseAnswer(exchange, { operation: 'futures/place-order', nth: 2 });
}

/** The exchange executes a request without a response. */
export async function loseAnswer(
  exchange: Started,
  match: { readonly operation: string; readonly nth: number },
): Promise<void> {
  const lost = { match, when: 'after-commit', times: 1, action: { kind: 'never', ms: 600_000 } };
  await control(exchange, 'PUT', 'faults', { rules: [lost] });
}

/** Whether the exchange has executed a request without a response. */
export async function isLost({ controlUrl }: Started): Promise<boolean> {
  return (await (await fetch(`${controlUrl}/faults`)).text()).includes('"struck":1');
}

/** Asks the exchange's control interface. */
export async function control(
  { controlUrl }: Started,
  method: string,
  path: string,
  fields: object,
): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(fields);
  const answer = await fetch(`${controlUrl}/${path}`, { method, headers, body });
  expect(answer.status).toBe(200);
}

/** Environment of a process that advances its clock and the exchange's between two lookups. */
export function hurried({ controlUrl }: Started): Readonly<Record<string, string>> {
  const preload = pathToFileURL(join(import.meta.dirname, '..', 'support', 'hurried.mjs'));
  return { NODE_OPTIONS: `--import=${preload.href}`, HURRY_CONTROL: controlUrl, HURRY_MS: '3000' };
}

const patient = pathToFileURL(join(import.meta.dirname, '..', 'support', 'patient.mjs')).href;

export interface Begun {
  readonly child: ChildProcessWithoutNullStreams;
  readonly run: string;
}

/** A run that has placed two of three orders and waits for an answer, until it is killed. */
export async function underWay(
  exchange: Started,
  start: Start,
  file = 'ladder.yaml',
): Promise<Begun> {
  const env = { ...start.env, NODE_OPTIONS: `--import=${patient}` };
  const child = begin(['run', file], { ...start, env });
  let said = '';
  child.stdout.resume();
  child.stderr.on('data', (part) => (said += String(part)));
  while (!(await isLost(exchange)))
    expect([child.exitCode, said]).toEqual([null, expect.anything()]);
  const [run = ''] = readdirSync(join(start.cwd, '.deskhand', 'runs'));
  return { child, run };
}

const dying = join(import.meta.dirname, '..', 'support', 'dies-after-output.mjs');

/** A run of a plan that is killed when its first entry is printed; what it printed. */
export async function killedAtStart(
  words: readonly string[],
  { cwd, env }: Start,
): Promise<string> {
  const options = `--import=${pathToFileURL(dying).href}`;
  const child = begin([...words, '-o', 'ndjson'], {
    cwd,
    env: { ...env, NODE_OPTIONS: options },
  });
  let said = '';
  child.stdout.on('data', (part) => (said += String(part)));
  child.stderr.resume();
  const [, signal] = await once(child, 'close');
  expect([signal, said]).toEqual(['SIGKILL', expect.stringContaining('"started"')]);
  return said;
}

export async function killed({ child }: Begun): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
