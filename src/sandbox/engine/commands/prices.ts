/** Prices and phases of a market, set from outside. */
import { Refusal } from '../../refusal.ts';
import type { Command } from '../command.ts';
import { deliver, setPhase } from '../settle/delivery.ts';
import type { State } from '../model/state.ts';
import { readPrice } from '../trade/numbers.ts';
import { readMoney } from './account-commands.ts';

/** Sets prices. A new mark price fires triggers and checks the margin of every holder. */
export function setPrice(state: State, command: Command<'set-price'>): undefined {
  const market = state.market(command.category, command.symbol);
  if (market.isSpot) throw new Refusal('22012');
  const mark = command.mark === undefined ? undefined : readPrice(market, command.mark, 'mark');
  const index = command.index === undefined ? undefined : readPrice(market, command.index, 'index');
  market.indexTicks = index ?? market.indexTicks;
  if (mark === undefined || mark === market.markTicks) return;
  market.markTicks = mark;
  state.stir(market);
}

export function setFundingRate(state: State, command: Command<'set-funding-rate'>): undefined {
  const market = state.market(command.category, command.symbol);
  if (market.isSpot || market.instrument.delivery !== undefined) throw new Refusal('22012');
  market.fundingRate = readMoney(command.rate);
}

export function setDeliveryStatus(
  state: State,
  command: Command<'set-delivery-status'>,
): undefined {
  const market = state.market(command.category, command.symbol);
  if (market.isSpot) throw new Refusal('22012');
  setPhase(state, market, command.status);
}

/** Settles all positions of a market now. @throws Refusal without a delivery price */
export function deliverNow(state: State, command: Command<'deliver'>): undefined {
  const market = state.market(command.category, command.symbol);
  if (market.isSpot || (market.indexTicks ?? market.markTicks) === undefined) {
    throw new Refusal('22012');
  }
  setPhase(state, market, 'delivery_period');
  deliver(state, market);
}

/** Adds external money to the risk reserve. */
export function fundReserve(state: State, command: Command<'fund-reserve'>): undefined {
  const { productType, coin } = command;
  const amount = readMoney(command.amount);
  if (amount <= 0n) throw new Refusal('43011', 'amount');
  const reserve = state.reserve(productType, coin);
  const from = state.ledger.account('outside', coin);
  state.ledger.move({ from, to: reserve.ledger }, amount, 'credit', state.now);
  reserve.record(amount, state.now);
}
