/** An account whose lists have shown an order before. */
import type { Destination } from '../../src/journal/entry.ts';
import { accountOf } from '../../src/journal/account.ts';
import type { Visibilities } from '../../src/journal/visibility.ts';

export function listedOn(destination: Destination): Visibilities {
  const account = accountOf(destination);
  const order = { run: 'r-earlier', address: 'first', clientOid: 'dh1', orderId: '1' };
  const { profile } = destination;
  return new Map([
    [account, { account, profile, orders: 'listed', order, time: 1_790_000_000_000 }],
  ]);
}
