/** A new playbook from answers: flags for scripts, questions at a terminal, and files that work. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { isRecord } from '../../src/base/json.ts';
import { systemClock } from '../../src/base/clock.ts';
import { executeLine } from '../../src/cli/main.ts';
import { operationNames, operationOf } from '../../src/exchange/api/operations/index.ts';
import { terminalOver } from '../../src/report/terminal/terminal.ts';
import { folderWith } from './deskhand.ts';
import { inside, written } from './inside.ts';

const reads = operationNames.filter((name) => operationOf(name).effect === 'read');

/** Values of required fields that are no closed list. */
const values: Readonly<Record<string, string>> = {
  symbol: 'BTCUSDT',
  coin: 'USDT',
  productId: '1001',
  marginCoin: 'USDT',
  orderId: '1',
  clientOid: 'a-1',
};

function fieldsOf(name: (typeof reads)[number]): readonly string[] {
  const { input, window } = operationOf(name);
  const { properties = {}, required = [] } = input.json;
  const needed = Array.isArray(required) ? required.map(String) : [];
  if (name.endsWith('get-order')) needed.push('clientOid');
  return needed
    .filter((field) => field !== window?.start && field !== window?.end)
    .flatMap((field) => {
      const about = isRecord(properties) ? properties[field] : undefined;
      const [word = values[field] ?? 'USDT'] =
        isRecord(about) && Array.isArray(about['enum']) ? about['enum'] : [];
      return ['--with', `${field}=${String(word)}`];
    });
}

test.each(reads)('%s: what it writes is valid, formatted, and passes its test', async (name) => {
  const cwd = folderWith();
  const words = ['new', 'mine', '--operation', name, ...fieldsOf(name)];
  const made = await inside([...words, '--schedule', '15 2 * * *'], { cwd });
  expect(made.stderr).toBe('');
  expect([made.code, made.stdout]).toEqual([
    0,
    expect.stringContaining('deskhand test playbooks/mine.test.yaml'),
  ]);
  const valid = await inside(['validate', 'playbooks/mine.yaml'], { cwd });
  expect([valid.code, valid.stdout]).toEqual([0, expect.stringContaining('no problems')]);
  expect((await inside(['fmt', '--check'], { cwd })).code).toBe(0);
  if (name.endsWith('get-order')) return; // the order of its fields does not exist in a new world
  const tested = await inside(['test', 'playbooks/mine.test.yaml'], { cwd });
  expect(tested.code, tested.stdout + tested.stderr).toBe(0);
});

test('every answer has a flag, and missing ones are named', async () => {
  const cwd = folderWith({ 'deskhand.yaml': 'profiles: { desk: {} }\n' });
  const refused = async (...words: readonly string[]): Promise<string> => {
    const { code, stderr } = await inside(['new', ...words], { cwd });
    expect(code).toBe(2);
    expect(existsSync(join(cwd, 'playbooks'))).toBe(false);
    return stderr;
  };
  expect(await refused()).toContain('--operation is missing');
  const positions = ['--operation', 'futures/list-positions'];
  expect(await refused(...positions)).toContain('--with productType=…');
  expect(await refused('--operation', 'market/list-tickrs')).toContain('did you mean');
  expect(await refused('--operation', 'futures/place-order')).toContain('writes, and new makes');
  const tickers = ['--operation', 'market/list-tickers', '--with'];
  expect(await refused(...tickers, 'category=SPTO')).toContain('did you mean "SPOT"');
  const order = ['--operation', 'trade/get-order'];
  expect(await refused(...order)).toContain('clientOid is missing');
  expect(await refused(...order)).toContain('add --with FIELD=VALUE');
  expect(await refused(...tickers, 'category')).toContain('--with needs FIELD=VALUE');
  const spot = [...tickers, 'category=SPOT'];
  expect(await refused(...spot, '--account', 'dsk')).toContain('did you mean');
  expect(await refused(...spot, '--schedule', 'daily')).toContain('five fields');
  expect(await refused(...spot, '--write', 'pdf')).toContain('--write must be csv');
  expect(await refused('No Name', ...spot)).toContain('lower-case');
  const all = ['--account', 'desk', '--schedule', '1 2 * * *', '--timezone', 'Asia/Tokyo'];
  expect((await inside(['new', 'a', ...spot, ...all, '--write', 'xlsx'], { cwd })).code).toBe(0);
  const text = readFileSync(join(cwd, 'playbooks', 'a.yaml'), 'utf8');
  for (const part of ['account: desk', '1 2 * * *', 'Asia/Tokyo', '.xlsx']) {
    expect(text).toContain(part);
  }
});

test('existing files are never replaced', async () => {
  const words = ['new', 'a', '--operation', 'market/list-tickers', '--with', 'category=SPOT'];
  for (const file of ['playbooks/a.yaml', 'playbooks/a.test.yaml']) {
    const cwd = folderWith({ [file]: 'mine' });
    const { code, stderr } = await inside(words, { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${file} exists already`)]);
    expect(readFileSync(join(cwd, file), 'utf8')).toBe('mine');
  }
});

/** Answers the questions as a person does. */
async function typed(cwd: string, lines: readonly string[], words: readonly string[] = []) {
  const streams = [1, 2].map(() => Object.assign(new PassThrough(), { isTTY: true, columns: 80 }));
  const [stdout = new PassThrough(), stderr = new PassThrough()] = streams;
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  stdin.end(lines.map((line) => `${line}\n`).join(''));
  const env = { HOME: cwd, XDG_CONFIG_HOME: join(cwd, '.config'), LANG: 'C.UTF-8', TERM: 'xterm' };
  const parts = { stdin: () => stdin, stdout, stderr, env, wantsColour: false, wantsInput: true };
  const before = process.cwd();
  process.chdir(cwd);
  try {
    const terminal = terminalOver(parts);
    const code = await executeLine(['new', ...words], { terminal, clock: systemClock });
    return { code, stdout: written(stdout), stderr: written(stderr) };
  } finally {
    process.chdir(before);
  }
}

test('at a terminal, questions are asked, and a wrong answer is asked again', async () => {
  const cwd = folderWith();
  const lines = ['market/list-tickrs', 'market/list-tickers', 'SPOT', '', '', '15 2 * * *', '', ''];
  const { code, stderr } = await typed(cwd, lines);
  expect(stderr).toContain('did you mean market/list-tickers?');
  expect(stderr).toContain('Account, a profile of deskhand.yaml?: sandbox [none]');
  expect(code, stderr).toBe(0);
  expect(readFileSync(join(cwd, 'playbooks', 'market-list-tickers.yaml'), 'utf8')).toBe(
    `playbook: 1
name: market-list-tickers
description: "Get tickers. It only reads."

schedule:
  - cron: "15 2 * * *"
    timezone: UTC

steps:
  - id: read
    name: "Get tickers"
    uses: market/list-tickers
    with:
      category: SPOT
    write:
      file: "out/market-list-tickers-{{ date run.time 'yyyy-MM-dd' }}.csv"
`,
  );
});

test('input that ends before the answers writes nothing; --no-input asks nothing', async () => {
  const cwd = folderWith();
  const ended = await typed(cwd, ['market/list-tickers']);
  expect([ended.code, ended.stderr]).toEqual([
    2,
    expect.stringContaining('--with category=… is missing'),
  ]);
  const silent = await inside(['new', '--no-input'], { cwd });
  expect(silent.stderr).toContain('--operation is missing');
  expect(existsSync(join(cwd, 'playbooks'))).toBe(false);
});
