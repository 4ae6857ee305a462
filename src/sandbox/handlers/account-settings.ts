/** Settings of both account families: margin, modes and leverage. */
import { decimal, decimalText, divide, zero } from '../../base/decimal.ts';
import type { Input } from '../../exchange/api/operations/index.ts';
import type { WalletView } from '../engine/view.ts';
import { Refusal } from '../refusal.ts';
import type { World } from '../world/world.ts';
import type { Handler } from './handler.ts';
import { settingsIn, type SymbolSettings } from './symbol-settings.ts';
import { inUnifiedCodes } from './unified-codes.ts';

export const getClassicAccount: Handler<'futures/get-account'> = (input, { world, caller }) => {
  const market = world.market(input.productType, input.symbol);
  if (market === undefined) throw new Refusal('40102');
  const { marginCoin } = market.instrument;
  if (input.marginCoin.toUpperCase() !== marginCoin) throw new Refusal('40778');
  const { leverage, marginMode, holdMode } = settingsIn(world, caller.uid, market);
  const wallet = walletIn(world, caller.uid, input);
  const positions = world.engine
    .positions(caller.uid)
    .filter((held) => held.category === input.productType && held.marginCoin === marginCoin);
  const profitOf = (mode: string): string =>
    decimalText(
      positions
        .filter((held) => held.marginMode === mode)
        .reduce((sum, { unrealised }) => sum.plus(unrealised), zero),
    );
  const equity = decimal(wallet.balance).plus(wallet.unrealised);
  const dollars = equity.times(dollarsFor(world, marginCoin));
  const coins = divide(dollars, decimal(dollarsFor(world, 'BTC')), { scale: 8, rounding: 'down' });
  return {
    marginCoin,
    locked: wallet.held,
    available: wallet.available,
    crossedMaxAvailable: wallet.available,
    isolatedMaxAvailable: wallet.available,
    maxTransferOut: wallet.available,
    accountEquity: decimalText(equity),
    usdtEquity: decimalText(dollars),
    btcEquity: decimalText(coins),
    crossedRiskRate: '',
    crossedMarginLeverage: String(leverage),
    isolatedLongLever: String(leverage),
    isolatedShortLever: String(leverage),
    marginMode,
    posMode: holdMode,
    unrealizedPL: wallet.unrealised,
    coupon: '0',
    crossedUnrealizedPL: profitOf('crossed'),
    isolatedUnrealizedPL: profitOf('isolated'),
    assetMode: 'single',
  };
};

function walletIn(
  world: World,
  uid: string,
  { productType, marginCoin }: Input<'futures/get-account'>,
): WalletView {
  const found = world.engine
    .wallets(uid)
    .find(
      ({ walletType, coin }) => walletType === productType && coin === marginCoin.toUpperCase(),
    );
  const nothing = { balance: '0', held: '0', available: '0', unrealised: '0' };
  return found ?? { walletType: productType, coin: marginCoin, ...nothing };
}

/** The price of a coin in dollars, at which the sandbox marks it. */
function dollarsFor(world: World, coin: string): string {
  const price = world.engine.market('USDT-FUTURES', `${coin}USDT`)?.markPrice;
  return price ?? '1'; // a coin that is a dollar itself
}

export const getUnifiedSettings: Handler<'account/get-settings'> = (_input, context) => {
  const { engine } = context.world;
  const { uid } = context.caller;
  return {
    uid,
    accountMode: 'unified',
    assetMode: 'single',
    holdMode: engine.account(uid)?.positionModes['USDT-FUTURES'] ?? 'one_way_mode',
    stpMode: 'none',
    symbolConfigList: engine.holdings(uid).map(({ category, symbol, marginMode, leverage }) => ({
      category,
      symbol,
      marginMode,
      leverage: String(leverage),
    })),
    coinConfigList: [],
  };
};

export const setClassicLeverage: Handler<'futures/set-leverage'> = (input, context) => {
  const { world, caller, now } = context;
  const { symbol, productType: category, leverage } = input;
  const market = world.market(category, symbol);
  if (market === undefined) throw new Refusal('40102');
  const { marginCoin } = market.instrument;
  if (input.marginCoin.toUpperCase() !== marginCoin) throw new Refusal('40778');
  const settings = settingsIn(world, caller.uid, market);
  const { marginMode } = settings;
  if (input.holdSide !== undefined && !hasSides(settings)) throw new Refusal('40020', 'holdSide');
  world.command({ kind: 'set-leverage', uid: caller.uid, category, symbol, leverage }, now);
  return {
    symbol,
    marginCoin,
    longLeverage: leverage,
    shortLeverage: leverage,
    crossMarginLeverage: leverage,
    marginMode,
  };
};

export const setUnifiedLeverage: Handler<'account/set-leverage'> = (input, context) => {
  const { world, caller, now } = context;
  const { category, symbol, coin, leverage, posSide } = input;
  if (category === 'SPOT' || category === 'MARGIN' || symbol === undefined) {
    throw new Refusal('25200', `the sandbox has no leverage of ${category} ${coin ?? ''}`.trim());
  }
  const market = world.market(category, symbol);
  if (market === undefined) throw new Refusal('25100', symbol);
  if (posSide !== undefined && !hasSides(settingsIn(world, caller.uid, market))) {
    throw new Refusal('25200', 'posSide');
  }
  inUnifiedCodes(() =>
    world.command({ kind: 'set-leverage', uid: caller.uid, category, symbol, leverage }, now),
  );
  return 'success';
};

/** Whether the leverage of a symbol is set by side: only isolated margin in hedge mode has two. */
function hasSides({ marginMode, holdMode }: SymbolSettings): boolean {
  return marginMode === 'isolated' && holdMode === 'hedge_mode';
}
