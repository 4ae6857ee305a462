/** `runs logs`: a run reads as it was printed, also while it is executed. */
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { chainStart, encodeRecord, unframe } from '../../src/engine/journal/record.ts';
import { begin, deskhand, folderWith, type Ended } from './deskhand.ts';
import { files } from './ladder.ts';

/** It waits until a file named ready exists, or the folder is removed, and then fails. */
const waiting = `playbook: 1
name: waiting
steps:
  - { id: spot, uses: market/list-tickers, with: { category: SPOT } }
  - { id: ready, uses: shell/run, with: { command: [sh, -c, 'while test -f waiting.yaml && ! test -f ready; do sleep 0.05; done'] } }
  - { id: wrong, uses: shell/run, with: { command: [test, -f, nothing] } }
`;
const shell = 'profiles: { sandbox: { allow: { shell: true } } }\n';

async function runOf(cwd: string): Promise<string> {
  const { stdout } = await deskhand(['runs', 'list', '-o', 'json'], { cwd });
  return JSON.parse(stdout).runs[0]?.run ?? '';
}

const journalOf = (cwd: string, run: string): string =>
  join(cwd, '.deskhand', 'runs', run, 'journal.ndjson');

async function started(cwd: string) {
  const child = begin(['run', 'waiting.yaml'], { cwd });
  child.stdout.resume();
  child.stderr.resume();
  for (let run = ''; ; run = await runOf(cwd)) {
    const path = journalOf(cwd, run);
    if (run !== '' && existsSync(path) && readFileSync(path, 'utf8').includes('"ready"')) {
      return { child, run };
    }
    await sleep(20);
  }
}

function following(cwd: string, run: string) {
  const child = begin(['runs', 'logs', '-f', run], { cwd });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([stdout, stderr, [code]]): Ended => ({ stdout, stderr, code }),
  );
  return { child, ended, shown: once(child.stdout, 'data') };
}

test('the log of a run has the lines that the run printed, and its end', async () => {
  const cwd = folderWith({ 'ladder.yaml': files['ladder.yaml'] });
  const ran = await deskhand(['run', 'ladder.yaml', '-v'], { cwd });
  expect(ran.code).toBe(0);
  const run = await runOf(cwd);
  const log = await deskhand(['runs', 'logs', run, '-v'], { cwd });
  expect([log.code, log.stderr]).toEqual([0, '']);
  const printed = ran.stderr.split('\n').filter((line) => /^\d\d:\d\d:\d\d /.test(line));
  const [end = '', ...rest] = log.stdout.trimEnd().split('\n').toReversed();
  expect(printed.length).toBeGreaterThan(8);
  expect(rest.toReversed()).toEqual(printed);
  expect(end).toMatch(new RegExp(`^[\\d:]{8} run ${run} +done +exit code 0$`));
  const show = await deskhand(['runs', 'show', run, '-o', 'ndjson'], { cwd });
  const objects = await deskhand(['runs', 'logs', 'last', '-o', 'ndjson'], { cwd });
  expect(objects).toEqual(show);
});

test('a log follows a run to its end, and exits with its code', async () => {
  const cwd = folderWith({ 'waiting.yaml': waiting, 'deskhand.yaml': shell });
  const { child, run } = await started(cwd);
  const { ended, shown } = following(cwd, run);
  await shown;
  writeFileSync(join(cwd, 'ready'), '');
  await once(child, 'exit');
  const { code, stdout } = await ended;
  expect(child.exitCode).toBe(1);
  expect(code).toBe(1);
  expect(stdout).toMatch(/wrong +failed/);
  expect(stdout.match(/market|spot/g)).toHaveLength(1);
});

test('Ctrl-C leaves the run alone, and a run whose process is gone is reported', async () => {
  const cwd = folderWith({ 'waiting.yaml': waiting, 'deskhand.yaml': shell });
  const { child, run } = await started(cwd);
  const left = following(cwd, run);
  await left.shown;
  left.child.kill('SIGINT');
  const { code, stderr } = await left.ended;
  expect([code, stderr]).toEqual([130, expect.stringContaining(`${run} continues\n`)]);
  expect(stderr).not.toContain('stopping');
  expect(child.exitCode).toBe(null);
  const watched = following(cwd, run);
  await watched.shown;
  child.kill('SIGKILL');
  const gone = await watched.ended;
  expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining(`no process executes`)]);
  expect(gone.stderr).toContain(`deskhand resume ${run}`);
});

test('texts of a journal from elsewhere cannot control the terminal', async () => {
  const cwd = folderWith({ 'ladder.yaml': files['ladder.yaml'] });
  expect((await deskhand(['run', 'ladder.yaml'], { cwd })).code).toBe(0);
  const run = await runOf(cwd);
  const path = journalOf(cwd, run);
  const evil = '\u001b[2J\u202eevil\r\n::error::x';
  let prev = chainStart;
  const forged = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { seq, at, prev: _prev, ...event } = JSON.parse(unframe(line));
      if (event.kind === 'opened' || event.kind === 'closed') event.step = evil;
      const record = encodeRecord(event, { seq, at, prev });
      prev = record.link;
      return record.line;
    });
  writeFileSync(path, forged.join(''));
  const mark = join(cwd, '.deskhand', 'high-water', `${run}.json`);
  if (existsSync(mark)) writeFileSync(mark, '');
  const { code, stdout } = await deskhand(['runs', 'logs', run, '-v'], { cwd });
  expect([code, stdout]).toEqual([0, expect.stringContaining(String.raw`\u001b[2J\u202eevil`)]);
  expect(stdout).not.toMatch(/[^\n -~…]|^::/m);
});

test('a damaged journal is refused, and an incomplete last line is reported', async () => {
  const cwd = folderWith({ 'ladder.yaml': files['ladder.yaml'] });
  expect((await deskhand(['run', 'ladder.yaml'], { cwd })).code).toBe(0);
  const run = await runOf(cwd);
  const path = journalOf(cwd, run);
  const whole = readFileSync(path, 'utf8');
  writeFileSync(path, whole.slice(0, -10));
  const torn = await deskhand(['runs', 'logs', run], { cwd });
  expect([torn.code, torn.stderr]).toEqual([0, expect.stringMatching(/line \d+ is not complete/)]);
  writeFileSync(path, `${whole.split('\n').slice(0, 3).join('\n')}\n`);
  const lost = await deskhand(['runs', 'logs', run], { cwd });
  expect([lost.code, lost.stderr]).toEqual([1, expect.stringContaining('are missing')]);
  writeFileSync(path, whole.replace('"kind":"opened"', '"kind":"opensd"'));
  const changed = await deskhand(['runs', 'logs', '-f', run], { cwd });
  expect([changed.code, changed.stderr]).toEqual([1, expect.stringContaining('is damaged')]);
});
