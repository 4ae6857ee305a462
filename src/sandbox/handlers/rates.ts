/** Endpoints 12, 16 and 17: the risk reserve, margin interest and collateral discounts. */
import type { Millis } from '../../base/clock.ts';
import type { Output } from '../../exchange/api/operations/index.ts';
import type { ReserveRecordView } from '../engine/view.ts';
import { Refusal } from '../refusal.ts';
import { startOfAgentDay } from '../windows.ts';
import { add } from '../world/digits.ts';
import { discounts, interestOn } from '../world/rates.ts';
import type { Handler } from './handler.ts';
import { take } from './pages.ts';

type ReserveRow = Output<'market/get-risk-reserve'>['riskReserveRecords'][number];

const reserveRows = 100;

export const getRiskReserve: Handler<'market/get-risk-reserve'> = (input, { world }) => {
  const { category, symbol, marginCoin } = input;
  const market = world.market(category, symbol);
  if (market === undefined) throw new Refusal('25100', symbol);
  const coin = market.instrument.marginCoin;
  if (marginCoin !== undefined && marginCoin !== coin) throw new Refusal('25200', 'marginCoin');
  const records = world.engine.reserveRecords(category, coin);
  return { totalBalance: '', coin, riskReserveRecords: take(daily(records), reserveRows) };
};

/** Merges the movements of one day (UTC+8) into one row, with the final balance. */
function* daily(records: Iterable<ReserveRecordView>): Iterable<ReserveRow> {
  let row: (ReserveRow & { readonly start: Millis }) | undefined;
  for (const { amount, balance, time } of records) {
    const start = startOfAgentDay(time);
    if (row?.start === start) {
      row = { ...row, amount: add(row.amount, amount) };
      continue;
    }
    if (row !== undefined) yield wireRow(row);
    row = { type: '', amount, balance, ts: String(start), start };
  }
  if (row !== undefined) yield wireRow(row);
}

function wireRow({ start: _start, ...row }: ReserveRow & { readonly start: Millis }): ReserveRow {
  return row;
}

export const getInterestRate: Handler<'margin/get-interest-rate'> = ({ coin }, { world, now }) => {
  const rate = interestOn(world.origin.seed, coin, now);
  if (rate === undefined) throw new Refusal('40806', coin);
  return rate;
};

export const listDiscountRates: Handler<'market/list-discount-rates'> = () => discounts;
