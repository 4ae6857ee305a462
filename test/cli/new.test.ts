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

const order = ['symbol=BTCUSDT', 'side=buy', 'orderType=limit', 'price=40000.0'];
const classic = [
  ...order,
  'productType=USDT-FUTURES',
  'marginMode=crossed',
  'marginCoin=USDT',
  'size=0.010',
];
const unified = [...order, 'category=USDT-FUTURES', 'qty=0.010'];

test.each([
  [
    'futures/place-order',
    classic,
    ['max-notional: 400', 'symbols: [BTCUSDT]', 'once-per: playbook'],
  ],
  ['futures/place-order', [...classic, 'tradeSide=open'], ['once-per: playbook']],
  ['trade/place-order', [...unified, 'posSide=long'], ['max-notional: 400', 'once-per: playbook']],
  ['trade/place-order', unified, ['max-writes: 1']],
  [
    'futures/cancel-order',
    ['symbol=BTCUSDT', 'productType=USDT-FUTURES', 'orderId=1'],
    ['max-writes: 1'],
  ],
  ['trade/cancel-order', ['clientOid=a-1'], ['max-writes: 1']],
  [
    'futures/set-leverage',
    ['symbol=BTCUSDT', 'productType=USDT-FUTURES', 'marginCoin=USDT', 'leverage=7'],
    ['max-leverage: 7'],
  ],
  ['futures/set-all-leverage', ['productType=USDT-FUTURES', 'leverage=7'], ['max-leverage: 7']],
  [
    'account/set-leverage',
    ['category=USDT-FUTURES', 'symbol=BTCUSDT', 'leverage=7'],
    ['max-leverage: 7'],
  ],
  ['account/create-sub', ['username=alpha'], ['max-writes: 1', 'once-per: playbook']],
])('%s %j: its limits are proposed, and nothing is sent', async (name, fields, parts) => {
  const cwd = folderWith();
  const words = [
    'new',
    'mine',
    '--operation',
    name,
    ...fields.flatMap((field) => ['--with', field]),
  ];
  const made = await inside(words, { cwd });
  expect([made.code, made.stderr]).toEqual([0, '']);
  expect(made.stdout).toContain('deskhand plan playbooks/mine.yaml');
  const text = readFileSync(join(cwd, 'playbooks', 'mine.yaml'), 'utf8');
  for (const part of parts) expect(text).toContain(part);
  const valid = await inside(['validate', 'playbooks/mine.yaml'], { cwd });
  expect([valid.code, valid.stdout]).toEqual([0, expect.stringContaining('no problems')]);
  expect((await inside(['fmt', '--check'], { cwd })).code).toBe(0);
  const tested = await inside(['test', 'playbooks/mine.test.yaml'], { cwd });
  expect(tested.code, tested.stdout + tested.stderr).toBe(0);
  expect(existsSync(join(cwd, '.deskhand'))).toBe(false);
});

test('every operation is read or written by a new playbook', () => {
  const writes = operationNames.filter((name) => operationOf(name).effect !== 'read');
  expect(writes).toEqual([
    'futures/place-order',
    'futures/set-all-leverage',
    'account/create-sub',
    'futures/cancel-order',
    'futures/set-leverage',
    'trade/place-order',
    'trade/cancel-order',
    'account/set-leverage',
  ]);
});

test('a market order needs its highest value, and an order on a schedule is placed in each run', async () => {
  const cwd = folderWith();
  const fields = classic
    .filter((field) => !/price|orderType/.test(field))
    .concat('orderType=market');
  const words = [
    'new',
    'mine',
    '--operation',
    'futures/place-order',
    ...fields.flatMap((field) => ['--with', field]),
  ];
  const { code, stderr } = await inside(words, { cwd });
  expect([code, stderr]).toEqual([2, expect.stringContaining('--max-notional is missing')]);
  const daily = [...words, '--max-notional', '900', '--schedule', '15 2 * * *'];
  expect((await inside(daily, { cwd })).code).toBe(0);
  const text = readFileSync(join(cwd, 'playbooks', 'mine.yaml'), 'utf8');
  expect(text).toContain('once-per: run');
  expect(text).toContain('max-notional: 900');
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
  const leverage = [
    '--operation',
    'futures/set-all-leverage',
    '--with',
    'productType=USDT-FUTURES',
  ];
  expect(await refused(...leverage)).toContain('--with leverage=… is missing');
  const five = [...leverage, '--with', 'leverage=5'];
  expect(await refused(...five, '--write', 'csv')).toContain(
    '--write is not for futures/set-all-leverage',
  );
  expect(await refused(...five, '--max-notional', '9')).toContain('--max-notional is for orders');
  const limit = [
    '--operation',
    'futures/place-order',
    ...classic.flatMap((field) => ['--with', field]),
  ];
  const priceless = classic.filter((field) => !field.startsWith('price='));
  const unpriced = priceless.flatMap((field) => ['--with', field]);
  expect(await refused('--operation', 'futures/place-order', ...unpriced)).toContain(
    '--with price=… is missing',
  );
  expect(await refused(...limit, '--once-per', 'day')).toContain(
    '--once-per must be playbook or run',
  );
  expect(await refused(...limit, '--max-notional', 'much')).toContain(
    '--max-notional must be a number',
  );
  expect(await refused(...limit, '--max-notional', '5')).toContain('max-notional');
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

test('at a terminal, an order is asked for field by field, with its position mode and limits', async () => {
  const cwd = folderWith();
  const lines = [
    'futures/place-order',
    'BTCUSDT',
    'USDT-FUTURES',
    'crossed',
    'USDT',
    '0.010',
    'buy',
    'open',
    'limit',
    '40000.0',
    '',
    '',
    '',
    '',
  ];
  const { code, stderr } = await typed(cwd, lines);
  expect(code, stderr).toBe(0);
  for (const question of [
    'marginMode (Margin mode)?: isolated or crossed',
    'tradeSide (Required in hedge mode; must be omitted in one-way mode)?: open or close [none]',
    'price (Price; required for a limit order)?',
    'How much may it be worth at most, in dollars? [400]',
    'or once in each run?: playbook or run [playbook]',
  ]) {
    expect(stderr).toContain(question);
  }
  expect(readFileSync(join(cwd, 'playbooks', 'futures-place-order.yaml'), 'utf8')).toContain(
    'tradeSide: open',
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
