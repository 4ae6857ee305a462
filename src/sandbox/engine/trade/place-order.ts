/** Places an order: first all checks, then the cancellation of older orders, then matching. */
import { Refusal } from '../../refusal.ts';
import type { Answer, PlaceFields } from '../command.ts';
import { Order, type OrderTerms } from '../model/order.ts';
import type { State } from '../model/state.ts';
import { checkCounterparty, checkMarginMode, checkPhase, checkRoom } from './admission.ts';
import { readClosing } from './closing.ts';
import { enter } from './enter.ts';
import { canAfford, countingTicks } from './funds.ts';
import { readNumbers } from './numbers.ts';
import { readPresets } from './presets.ts';
import { readRequest, type Request } from './request.ts';

/** Places an order. @throws Refusal without changing anything */
export function place(state: State, fields: PlaceFields): Answer<'place'> {
  const request = readRequest(state, fields);
  const numbers = readNumbers(request);
  const presets = readPresets(request, numbers.ticks);
  checkPhase(request, numbers.lots);
  checkRoom(request, state.settings.matchDelayMs);
  checkMarginMode(request);
  const closing = isClosing(request) ? readClosing(state, request, numbers.lots) : undefined;
  const lots = closing?.lots ?? numbers.lots;
  const order = new Order(termsOf(state, request, { lots, ticks: numbers.ticks, presets }));
  if (closing === undefined) checkFunds(state, order);
  checkCounterparty(request);

  const gaveWay = closing?.clear() ?? false;
  enter(state, order);
  const { clientOid } = order;
  const isOverflow = gaveWay && request.intent === 'reduce'; // rule 2: found by its clientOid
  return isOverflow ? { clientOid } : { orderId: order.id, clientOid };
}

function isClosing({ intent }: Request): boolean {
  return intent === 'reduce' || intent === 'close';
}

function termsOf(
  state: State,
  request: Request,
  { lots, ticks, presets }: Pick<OrderTerms, 'lots' | 'ticks' | 'presets'>,
): OrderTerms {
  const { fields, account, market, holding } = request;
  return {
    count: state.counts.order + 1,
    owner: account,
    holding,
    traits: market.traitsCache.like(request),
    ticks,
    lots,
    ownClientOid: fields.clientOid,
    presets,
    at: state.now,
  };
}

/** Checks the funds at the order's price. @throws Refusal when the account cannot pay for it */
function checkFunds(state: State, order: Order): void {
  order.holdTicks = countingTicks(order);
  if (canAfford(state, order)) return;
  throw new Refusal(order.market.isSpot ? '43012' : '40762');
}
