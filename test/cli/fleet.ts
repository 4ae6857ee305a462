/** Clones of one repository that share the state of their runs through it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { git, gitEnv, hub } from '../stores/machines.ts';
import { deskhand, folderWith, type Ended } from './deskhand.ts';
import { files, ownOrders } from './ladder.ts';
import { startSandbox, type Started } from './sandbox.ts';
import { control, hurried, loseSecondAnswer, type Begun } from './under-way.ts';

const configOf = ({ baseUrl }: Started, lease: string): string => `profile: main
profiles: { main: { target: sandbox, base-url: "${baseUrl}" } }
state: { store: git, lease: ${lease} }
`;

export interface Fleet {
  readonly exchange: Started;
  readonly bare: string;
  readonly env: Readonly<Record<string, string>>;
}

/** On an exchange that accepts duplicate clientOids and does not answer the second order. */
export async function fleet(): Promise<Fleet> {
  const exchange = await startSandbox();
  await control(exchange, 'POST', 'config', { duplicateClientOid: 'accept' });
  await loseSecondAnswer(exchange);
  return { exchange, bare: hub(), env: { ...exchange.env('hedge'), ...gitEnv } };
}

export function clone({ bare, exchange }: Fleet, lease = '2m'): string {
  const folder = join(folderWith(), 'clone');
  git(bare, ['clone', '--quiet', bare, folder]);
  writeFileSync(join(folder, 'deskhand.yaml'), configOf(exchange, lease));
  writeFileSync(join(folder, 'ladder.yaml'), files['ladder.yaml']);
  return folder;
}

export const resume = ({ env }: Fleet, { run }: Begun, cwd: string): Promise<Ended> =>
  deskhand(['resume', run], { cwd, env });

/** The same, without the real time between the lookups of an order that is not there. */
export function resumeHurried(
  { env, exchange }: Fleet,
  { run }: Begun,
  cwd: string,
): Promise<Ended> {
  return deskhand(['resume', run], { cwd, env: { ...env, ...hurried(exchange) } });
}

export async function expectOrders({ env }: Fleet, cwd: string, many: number): Promise<void> {
  const names = await ownOrders(cwd, env);
  expect(names).toHaveLength(many);
  expect(new Set(names).size).toBe(many);
}

export const journalIn = (cwd: string, { run }: Begun): string =>
  readFileSync(join(cwd, '.deskhand', 'runs', run, 'journal.ndjson'), 'utf8');

/** The lease expires, and earlier signatures can no longer be accepted. */
export const afterLease = ({ exchange }: Fleet): Promise<void> =>
  control(exchange, 'POST', 'clock/advance', { ms: 10 * 60_000 });

export const leased = /has a claim on main for at least another/;
