/** Parses a place command: account, symbol, opening or closing. */
import { Refusal } from '../../refusal.ts';
import type { PlaceFields } from '../command.ts';
import { marketOf } from '../engine.ts';
import type { Account } from '../model/account.ts';
import type { Holding } from '../model/holding.ts';
import type { OrderTraits } from '../model/order-traits.ts';
import type { State } from '../model/state.ts';

/** A place command with resolved names: the traits of the order, and its account. */
export interface Request extends OrderTraits {
  readonly fields: PlaceFields;
  readonly account: Account;
  /** The holding of the symbol; absent for spot. */
  readonly holding: Holding | undefined;
  readonly isMarket: boolean;
}

/**
 * Reads and checks a request.
 * @throws Refusal in this order: symbol, product type, margin coin, leader, position mode,
 * clientOid
 */
export function readRequest(state: State, fields: PlaceFields): Request {
  const account = state.account(fields.uid);
  const market = state.market(marketOf(fields.category), fields.symbol);
  const { instrument } = market;
  if ((fields.marginCoin ?? instrument.marginCoin) !== instrument.marginCoin) {
    throw new Refusal('40778');
  }
  if (fields.leaderSymbols && !fields.leaderSymbols.includes(instrument.symbol)) {
    throw new Refusal('31021');
  }
  const holding = market.isSpot ? undefined : state.holding(account, market);
  const { intent, holdSide, isBuy } = directionOf(fields, holding);
  checkClientOid(state, account, fields);
  const isMarket = fields.orderType === 'market';
  return {
    fields,
    account,
    market,
    holding,
    isMarket,
    intent,
    holdSide,
    isBuy,
    category: fields.category,
    force: isMarket ? 'ioc' : (fields.force ?? 'gtc'),
    stpMode: fields.stpMode ?? 'none',
    executionType: 'normal',
    marginMode: fields.marginMode ?? 'crossed',
  };
}

/**
 * Whether a request buys or sells. In hedge mode buy is the long direction; closing a long executes
 * as a sell (interface, 6.1).
 */
function directionOf(
  { side, tradeSide, reduceOnly }: PlaceFields,
  holding: Holding | undefined,
): Pick<Request, 'intent' | 'holdSide' | 'isBuy'> {
  const isBuy = side === 'buy';
  if (holding === undefined) return { intent: 'none', holdSide: 'long', isBuy };
  if (holding.isOneWay) {
    if (tradeSide !== undefined) throw new Refusal('40774');
    return reduceOnly === 'YES'
      ? { intent: 'reduce', holdSide: isBuy ? 'short' : 'long', isBuy }
      : { intent: 'net', holdSide: isBuy ? 'long' : 'short', isBuy };
  }
  if (tradeSide === undefined) throw new Refusal('400172', 'tradeSide');
  const isOpening = tradeSide === 'open';
  return { intent: tradeSide, holdSide: isBuy ? 'long' : 'short', isBuy: isBuy === isOpening };
}

const clientOidMax = 64; // characters

function checkClientOid(
  state: State,
  account: Account,
  { clientOid, reusesClientOid }: PlaceFields,
): void {
  if (clientOid === undefined) return;
  if (clientOid.length === 0 || clientOid.length > clientOidMax) throw new Refusal('40305');
  const { duplicateClientOid } = state.settings;
  const earlier = account.clientOids.get(clientOid);
  if (earlier === undefined || duplicateClientOid === 'accept') return;
  if (reusesClientOid && !earlier.isOpen) return;
  const isOver = duplicateClientOid !== 'reject' && earlier.at + duplicateClientOid <= state.now;
  if (!isOver) throw new Refusal('45034');
}
