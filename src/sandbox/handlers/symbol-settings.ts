/** The settings of an account in one futures symbol: those it has, or those it begins with. */
import type { HoldingView } from '../engine/view.ts';
import type { Market } from '../world/markets.ts';
import type { World } from '../world/world.ts';

/** Leverage, margin mode and position mode of an account in one symbol. */
export type SymbolSettings = Pick<HoldingView, 'leverage' | 'marginMode' | 'holdMode'>;

/** @param market a futures market */
export function settingsIn(world: World, uid: string, { instrument }: Market): SymbolSettings {
  const { category, symbol, leverageInitial } = instrument;
  const held = world.engine
    .holdings(uid)
    .find((holding) => holding.category === category && holding.symbol === symbol);
  if (held !== undefined) return held;
  const modes = world.engine.account(uid)?.positionModes;
  return {
    leverage: leverageInitial,
    marginMode: 'crossed',
    holdMode: (category === 'SPOT' ? undefined : modes?.[category]) ?? 'one_way_mode',
  };
}
