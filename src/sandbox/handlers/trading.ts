/** Endpoints 6, 15 and 10: placing futures orders, leverage of a product type, ADL ranks. */
import { bring } from '../world/quoter.ts';
import type { Handler } from './handler.ts';
import { Refusal } from '../refusal.ts';

export const placeOrder: Handler<'futures/place-order'> = (input, { world, now, caller }) => {
  const market = world.market(input.productType, input.symbol);
  if (market !== undefined) bring(world, market, now); // the book is filled on demand
  return world.command(
    {
      kind: 'place',
      uid: caller.uid,
      leaderSymbols: caller.leads,
      category: input.productType,
      // Listed one by one: the most frequent path copies nothing unnecessary.
      symbol: input.symbol,
      side: input.side,
      orderType: input.orderType,
      size: input.size,
      price: input.price,
      force: input.force,
      clientOid: input.clientOid,
      stpMode: input.stpMode,
      marginMode: input.marginMode,
      marginCoin: input.marginCoin,
      tradeSide: input.tradeSide,
      reduceOnly: input.reduceOnly,
      presetStopSurplusPrice: input.presetStopSurplusPrice,
      presetStopSurplusExecutePrice: input.presetStopSurplusExecutePrice,
      presetStopLossPrice: input.presetStopLossPrice,
      presetStopLossExecutePrice: input.presetStopLossExecutePrice,
    },
    now,
  );
};

export const setAllLeverage: Handler<'futures/set-all-leverage'> = (input, context) => {
  const { world, now, caller } = context;
  const { productType, leverage } = input;
  try {
    world.command({ kind: 'set-all-leverage', uid: caller.uid, productType, leverage }, now);
    return 'success';
  } catch (error) {
    if (error instanceof Refusal) return 'failure'; // interface, Errors 4
    throw error;
  }
};

export const listAdlRanks: Handler<'futures/list-adl-ranks'> = ({ productType }, context) =>
  context.world.engine
    .adlRanks(context.caller.uid, productType)
    .map(({ symbol, marginCoin, adlRank }) => ({ symbol, marginCoin, adlRank }));
