/** Restores the state from a snapshot. */
import { marketFor } from '../commands/list-instrument.ts';
import { schedule } from '../settle/due.ts';
import { Account } from '../model/account.ts';
import type { Position } from '../model/holding.ts';
import type { Market } from '../model/market.ts';
import { State } from '../model/state.ts';
import { restoreOrder, restorePosition } from './saved-orders.ts';
import type { SavedAccount, SavedBills, SavedMarket, SavedState } from './saved.ts';

/**
 * Restores the whole state: accounts and money first, then positions, then orders, which refer to
 * them.
 */
export function restoreState(saved: SavedState): State {
  const state = new State();
  state.now = saved.now;
  state.settings = saved.settings;
  Object.assign(state.counts, saved.counts);
  for (const account of saved.accounts) restoreAccount(state, account);
  for (const market of saved.markets) restoreMarket(state, market);
  restoreMoney(state, saved);
  restorePositions(state, saved);
  for (const order of saved.orders) restoreOrder(state, order);
  for (const [count, due] of saved.arrivals) {
    const order = state.orders.get(count);
    if (order !== undefined) state.arrivals.push({ order, due });
  }
  for (const market of saved.markets) restoreBook(state, market);
  restoreReports(state, saved);
  restoreBills(state, saved.bills);
  schedule(state);
  return state;
}

function restoreAccount(state: State, { parent, positionModes, ...account }: SavedAccount): void {
  const modes = { ...positionModes };
  state.accounts.set(
    account.uid,
    new Account({ ...account, parent: parent ?? undefined, positionModes: modes }),
  );
}

function restoreMarket(state: State, saved: SavedMarket): void {
  const market = marketFor(state, saved.instrument);
  market.markTicks = saved.mark ?? undefined;
  market.indexTicks = saved.index ?? undefined;
  market.lastTicks = saved.last ?? undefined;
  market.fundingRate = BigInt(saved.fundingRate);
  market.nextFunding = saved.nextFunding ?? undefined;
  market.deliveryStatus = saved.deliveryStatus;
  market.nextPhase = saved.nextPhase ?? undefined;
  const trades = saved.trades.map(([count, ticks, lots, isBuy, at]) => ({
    count,
    ticks,
    lots,
    isBuy,
    at,
  }));
  market.tape.restore(trades, saved.sequence);
  state.addMarket(market);
}

function restoreMoney(state: State, saved: SavedState): void {
  const { ledger } = state;
  for (const [name, coin, balance] of saved.house) {
    ledger.account(name, coin).balance = BigInt(balance);
  }
  for (const [uid, walletType, coin, balance] of saved.wallets) {
    state.wallet(state.account(uid), walletType, coin).ledger.balance = BigInt(balance);
  }
  for (const [from, to, coin, amount, because, at] of saved.transfers) {
    const way = { from: ledger.account(from, coin), to: ledger.account(to, coin) };
    ledger.remember(way, BigInt(amount), because, at);
  }
  for (const { productType, coin, records } of saved.reserves) {
    state.reserve(productType, coin).restore(
      records.map(([amount, balance, at]) => ({
        amount: BigInt(amount),
        balance: BigInt(balance),
        at,
      })),
    );
  }
}

/**
 * Restores the data of reports. Older worlds have none: their fills count at the last change of
 * each order.
 */
function restoreReports(state: State, { accounts, reported, wallets }: SavedState): void {
  for (const [uid, walletType, coin, balance] of reported ?? wallets) {
    state.wallet(state.account(uid), walletType, coin).reported = BigInt(balance);
  }
  for (const { uid, traded } of accounts) {
    const account = state.account(uid);
    for (const [until, value] of traded ?? []) account.traded.add(until, BigInt(value));
    if (traded !== undefined || account.isMaker) continue;
    for (const count of account.orders) {
      const order = state.orders.get(count);
      if (order !== undefined && order.executedValue > 0n) {
        account.traded.add(order.updatedAt, order.executedValue);
      }
    }
  }
}

function restorePositions(state: State, saved: SavedState): void {
  for (const [uid, category, symbol, leverage, marginMode] of saved.holdings) {
    const market = state.market(category, symbol);
    const holding = state.holding(state.account(uid), market);
    holding.leverage = leverage;
    holding.marginMode = marginMode;
  }
  const positions = new Map<number, Position>();
  for (const item of saved.positions) {
    const position = restorePosition(state, item);
    positions.set(item.count, position);
    position.holding.changed();
  }
  for (const { position: count, ...guard } of saved.guards) {
    const position = positions.get(count);
    if (position === undefined) continue;
    position.holding.market.triggers.add({ ...guard, position });
  }
}

function restoreBook(state: State, { instrument, bids, asks }: SavedMarket): void {
  const market: Market = state.market(instrument.category, instrument.symbol);
  for (const count of [...bids, ...asks]) {
    const order = state.orders.get(count);
    if (order !== undefined) market.book.rest(order);
  }
}

function restoreBills(state: State, saved: readonly SavedBills[]): void {
  for (const { uid, walletType, rows } of saved) {
    const numbers = rows.map(([count]) => count);
    state.account(uid).bills.set(walletType, numbers);
  }
  const all = saved.flatMap(({ rows }) => rows).toSorted(([a], [b]) => a - b);
  for (const [count, symbol, amount, fee, businessType, coin, balance, at] of all) {
    state.bills.restore({
      count,
      symbol,
      amount: BigInt(amount),
      fee: BigInt(fee),
      businessType,
      coin,
      balance: BigInt(balance),
      at,
    });
  }
}
