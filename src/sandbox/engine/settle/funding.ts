/** Funding: every eight hours one side of a market pays the other. */
import { hour, type Millis } from '../../../base/clock.ts';
import { formatMoney, mulDiv, one, smaller, type Money } from '../money.ts';
import type { Position } from '../model/holding.ts';
import type { Market } from '../model/market.ts';
import type { State } from '../model/state.ts';
import { pay } from '../trade/post.ts';
import { reserveOf } from './reserve.ts';

const period = 8 * hour;

/** The next funding moment after a time: 00:00, 08:00 or 16:00 UTC. */
export function nextFundingAfter(now: Millis): Millis {
  return (Math.floor(now / period) + 1) * period;
}

/**
 * Pays funding: longs pay shorts the rate times their value; the reverse if the rate is negative.
 */
export function payFunding(state: State, market: Market): void {
  const { fundingRate, markTicks, instrument } = market;
  const { category, symbol } = instrument;
  if (fundingRate === 0n || markTicks === undefined || market.positions.size === 0) return;
  for (const position of market.positions) payOne(state, position, markTicks);
  sweepDust(state, market);
  const rate = formatMoney(fundingRate);
  state.note({ kind: 'funding', at: state.now, category, symbol, rate });
}

function payOne(state: State, position: Position, markTicks: number): void {
  const { holding, isLong, lots } = position;
  const { market, wallet, account } = holding;
  const value = market.contract.notional(markTicks, lots);
  const owed = isLong ? -market.fundingRate : market.fundingRate;
  const amount = mulDiv(value, owed, one, 'floor'); // rounds payments up and receipts down
  pay(state, wallet, {
    from: market.funding,
    amount,
    businessType: 'contract_settle_fee',
    because: 'funding',
    symbol: market.instrument.symbol,
  });
  if (amount < 0n && holding.marginMode === 'isolated') takeFromMargin(position, -amount);
  if (!account.isMaker) state.touch(wallet);
}

/** Takes a payment from the margin of an isolated position. */
function takeFromMargin(position: Position, amount: Money): void {
  position.margin -= smaller(amount, position.margin);
  position.holding.changed();
}

/** Moves the rounding remainder of a funding to the reserve. */
function sweepDust(state: State, market: Market): void {
  const [position] = market.positions;
  const dust = market.funding.balance;
  const reserve = position && reserveOf(state, position.holding.wallet);
  if (reserve === undefined || dust === 0n) return;
  const way = { from: market.funding, to: reserve.ledger };
  state.ledger.move(way, dust, 'funding', state.now);
  reserve.record(dust, state.now);
}
