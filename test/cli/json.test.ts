/** JSON output: every object has a version and contains what a person would see. */
import { expect, test } from 'vitest';
import { deskhand, folderWith } from './deskhand.ts';
import { ladder } from './ladder.ts';

async function jsonOf(cwd: string, ...words: readonly string[]) {
  const { code, stdout } = await deskhand([...words, '-o', 'json'], { cwd });
  expect([words, code]).toEqual([words, 0]);
  return JSON.parse(stdout);
}

test('run prints its steps and orders, and resume of a finished run prints the same', async () => {
  const cwd = folderWith({ 'ladder.yaml': ladder });
  const ran = await jsonOf(cwd, 'run', 'ladder.yaml');
  expect(ran).toMatchObject({ version: 1, status: 'done', exit: 0 });
  expect(ran.steps.map(({ status }: { status: string }) => status)).not.toContain('open');
  expect(ran.orders).toHaveLength(3);
  for (const order of ran.orders) {
    expect(order).toMatchObject({
      address: expect.stringContaining('['),
      symbol: 'BTCUSDT',
      clientOid: expect.stringMatching(/^dh/),
      orderId: expect.stringMatching(/^\d+$/),
    });
  }
  expect(await jsonOf(cwd, 'resume', ran.run)).toEqual(ran);
});

test('init, graph, schedule log and sandbox print JSON with a version', async () => {
  const cwd = folderWith({ 'ladder.yaml': ladder });
  const begun = await jsonOf(cwd, 'init', 'desk');
  expect(begun).toMatchObject({ version: 1, folder: 'desk', kept: [] });
  expect(begun.written).toContain('deskhand.yaml');
  const added = await jsonOf(cwd, 'init', 'desk', '--github');
  expect(added.written).toContain('.github/workflows/playbooks.yaml');
  expect(added.written).not.toContain('deskhand.yaml');
  expect(added.kept).toContain('deskhand.yaml');
  const graph = await jsonOf(cwd, 'graph', 'ladder.yaml');
  expect(graph.version).toBe(1);
  expect(graph.steps[0]).toMatchObject({ group: 'steps', needs: [], follows: [] });
  expect(await jsonOf(cwd, 'schedule', 'log')).toEqual({ version: 1, records: [] });
  expect(await jsonOf(cwd, 'sandbox', 'reset')).toEqual({
    version: 1,
    exchange: { profile: 'sandbox' },
    isRunning: false,
  });
});

const order = [
  'futures/place-order',
  'symbol=BTCUSDT',
  'productType=USDT-FUTURES',
  'marginMode=crossed',
  'marginCoin=USDT',
  'side=buy',
  'tradeSide=open',
  'orderType=limit',
  'force=post_only',
  'price=40000',
  'size=0.01',
];

test('call --dry-run validates and shows a write and places nothing', async () => {
  const cwd = folderWith({
    'deskhand.yaml': 'profiles: { sandbox: { guards: { order: 1000 } } }\n',
  });
  const list = ['call', 'order/list-open', 'category=USDT-FUTURES'];
  const before = (await jsonOf(cwd, ...list)).answer.list.length;
  const preview = await jsonOf(cwd, 'call', ...order, '--dry-run');
  expect(preview).toMatchObject({ version: 1, effect: 'keyed', method: 'POST', target: 'sandbox' });
  expect(preview.input).toMatchObject({ price: '40000', size: '0.01' });
  const shown = await deskhand(['call', ...order, '--dry-run'], { cwd });
  expect([shown.code, shown.stderr]).toEqual([0, expect.stringContaining('nothing was sent')]);
  // Whatever a call refuses, its preview refuses as well.
  const large = order.map((word) => (word === 'size=0.01' ? 'size=1' : word));
  expect((await deskhand(['call', ...large, '--dry-run'], { cwd })).code).toBe(5);
  const wrong = order.map((word) => (word === 'side=buy' ? 'side=bye' : word));
  expect((await deskhand(['call', ...wrong, '--dry-run'], { cwd })).code).not.toBe(0);
  expect((await jsonOf(cwd, ...list)).answer.list).toHaveLength(before);
  await jsonOf(cwd, 'call', ...order);
  expect((await jsonOf(cwd, ...list)).answer.list).toHaveLength(before + 1);
});
