/** `--log-format json`: stderr has one object per line, with the run, the step and no secret. */
import { expect, test } from 'vitest';
import { Secret } from '../../src/base/secret.ts';
import { isLog } from '../../src/cli/screens/log-channel.ts';
import { loggingTerminal } from '../../src/cli/screens/log.ts';
import { webhook } from '../app/notification/recipients.ts';
import { contextAt } from './at.ts';
import { folderWith } from './deskhand.ts';
import { inside } from './inside.ts';

const files = {
  'a.yaml': `playbook: 1
name: a
steps:
  - { id: spot, uses: market/list-tickers, with: { category: SPOT } }
  - { id: check, uses: market/list-tickers, with: { category: SPOT }, expect: [{ that: "{{ eq 1 2 }}" }] }
`,
};

interface Logged {
  readonly time: string;
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

function recordsIn(stderr: string): readonly Logged[] {
  return stderr
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

test('a run has a record for each change, with its run, account and step', async () => {
  const cwd = folderWith(files);
  const { code, stdout, stderr } = await inside(['run', 'a.yaml', '--log-format', 'json'], { cwd });
  expect(code).toBe(1);
  expect(stdout).toContain('topped at step 2 of 2');
  const records = recordsIn(stderr);
  for (const { time, level, msg } of records) {
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(['error', 'warn', 'info']).toContain(level);
    expect(msg.trim()).not.toBe('');
  }
  const ends = records.filter(({ event }) => event === 'closed');
  expect(ends).toMatchObject([
    { level: 'info', step: 'spot', run: expect.stringMatching(/^r-/), account: 'sandbox' },
    { level: 'error', step: 'check', msg: expect.stringMatching(/^check failed/) },
  ]);
  expect(records.find(({ event }) => event === 'finished')).toMatchObject({ level: 'error' });
});

test('requests are records of level debug, and -q leaves warnings and errors', async () => {
  const cwd = folderWith(files);
  const env = { DESKHAND_LOG_FORMAT: 'json' };
  const debug = await inside(['run', 'a.yaml', '--log-level=debug'], { cwd, env });
  const answered = recordsIn(debug.stderr).filter(({ event }) => event === 'answered');
  expect(answered[0]).toMatchObject({
    level: 'debug',
    operation: 'market/list-tickers',
    step: 'spot',
  });
  const quiet = await inside(['run', 'a.yaml', '-q'], { cwd, env });
  expect(recordsIn(quiet.stderr).every(({ level }) => level === 'error')).toBe(true);
});

test.each([
  [['run', 'nothing.yaml'], 'file not found'],
  [['run', '--nothing'], 'unknown flag'],
])('an error of %j is a record with code and help', async (words, message) => {
  const { stderr } = await inside([...words, '--log-format=json'], { cwd: folderWith() });
  expect(recordsIn(stderr)).toMatchObject([
    { level: 'error', code: 'usage', msg: expect.stringContaining(message) },
  ]);
});

test('an unknown format is refused', async () => {
  const { code, stderr } = await inside(['validate', '--log-format', 'xml'], { cwd: folderWith() });
  expect([code, stderr]).toEqual([2, expect.stringContaining('--log-format is text or json')]);
});

test('secrets are masked in records, also those that are opened later and those of a job', () => {
  const { context, err } = contextAt('2026-11-20T08:00:10Z', { folder: folderWith() });
  const secrets: Secret[] = [];
  const { terminal, clock } = context;
  const log = loggingTerminal(terminal, { clock, secrets, level: 'info' }).err;
  if (!isLog(log)) throw new Error('it is a log');
  const job = log.with({ run: 'r-1' }, [new Secret('secret-of-a-job')]);
  secrets.push(new Secret('secret-of-a-run'));
  log.line('a secret-of-a-run');
  log.log('error', 'b', { help: 'secret-of-a-run' });
  job.line('c secret-of-a-job');
  expect(recordsIn(err())).toMatchObject([
    { level: 'info', msg: 'a •••' },
    { level: 'error', msg: 'b', help: '•••' },
    { level: 'info', msg: 'c •••', run: 'r-1' },
  ]);
});

test('the address of a recipient is in no record', async () => {
  const { port, close } = await webhook([404]);
  const cwd = folderWith({
    ...files,
    'deskhand.yaml': 'profiles: { sandbox: { notify: { webhook: { url: { env: HOOK } } } } }\n',
  });
  const env = { HOOK: `http://127.0.0.1:${port}/token-1234567890`, DESKHAND_LOG_FORMAT: 'json' };
  const { stderr } = await inside(['run', 'a.yaml'], { cwd, env });
  close();
  expect(stderr).not.toContain('token-1234567890');
  const warnings = recordsIn(stderr).filter(({ level }) => level === 'warn');
  expect(warnings.map(({ msg }) => msg).join('\n')).toContain('the server responded with 404');
});
