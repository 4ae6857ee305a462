/** Accounts, wallets, positions and deleveraging ranks as the engine shows them. */
import type { ProductType } from '../../../exchange/api/vocabulary.ts';
import { formatMoney, larger } from '../money.ts';
import { queue } from '../settle/deleverage.ts';
import type { Account } from '../model/account.ts';
import type { Position } from '../model/holding.ts';
import type { State } from '../model/state.ts';
import type { Wallet } from '../model/wallet.ts';
import { available, profitAtMark, unrealisedOf } from '../trade/funds.ts';
import { formatUnits } from '../units.ts';
import { averagePrice } from './average.ts';
import type { AccountView, AdlView, HoldingView, PositionView, WalletView } from '../view.ts';

export function viewAccount({ uid, kind, parent, positionModes, openedAt }: Account): AccountView {
  return {
    uid,
    kind,
    ...(parent !== undefined && { parent }),
    positionModes: { ...positionModes },
    openedTime: openedAt,
  };
}

/** The wallets of an account that were ever used, in order of walletType and coin. */
export function walletsOf(state: State, uid: string): WalletView[] {
  const wallets = [...(state.accounts.get(uid)?.wallets.entries() ?? [])];
  return wallets
    .filter(([, wallet]) => wallet.balance !== 0n || wallet.held !== 0n)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, wallet]) => viewWallet(wallet));
}

function viewWallet(wallet: Wallet): WalletView {
  let unrealised = 0n;
  for (const holding of wallet.holdings) unrealised += unrealisedOf(holding);
  return {
    walletType: wallet.walletType,
    coin: wallet.coin,
    balance: formatMoney(wallet.balance),
    held: formatMoney(wallet.held),
    available: formatMoney(larger(available(wallet), 0n)),
    unrealised: formatMoney(unrealised),
  };
}

/** The open positions of an account in order of opening. */
export function positionsOf(state: State, uid: string): PositionView[] {
  return openPositions(state, uid).flatMap((position) => {
    const { category } = position.holding.market.instrument;
    return category === 'SPOT' ? [] : [viewPosition(position, category)];
  });
}

/** The settings of every futures symbol that an account has used, in order of product line and symbol. */
export function holdingsOf(state: State, uid: string): HoldingView[] {
  const holdings = [...(state.accounts.get(uid)?.holdings.values() ?? [])];
  return holdings
    .flatMap(({ market, leverage, marginMode, isOneWay }): HoldingView[] => {
      const { category, symbol, marginCoin } = market.instrument;
      if (category === 'SPOT') return [];
      const holdMode = isOneWay ? 'one_way_mode' : 'hedge_mode';
      return [{ category, symbol, marginCoin, leverage, marginMode, holdMode }];
    })
    .sort((a, b) => (`${a.category} ${a.symbol}` < `${b.category} ${b.symbol}` ? -1 : 1));
}

/** The account's rank among all holders of the same side of a symbol. */
export function adlRanksOf(state: State, uid: string, productType: ProductType): AdlView[] {
  return openPositions(state, uid)
    .filter(({ holding }) => holding.market.instrument.category === productType)
    .map((position) => {
      const { market } = position.holding;
      const row = queue(market, position.side);
      const { symbol, marginCoin } = market.instrument;
      return {
        symbol,
        marginCoin,
        holdSide: position.side,
        adlRank: ratio(row.indexOf(position) + 1, row.length),
      };
    });
}

function openPositions(state: State, uid: string): Position[] {
  const holdings = [...(state.accounts.get(uid)?.holdings.values() ?? [])];
  return holdings.flatMap((holding) => holding.positions()).sort((a, b) => a.count - b.count);
}

function viewPosition(position: Position, category: ProductType): PositionView {
  const { holding, side, lots, margin, openedAt } = position;
  const { market, leverage, marginMode, isOneWay } = holding;
  const { symbol, marginCoin, sizeScale, priceScale } = market.instrument;
  return {
    category,
    symbol,
    marginCoin,
    holdMode: isOneWay ? 'one_way_mode' : 'hedge_mode',
    holdSide: side,
    size: formatUnits(lots, sizeScale),
    available: formatUnits(Math.max(0, position.freeLots), sizeScale),
    entryPrice: averagePrice(market.instrument, position.entryValue, lots),
    markPrice: market.markTicks === undefined ? '0' : formatUnits(market.markTicks, priceScale),
    leverage,
    marginMode,
    margin: formatMoney(margin),
    unrealised: formatMoney(profitAtMark(position)),
    openedTime: openedAt,
  };
}

/** A rank as a ratio with four decimal places, as in the API. */
function ratio(place: number, all: number): string {
  return formatUnits(Math.round((place * 10_000) / all), 4);
}
