import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { day, hour } from '../../src/base/clock.ts';
import { checkOutput } from '../../src/exchange/api/check.ts';
import {
  operationNames,
  operationOf,
  type OperationName,
} from '../../src/exchange/api/operations/index.ts';
import { deskhand, folderWith } from './deskhand.ts';
import { startSandbox, startSandboxIn } from './sandbox.ts';

const now = Math.floor(Date.now() / day) * day;
const week = [`startTime=${now - 7 * day}`, `endTime=${now}`];

const bitcoin = ['symbol=BTCUSDT', 'productType=USDT-FUTURES'];

/** One call for each operation, with an account that may make it. */
const calls: Readonly<Record<OperationName, readonly [string, ...string[]]>> = {
  'loan/list-symbols': ['hedge', 'productId=1001'],
  'order/list-open': ['hedge', 'category=USDT-FUTURES'],
  'order/list-history': ['hedge', 'category=USDT-FUTURES', 'limit=5'],
  'agent/list-trade-volume': ['agent', ...week],
  'agent/list-customers': ['agent', ...week],
  'futures/place-order': [
    'hedge',
    'symbol=BTCUSDT',
    'productType=USDT-FUTURES',
    'marginMode=crossed',
    'marginCoin=USDT',
    'size=0.010',
    'side=buy',
    'tradeSide=open',
    'orderType=limit',
    'price=30000',
    'clientOid=called',
  ],
  'loan/list-orders': ['hedge'],
  'futures/list-bills': ['hedge', 'productType=USDT-FUTURES'],
  'agent/list-assets': ['agent'],
  'futures/list-adl-ranks': ['hedge', 'productType=USDT-FUTURES'],
  'market/list-tickers': ['hedge', 'category=SPOT'],
  'market/get-risk-reserve': ['hedge', 'category=USDT-FUTURES', 'symbol=BTCUSDT'],
  'market/list-fills': ['hedge', 'symbol=BTCUSDT', 'productType=USDT-FUTURES', 'limit=10'],
  'tax/list-p2p': ['hedge', ...week],
  'futures/set-all-leverage': ['hedge', 'productType=USDT-FUTURES', 'leverage=5'],
  'margin/get-interest-rate': ['hedge', 'coin=BTC'],
  'market/list-discount-rates': ['hedge'],
  'account/create-sub': ['hedge', 'username=desk'],
  'futures/get-order': ['hedge', ...bitcoin, 'clientOid=called'],
  'futures/list-open-orders': ['hedge', 'productType=USDT-FUTURES'],
  'futures/list-closed-orders': ['hedge', 'productType=USDT-FUTURES', 'limit=5'],
  'futures/cancel-order': ['hedge', ...bitcoin, 'clientOid=called'],
  'futures/list-positions': ['hedge', 'productType=USDT-FUTURES'],
  'futures/get-account': ['hedge', ...bitcoin, 'marginCoin=USDT'],
  'futures/set-leverage': ['hedge', ...bitcoin, 'marginCoin=USDT', 'leverage=7'],
  'trade/place-order': [
    'hedge',
    'category=USDT-FUTURES',
    'symbol=BTCUSDT',
    'qty=0.010',
    'price=30000',
    'side=buy',
    'posSide=long',
    'orderType=limit',
    'clientOid=unified',
  ],
  'trade/get-order': ['hedge', 'clientOid=unified'],
  'trade/cancel-order': ['hedge', 'clientOid=unified'],
  'trade/list-positions': ['hedge', 'category=USDT-FUTURES'],
  'account/get-settings': ['hedge'],
  'account/set-leverage': ['hedge', 'category=USDT-FUTURES', 'symbol=BTCUSDT', 'leverage=9'],
};

describe('sandbox start', () => {
  test('writes its address to a private file and stops on a signal', async () => {
    const sandbox = await startSandbox();
    expect(statSync(sandbox.readyFile).mode & 0o777).toBe(0o600);
    expect(sandbox.controlUrl).toBe(`${sandbox.baseUrl}/_sandbox`);
    expect(Object.keys(sandbox.env('leader'))).toHaveLength(4);
    expect(await sandbox.stop()).toBe(0);
  });

  test('a port in use is an error, not a crash', async () => {
    const sandbox = await startSandbox();
    const port = new URL(sandbox.baseUrl).port;
    const words = ['sandbox', 'start', '--port', port];
    const { code, stderr } = await deskhand(words, { cwd: folderWith() });
    expect([code, stderr.replaceAll(port, 'PORT')]).toMatchSnapshot();
  });
});

describe('call, over HTTP', () => {
  test('every operation is answered according to the API schema', async () => {
    const sandbox = await startSandbox();
    const cwd = folderWith();
    for (const name of operationNames) {
      const [account, ...fields] = calls[name];
      const start = { cwd, env: sandbox.env(account) };
      const { code, stdout, stderr } = await deskhand(
        ['call', name, ...fields, '-o', 'json'],
        start,
      );
      const said = operationOf(name).key === undefined ? /^$/ : /^clientOid \w+\n$/;
      expect([name, code, stderr]).toEqual([name, 0, expect.stringMatching(said)]);
      checkOutput(name, JSON.parse(stdout).answer);
    }
  });

  test('--page all reads every page', async () => {
    const sandbox = await startSandbox();
    const start = { cwd: folderWith(), env: sandbox.env('agent') };
    const words = ['call', 'agent/list-assets', 'pageSize=2', '-o', 'json'];
    const one = await deskhand(words, start);
    const all = await deskhand([...words, '--page', 'all'], start);
    expect(JSON.parse(one.stdout).answer).toHaveLength(2);
    expect(JSON.parse(all.stdout).answer.length).toBeGreaterThan(2);
  });

  test('--strict reports that a response of the sandbox does not deviate', async () => {
    const sandbox = await startSandbox();
    const start = { cwd: folderWith(), env: sandbox.env('hedge') };
    const words = ['call', 'market/list-tickers', 'category=SPOT', '--strict', '-o', 'json'];
    const { code, stdout } = await deskhand(words, start);
    expect([code, JSON.parse(stdout).deviations]).toEqual([0, []]);
  });

  test('--show-request shows everything except credentials and signature', async () => {
    const sandbox = await startSandbox();
    const env = sandbox.env('hedge');
    const words = ['call', 'futures/list-adl-ranks', 'productType=USDT-FUTURES', '--show-request'];
    const { stderr } = await deskhand(words, { cwd: folderWith(), env });
    expect(stderr).toContain('GET /api/v2/mix/position/adlRank?productType=USDT-FUTURES\n');
    expect(stderr).toMatch(/access-sign: •••/i);
    for (const name of ['KEY', 'SECRET', 'PASSPHRASE']) {
      expect(stderr).not.toContain(env[`DESKHAND_API_${name}`]);
    }
  });

  test('a refusal shows the code and a hint', async () => {
    const sandbox = await startSandbox();
    const env = { ...sandbox.env('hedge'), DESKHAND_API_PASSPHRASE: 'another-one' };
    const words = ['call', 'futures/list-adl-ranks', 'productType=USDT-FUTURES'];
    const { code, stdout, stderr } = await deskhand(words, { cwd: folderWith(), env });
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toMatchSnapshot();
  });

  test('an input that violates the API schema is not sent', async () => {
    const sandbox = await startSandbox();
    const words = ['call', 'futures/set-all-leverage', 'productType=SPOT', 'leverage=0'];
    const { code, stderr } = await deskhand(words, {
      cwd: folderWith(),
      env: sandbox.env('hedge'),
    });
    expect(code).toBe(3);
    expect(stderr).toMatchSnapshot();
  });

  test('a field that a write would ignore blocks it; of a read it is a warning', async () => {
    const sandbox = await startSandbox();
    const start = { cwd: folderWith(), env: sandbox.env('hedge') };
    const productType = 'productType=USDT-FUTURES';
    const set = ['call', 'futures/set-all-leverage', productType, 'leverage=5', 'symbol=BTCUSDT'];
    const refused = await deskhand(set, start);
    expect([refused.code, refused.stdout]).toEqual([3, '']);
    expect(refused.stderr).toContain('symbol is ignored: the leverage of every symbol');
    const read = await deskhand(['call', 'futures/list-bills', productType, 'coin=USDT'], start);
    expect(read.code).toBe(0);
    expect(read.stderr).toContain('warning coin is ignored: bills of every coin are returned');
  });

  test('tradeSide in one-way mode is refused with what to write', async () => {
    const start = { cwd: folderWith(), env: (await startSandbox()).env('oneway') };
    const by = [
      'symbol=BTCUSDT',
      'productType=USDT-FUTURES',
      'marginMode=crossed',
      'marginCoin=USDT',
    ];
    const order = ['size=0.001', 'side=buy', 'tradeSide=open', 'orderType=limit', 'price=40000'];
    const { code, stderr } = await deskhand(
      ['call', 'futures/place-order', ...by, ...order],
      start,
    );
    expect(code).toBe(1);
    expect(stderr).toContain('40774');
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      'this account is in one_way_mode, by its USDT-FUTURES orders: remove tradeSide, and close with reduceOnly: YES',
    );
  });

  test('an address without an exchange is reported', async () => {
    const env = {
      DESKHAND_BASE_URL: 'http://127.0.0.1:9',
      DESKHAND_API_KEY: 'a-key',
      DESKHAND_API_SECRET: 'a-secret',
      DESKHAND_API_PASSPHRASE: 'a-phrase',
    };
    const words = ['call', 'market/list-tickers', 'category=SPOT'];
    const { code, stderr } = await deskhand(words, { cwd: folderWith(), env });
    expect([code, stderr.startsWith('error[unavailable]')]).toEqual([1, true]);
  });
});

describe('sandbox control', () => {
  let before: number;
  beforeAll(() => {
    before = Date.now();
  });

  test('controls a running sandbox and does not change the folder', async () => {
    const cwd = folderWith();
    const sandbox = await startSandboxIn(cwd);
    const words = ['sandbox', 'advance', '3h'];
    const env = sandbox.env('hedge');
    expect((await deskhand(words, { cwd, env })).code).toBe(0);
    const { stdout } = await deskhand(
      ['call', 'market/list-tickers', 'category=SPOT', '-o', 'json'],
      {
        cwd,
        env,
      },
    );
    expect(Number(JSON.parse(stdout).answer[0].ts)).toBeGreaterThan(before + 3 * hour - 60_000);
    expect(existsSync(join(cwd, '.deskhand', 'sandbox'))).toBe(false);
  });

  test('the clock of the stored world advances', async () => {
    const cwd = folderWith();
    const { stdout } = await deskhand(['sandbox', 'advance', '2d'], { cwd });
    const shown = await deskhand(['sandbox', 'control', 'clock', '-o', 'json'], { cwd });
    expect(stdout).toContain('the clock of the sandbox of this folder (profile sandbox) is at');
    expect(JSON.parse(shown.stdout).answer.now).toBeGreaterThan(before + 2 * day - 60_000);
  });

  test('a uid is text even though it has only digits', async () => {
    const words = ['sandbox', 'control', 'wallets', 'uid=7000000002', '-o', 'json'];
    const { code, stdout } = await deskhand(words, { cwd: folderWith() });
    expect([code, JSON.parse(stdout).answer.length > 0]).toEqual([0, true]);
  });

  test('a scenario is loaded, and a reset removes it', async () => {
    const cwd = folderWith({
      'scenario.yaml':
        'version: 1\nfaults:\n  - { match: { operation: market/list-tickers }, times: 1, action: { kind: status, status: 503 } }\n',
    });
    expect((await deskhand(['sandbox', 'load', 'scenario.yaml'], { cwd })).stderr).toBe('');
    const { stdout } = await deskhand(['sandbox', 'control', 'faults', '-o', 'json'], { cwd });
    expect(JSON.parse(stdout).answer).not.toEqual([]);
    await deskhand(['sandbox', 'reset'], { cwd });
    const after = await deskhand(['sandbox', 'control', 'faults', '-o', 'json'], { cwd });
    expect(after.stdout).not.toBe(stdout);
  });

  test('mistakes of a scenario are shown with their location, and nothing is applied', async () => {
    const cwd = folderWith({
      'bad.yaml':
        'version: 1\naccounts:\n  - uid: 55\n    mode: hedge\nmarket:\n  - { category: SPOT }\n',
    });
    const { code, stderr } = await deskhand(['sandbox', 'load', 'bad.yaml'], { cwd });
    expect(code).toBe(3);
    expect(stderr).toContain('bad.yaml:4:11');
    expect(stderr).toContain('mode is not known in accounts.0');
    expect(stderr).toContain('bad.yaml:6:5');
    expect(stderr).toContain('symbol is missing');
    expect(existsSync(join(cwd, '.deskhand', 'sandbox'))).toBe(false);
  });
});

const filled = {
  'futures/place-order': [
    ...bitcoin,
    'marginMode=crossed',
    'marginCoin=USDT',
    'size=0.010',
    'side=buy',
    'tradeSide=open',
    'orderType=market',
  ],
  'trade/place-order': [
    'category=USDT-FUTURES',
    'symbol=BTCUSDT',
    'qty=0.010',
    'side=buy',
    'posSide=long',
    'orderType=market',
  ],
};

test.each(Object.entries(filled))(
  'call %s prints the clientOid of an order whose response is lost, and never sends it again',
  async (operation, fields) => {
    const cwd = folderWith({
      'lost.yaml': `version: 1
faults:
  - match: { operation: ${operation} }
    when: after-commit
    times: 1
    action: { kind: reset }
`,
    });
    await deskhand(['sandbox', 'load', 'lost.yaml'], { cwd });
    const { code, stderr } = await deskhand(['call', operation, ...fields], { cwd });
    const [, clientOid = ''] = /^clientOid (dh\w+)$/m.exec(stderr) ?? [];
    expect([code, stderr]).toEqual([
      6,
      expect.stringContaining(`look for clientOid ${clientOid} among the orders`),
    ]);
    const history = ['call', 'order/list-history', 'symbol=BTCUSDT', 'limit=5', '-o', 'json'];
    const { stdout } = await deskhand(history, { cwd });
    expect(
      JSON.parse(stdout).answer.list.map((order: { clientOid: string }) => order.clientOid),
    ).toContain(clientOid);
  },
);
