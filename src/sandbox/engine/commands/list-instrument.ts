/** Opens a market for a new symbol. */
import { Refusal } from '../../refusal.ts';
import type { Command } from '../command.ts';
import { inverseContract, linearContract, Valuation } from '../contract.ts';
import type { Instrument } from '../instrument.ts';
import { moneyScale, one, parseMoney, quotient, ratio, type Money, type Ratio } from '../money.ts';
import { enterPhase } from '../settle/delivery.ts';
import { schedule } from '../settle/due.ts';
import { nextFundingAfter } from '../settle/funding.ts';
import { Market, type Terms } from '../model/market.ts';
import type { State } from '../model/state.ts';
import { Tape } from '../model/tape.ts';
import { Triggers } from '../model/triggers.ts';
import { readPrice } from '../trade/numbers.ts';
import { parseUnits } from '../units.ts';

/** Lists a symbol. @throws Refusal when the symbol already exists, or its numbers are invalid */
export function listInstrument(state: State, command: Command<'list-instrument'>): undefined {
  const { instrument, price } = command;
  if (state.bySymbol[instrument.category].has(instrument.symbol))
    throw new Refusal('43011', 'symbol');
  const market = marketFor(state, instrument);
  if (price !== undefined && !market.isSpot) {
    market.markTicks = readPrice(market, price, 'price');
    market.indexTicks = market.markTicks;
  }
  state.addMarket(market);
  if (!market.isSpot && instrument.delivery === undefined) {
    market.nextFunding = nextFundingAfter(state.now);
  }
  enterPhase(state, market);
  schedule(state);
}

/** The market of an instrument with an empty book. */
export function marketFor(state: State, instrument: Instrument): Market {
  const { category, symbol, marginCoin } = instrument;
  const terms = termsOf(instrument);
  const isInverse = category === 'COIN-FUTURES';
  // Coin-margined profits convert at their own prices with a remainder, so they clear separately.
  const clearing = isInverse ? `conversion:${marginCoin}` : `clearing:${category}:${symbol}`;
  const valuation = new Valuation(terms.pointMoney);
  return new Market({
    instrument,
    terms,
    valuation,
    contract: isInverse
      ? inverseContract(terms.pointMoney, terms)
      : linearContract(terms.pointMoney, valuation),
    clearing: state.ledger.account(clearing, marginCoin),
    fees: state.ledger.account('fees', marginCoin),
    funding: state.ledger.account('funding', marginCoin),
    tape: new Tape(),
    triggers: new Triggers(),
  });
}

function termsOf(instrument: Instrument): Terms {
  const { priceScale, sizeScale, priceStep, sizeStep } = instrument;
  const places = priceScale + sizeScale;
  const steps = [priceScale, sizeScale, priceStep, sizeStep];
  if (places > moneyScale || steps.some((step) => !Number.isSafeInteger(step) || step < 0)) {
    throw new Refusal('43011', 'scale');
  }
  const pointMoney = 10n ** BigInt(moneyScale - places);
  const takerFee = share(instrument.takerFee);
  const tiers = instrument.tiers.map(({ from, rate }) => ({
    from: money(from),
    rate: share(rate),
  }));
  return {
    pointMoney,
    lotMoney: 10n ** BigInt(moneyScale - sizeScale),
    lotsMin: lots(instrument, instrument.sizeMin),
    lotsMax: lots(instrument, instrument.sizeMax),
    pointsMin: Number(quotient(money(instrument.notionalMin), pointMoney, 'ceil')),
    makerFee: share(instrument.makerFee),
    takerFee,
    tiers,
    rateMost: Math.max(0, ...tiers.map(({ rate }) => rate.rough)) + takerFee.rough,
    priceBand: instrument.priceBand === undefined ? undefined : share(instrument.priceBand),
  };
}

function lots({ sizeScale }: Instrument, text: string): number {
  const units = parseUnits(text, sizeScale);
  if (typeof units !== 'number') throw new Refusal('43011', text);
  return units;
}

function share(text: string): Ratio {
  return ratio(money(text), one);
}

function money(text: string): Money {
  const amount = parseMoney(text);
  if (amount === undefined) throw new Refusal('43011', text);
  return amount;
}
