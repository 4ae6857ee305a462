/** `drift`, as an operator types it: what counts as a difference between the ledger and the exchange. */
import { expect, test } from 'vitest';
import { limitOrder } from '../support/order.ts';
import { deskhand, folderWith } from './deskhand.ts';

const orderOf = (with_: string): string => `playbook: 1
name: taker
account: main
steps:
  - id: take
    uses: futures/place-order
    once-per: playbook
    with:${with_}
`;

/** The last line of `drift` after a run of one order, and its exit code. */
async function driftAfter(text: string): Promise<readonly [number | null, string]> {
  const cwd = folderWith({ 'taker.yaml': text });
  expect((await deskhand(['run', 'taker.yaml'], { cwd })).code).toBe(0);
  const { code, stdout } = await deskhand(['drift', 'taker.yaml'], { cwd });
  return [code, stdout.trim().split('\n').at(-1)?.trim() ?? ''];
}

const same = [0, '0 differences, 1 as recorded, 0 cannot be read back'];

test.each(['ioc', 'fok'])('an %s order that met nobody ended as it had to', async (force) => {
  const order = limitOrder({ price: '40000.0', force });
  expect(await driftAfter(orderOf(order))).toEqual(same);
});

test('a post_only order that would have traded does not rest, so it is a difference', async () => {
  const order = limitOrder({ price: '90000.0', force: 'post_only' });
  const [code, line] = await driftAfter(orderOf(order));
  expect([code, line]).toEqual([10, '1 difference, 0 as recorded, 0 cannot be read back']);
});

test('the rest of an ioc order that is imported was not cancelled by anybody', async () => {
  const order = limitOrder({ price: '40000.0', force: 'ioc' });
  const cwd = folderWith({ 'taker.yaml': orderOf(order) });
  const fields = order
    .trim()
    .split(/\n\s+/)
    .map((line) => line.replace(/: "?([^"]*)"?$/, '=$1'));
  const call = ['call', 'futures/place-order', ...fields, 'clientOid=hand-1', '-o', 'json'];
  const { stdout } = await deskhand(call, { cwd });
  const { orderId } = JSON.parse(stdout).answer;
  const words = ['import', 'taker.yaml', 'take', '--id', orderId, '--comment', 'mine'];
  expect((await deskhand(words, { cwd })).code).toBe(0);
  expect((await deskhand(['drift', 'taker.yaml'], { cwd })).code).toBe(0);
});
