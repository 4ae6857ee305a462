/** Rate limits of the exchange, as a person at the command line meets them. */
import { expect, test } from 'vitest';
import { deskhand, folderWith } from './deskhand.ts';
import { openOrders } from './ladder.ts';

const storm = (operation: string, times: number, retryAfter: number): string => `version: 1
faults:
  - match: { operation: ${operation} }
    times: ${times}
    action: { kind: status, status: 429, code: "429", retryAfter: ${retryAfter} }
`;
const order = (timeout: string): string => `playbook: 1
name: bid
steps:
  - id: bid
    uses: futures/place-order
    timeout: ${timeout}
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT, side: buy, tradeSide: open, orderType: limit, price: "40000", size: "0.01" }
`;

test('a storm of six refusals is waited out as long as the exchange asks, in plain sight', async () => {
  const cwd = folderWith({
    'bid.yaml': order('30s'),
    'storm.yaml': storm('futures/place-order', 6, 1),
  });
  await deskhand(['sandbox', 'load', 'storm.yaml'], { cwd });
  const { code, stderr } = await deskhand(['run', 'bid.yaml'], { cwd });
  expect(code).toBe(0);
  const wait =
    /bid +retry +1\.0 s +too many requests \(HTTP 429\): the exchange asks to wait 1\.0 s/g;
  expect(stderr.match(wait)).toHaveLength(6);
  expect(await openOrders(cwd)).toHaveLength(1);
});

test('beyond the timeout the run stops, resume is the one thing to do, and it places the order once', async () => {
  const cwd = folderWith({
    'bid.yaml': order('1s'),
    'storm.yaml': storm('futures/place-order', 1, 2),
  });
  await deskhand(['sandbox', 'load', 'storm.yaml'], { cwd });
  const stopped = await deskhand(['run', 'bid.yaml', '-o', 'json'], { cwd });
  expect(stopped.code).toBe(1);
  const { run } = JSON.parse(stopped.stdout);
  const shown = await deskhand(['runs', 'show', run], { cwd });
  const words = shown.stdout.replaceAll(/\s+/g, ' ');
  expect(words).toContain(
    'the exchange asks to wait 2.0 s, beyond the timeout of 1.0 s; nothing was executed',
  );
  expect(words).toContain(`Next deskhand resume ${run} sends only what is not done`);
  expect(stopped.stderr + stopped.stdout + words).not.toContain('run the command again');
  expect(await deskhand(['resume', run], { cwd })).toMatchObject({ code: 0 });
  expect(await openOrders(cwd)).toHaveLength(1);
});

test('a plan says that it waits, and when it gives up it is made again', async () => {
  const cwd = folderWith({ 'bid.yaml': order('1s') });
  const plan = async (retryAfter: number) => {
    const file = storm('market/list-tickers', 1, retryAfter);
    await deskhand(['sandbox', 'load', '-'], { cwd, input: file });
    return deskhand(['plan', 'bid.yaml'], { cwd });
  };
  expect(await plan(1)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(
      'market/list-tickers waits 1.0 s: too many requests (HTTP 429): the exchange asks to wait 1.0 s',
    ),
  });
  const { code, stderr } = await plan(3_000);
  expect(code).toBe(1);
  expect(stderr).toContain('wait, then run the command again');
});
