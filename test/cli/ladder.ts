/** A small playbook that writes, and queries for what it wrote. */
import { deskhand, type Start } from './deskhand.ts';
import { limitOrder } from '../support/order.ts';

export const ladder = `playbook: 1
name: ladder
inputs:
  rungs: { type: integer, default: 3 }
account: main
guards: { max-writes: 10 }
steps:
  - id: orders
    for-each: "{{ ladder from=40000 to=39000 count=inputs.rungs tick=0.1 total=0.030 lot=0.001 }}"
    key: "{{ each.value.price }}"
    uses: futures/place-order
    once-per: playbook
    with:${limitOrder({ price: '{{ each.value.price }}', size: '{{ each.value.size }}', force: 'post_only' })}
  - id: tickers
    uses: market/list-tickers
    with: { category: SPOT }
    write: { file: out/tickers.csv, columns: { symbol: "{{ row.symbol }}" } }
outputs:
  orders: "{{ pluck steps.orders.outputs 'clientOid' }}"
`;

export const files = { 'ladder.yaml': ladder };

/** Masks ids that differ from plan to plan, and ids of orders. */
export function masked(text: string): string {
  return text
    .replaceAll(/p-[0-9a-f]{8}/g, 'p-…')
    .replaceAll(/r-[a-z2-7]{12}/g, 'r-…')
    .replaceAll(/\d{19}/g, 'ID');
}

export interface Resting {
  readonly orderId: string;
  readonly clientOid: string;
  readonly price: string;
}

/** Resting orders of a symbol in the world of a folder or of its environment. */
export async function openOrders(
  cwd: string,
  env: Start['env'] = {},
  symbol = 'BTCUSDT',
): Promise<readonly Resting[]> {
  const words = ['order/list-open', 'category=USDT-FUTURES', `symbol=${symbol}`, '-o', 'json'];
  const { stdout } = await deskhand(['call', ...words], { cwd, env });
  return JSON.parse(stdout).answer.list;
}

/** The clientOids of resting orders placed by deskhand. */
export async function ownOrders(cwd: string, env?: Start['env']): Promise<readonly string[]> {
  const names = (await openOrders(cwd, env)).map(({ clientOid }) => clientOid);
  return names.filter((clientOid) => clientOid.startsWith('dh'));
}

/** How many orders rest in the world of a folder. */
export async function resting(cwd: string): Promise<number> {
  return (await openOrders(cwd)).length;
}
