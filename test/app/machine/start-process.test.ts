/** What a process of this program is given, and what is read of it. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { fieldOf } from '../../../src/base/json.ts';
import {
  printedIn,
  startProcess,
  type Ended,
  type OwnCommand,
} from '../../../src/app/machine/start-process.ts';

const never = new AbortController().signal;

/** Starts a script in place of this program, and waits for its answer. */
async function answerOf(
  script: string,
  command: Partial<OwnCommand> = {},
  { env = {}, signal = never, input = '' } = {},
): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'start-'));
  writeFileSync(join(folder, 'program.cjs'), script);
  const program = { command: [process.execPath, join(folder, 'program.cjs')], env } as const;
  const whole = { words: [], folder, choices: {}, ...command };
  return startProcess(program, whole, { kind: 'answers', input, signal }).ended;
}

const showing =
  'process.stdin.on("data", (input) => console.log(JSON.stringify({ argv: process.argv.slice(2), env: process.env, input: String(input) })))';

test('a process has the choices of its starter, and answers on stdout', async () => {
  const choices = { config: '/desk/deskhand.yaml', profile: 'main', store: 'local' };
  const ended = await answerOf(showing, { words: ['plan', 'a.yaml'], choices }, { input: 'x: 1' });
  const words = '--config /desk/deskhand.yaml --profile main --store local plan a.yaml';
  const argv = ['--no-input', '--no-color', ...words.split(' ')];
  expect(printedIn(ended)).toMatchObject({ argv, input: 'x: 1' });
});

test('a process has the environment of its starter without its log and its pipeline', async () => {
  const env = {
    DESKHAND_API_KEY: 'k',
    DESKHAND_LOG: 'debug',
    DESKHAND_LOG_FORMAT: 'json',
    DESKHAND_STATE_DIR: 'state',
    GITHUB_ACTIONS: 'true',
    CI: '1',
  };
  const ended = await answerOf(showing, { stateDir: '/desk/state' }, { env, input: 'x' });
  const passed = Object.entries(fieldOf(printedIn(ended), 'env') ?? {});
  expect(passed.filter(([name]) => name in env)).toEqual([
    ['DESKHAND_API_KEY', 'k'],
    ['DESKHAND_STATE_DIR', '/desk/state'],
  ]);
});

test('a process that prints more than is read is ended', async () => {
  const ended = await answerOf(
    'const part = "x".repeat(1 << 20); const print = () => process.stdout.write(part, print); print();',
  );
  expect([ended.isCut, ended.code, ended.signal]).toEqual([true, undefined, 'SIGTERM']);
});

test('a process is ended by the signal of its starter', async () => {
  const ended = await answerOf('setInterval(() => {}, 1000)', {}, { signal: AbortSignal.abort() });
  expect([ended.isCut, ended.signal]).toEqual([undefined, 'SIGTERM']);
});

test('a program that cannot be started has ended with the reason', async () => {
  const program = { command: ['/no/such/program'], env: {} } as const;
  const command = { words: [], folder: tmpdir(), choices: {} };
  const purpose = { kind: 'answers', signal: never } as const;
  const { pid, ended } = startProcess(program, command, purpose);
  expect([pid, await ended]).toEqual([
    0,
    { code: undefined, out: '', err: 'spawn /no/such/program ENOENT' },
  ]);
});
