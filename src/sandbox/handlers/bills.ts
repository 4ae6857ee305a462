/** Endpoint 8: the entries of a futures account, newest first. */
import type { Input, Output } from '../../exchange/api/operations/index.ts';
import { marginMoveTypes } from '../../exchange/api/vocabulary.ts';
import type { BillView } from '../engine/view.ts';
import { timeRangeOf, type TimeRange } from '../windows.ts';
import type { Handler } from './handler.ts';
import { sizeOf, take } from './pages.ts';

type Query = Input<'futures/list-bills'>;
type Bill = Output<'futures/list-bills'>['bills'][number];

const exchangeTransfers: readonly string[] = ['trans_from_exchange', 'trans_to_exchange'];
const marginMoves: readonly string[] = marginMoveTypes;

export const listBills: Handler<'futures/list-bills'> = (input, { world, now, caller }) => {
  const span = timeRangeOf('futures/list-bills', input, { now });
  const bills = world.engine.bills(caller.uid, input.productType, input.idLessThan);
  const rows = take(matching(bills, input, span), sizeOf('futures/list-bills', input.limit));
  return { bills: rows.map(wireBill), endId: rows.at(-1)?.billId ?? '' };
};

function* matching(bills: Iterable<BillView>, query: Query, span: TimeRange): Iterable<BillView> {
  const { businessType, onlyFunding } = query;
  const coin = exchangeTransfers.includes(businessType ?? '') ? query.coin : undefined;
  for (const bill of bills) {
    if (bill.time < span.from) return;
    if (bill.time > span.to) continue;
    if (businessType !== undefined && bill.businessType !== businessType) continue;
    if (coin !== undefined && bill.coin !== coin) continue;
    if (onlyFunding === 'yes' && marginMoves.includes(bill.businessType)) continue;
    yield bill;
  }
}

/**
 * A bill in the order of the interface, copied field by field: a spread without one field would
 * cost several times as much.
 */
function wireBill(bill: BillView): Bill {
  const { billId, symbol, amount, fee, businessType, coin, balance, time } = bill;
  const cTime = String(time);
  return { billId, symbol, amount, fee, feeByCoupon: '', businessType, coin, balance, cTime };
}
