/** Endpoints 6, 15 and 10: placing futures orders, leverage of a line, places in the ADL queue. */
import { bring } from '../world/quoter.ts';
import type { Handler } from './context.ts';
import { Refusal } from '../refusal.ts';

export const placeOrder: Handler<'futures/place-order'> = (input, { world, now, caller }) => {
  const { productType, ...fields } = input;
  const market = world.market(productType, input.symbol);
  if (market !== undefined) bring(world, market, now); // the book is filled when somebody comes
  return world.command(
    {
      kind: 'place',
      uid: caller.uid,
      category: productType,
      ...fields,
      ...(caller.leads && { leaderSymbols: caller.leads }),
    },
    now,
  );
};

export const setAllLeverage: Handler<'futures/set-all-leverage'> = (input, context) => {
  const { world, now, caller } = context;
  const { productType: line, leverage } = input;
  try {
    world.command({ kind: 'set-all-leverage', uid: caller.uid, line, leverage }, now);
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
