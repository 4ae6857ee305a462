/** The last minutes before delivery: an order whose position is closed would open, so it is canceled. */
import { opposite, type Holding } from '../model/holding.ts';
import type { HoldSide } from '../model/order-traits.ts';
import type { State } from '../model/state.ts';
import { close } from './lifecycle.ts';

/** Cancels one-way orders, newest first, until the remaining ones can only close. */
export function cancelOpeners(state: State, holding: Holding): void {
  const { account, market } = holding;
  if (!market.isClosingOnly || account.isMaker) return;
  cancelOn(state, holding, 'long');
  cancelOn(state, holding, 'short');
}

function cancelOn(state: State, holding: Holding, side: HoldSide): void {
  const opening = holding.opening(side);
  const against = holding.position(opposite(side))?.lots ?? 0;
  if (opening.lots <= against) return;
  for (const order of holding.account.openOrders()) {
    if (order.holding !== holding || order.isCloser || order.holdSide !== side) continue;
    close(state, order, 'delivery_cancel');
    if (opening.lots <= against) return;
  }
}
