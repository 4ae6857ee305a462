/** Plays parts of what is done with secrets in one place, then searches every byte that was written. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { findings, marks, writtenUnder } from './marks.ts';
import { openPlace, type Place } from './place.ts';

export const loud = ['-v', '--log-level', 'debug'];

/** Verbs by the test that uses them: together all there are. */
export const verbsIn = {
  commands: [
    'help',
    'version',
    'completion',
    'explain',
    'init',
    'new',
    'validate',
    'fmt',
    'graph',
    'types',
    'lsp',
    'mcp',
    'doctor',
    'store upgrade',
    'store restored',
    'store serve',
    'worker',
    'workers',
    'runs cancel',
    'test',
    'rehearse',
    'call',
    'comment',
    'keys list',
    'keys former',
    'keys other',
    'runs prune',
    'schedule list',
    'schedule next',
    'schedule export',
    'schedule run-due',
    'schedule log',
    'schedule serve',
    'schedule pause',
    'schedule resume',
    'serve',
    'serve log',
    'sandbox start',
    'sandbox control',
    'sandbox advance',
    'sandbox load',
    'sandbox reset',
  ],
  runs: [
    'demo',
    'plan',
    'run',
    'drift',
    'export',
    'verify',
    'resume',
    'orders',
    'runs list',
    'runs show',
    'runs diff',
    'runs logs',
    'runs files',
    'runs outputs',
    'runs metrics',
    'runs verify',
    'runs replay',
    'runs set-aside',
  ],
  approvals: ['plan', 'approve', 'decline', 'import', 'run'],
  states: ['run', 'runs list', 'runs unlock'],
  doubts: ['resolve', 'resume', 'runs show', 'runs set-aside'],
} as const;

/** How much there must have been to search. */
export interface Amount {
  readonly signatures: number;
  readonly written: number;
}

export async function playAndSearch(
  parts: readonly ((place: Place) => Promise<void>)[],
  verbs: readonly string[],
  amount: Amount,
): Promise<void> {
  const place = await openPlace();
  for (const part of parts) await part(place);
  await place.proxy.close();
  await place.wire.close();

  expect(verbs.filter((name) => !place.verbs.has(name))).toEqual([]);
  expect(place.wire.signatures.length).toBeGreaterThan(amount.signatures);
  const secrets = { ...marks, ssh: seedOf(readFileSync(place.sshKey, 'utf8')) };
  const written = new Map([
    ...place.printed,
    ...place.searched.flatMap((one) => [...writtenUnder(one)]),
  ]);
  expect(written.size).toBeGreaterThan(amount.written);
  expect(await findings(written, secrets, place.wire.signatures)).toEqual([]);
  expect(place.wire.exposed).toEqual([]);
}

/** The private half of an SSH key, as it is written in its file. */
function seedOf(file: string): string {
  const body = file.split('\n').slice(1, -2).join('');
  const bytes = Buffer.from(body, 'base64');
  const at = bytes.lastIndexOf(Buffer.from([0, 0, 0, 64])) + 4; // 32 bytes of it follow
  return body.slice(Math.ceil(at / 3) * 4, Math.floor((at + 32) / 3) * 4);
}
