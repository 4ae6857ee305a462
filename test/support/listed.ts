/** An account whose lists have shown an order before. */
import type { ProductType } from '../../src/exchange/api/vocabulary.ts';
import type { Destination } from '../../src/engine/journal/entry.ts';
import { accountOf } from '../../src/engine/journal/account.ts';
import { listsName, type Visibilities } from '../../src/engine/journal/visibility.ts';

export function listedOn(
  destination: Destination,
  productTypes: readonly ProductType[] = ['USDT-FUTURES'],
): Visibilities {
  const account = accountOf(destination);
  const order = { run: 'r-earlier', address: 'first', clientOid: 'dh1', orderId: '1' };
  const { profile } = destination;
  return new Map(
    productTypes.map((productType) => [
      listsName(account, productType),
      { account, line: productType, profile, orders: 'listed', order, time: 1_790_000_000_000 },
    ]),
  );
}
