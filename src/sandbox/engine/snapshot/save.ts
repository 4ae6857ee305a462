/** Serializes the state so that equal states give equal JSON. */
import type { Account } from '../model/account.ts';
import type { Bill } from '../model/bill.ts';
import type { Holding } from '../model/holding.ts';
import type { Transfer } from '../model/ledger.ts';
import type { Market } from '../model/market.ts';
import type { Order } from '../model/order.ts';
import type { State } from '../model/state.ts';
import type { Wallet } from '../model/wallet.ts';
import type { Money } from '../money.ts';
import type { Level } from '../book/level.ts';
import { saveGuards, saveOrder, savePosition } from './saved-orders.ts';
import type {
  SavedAccount,
  SavedBill,
  SavedBills,
  SavedHolding,
  SavedMarket,
  SavedState,
  SavedTransfer,
} from './saved.ts';

/** Saves the state. Reads leave no trace: empty wallets and holdings are omitted. */
export function saveState(state: State): SavedState {
  const positions = state.markets
    .flatMap((market) => [...market.positions])
    .sort((a, b) => a.count - b.count);
  return {
    now: state.now,
    settings: state.settings,
    counts: { ...state.counts },
    accounts: [...state.accounts.values()].map(saveAccount),
    markets: state.markets.map(saveMarket),
    house: saveHouse(state),
    wallets: saveWallets(state, ({ balance }) => balance),
    reported: saveWallets(state, ({ reported }) => reported),
    transfers: [...state.ledger.transfers()].map(saveTransfer).reverse(),
    reserves: [...state.reserves.values()]
      .filter((reserve) => reserve.records().length > 0)
      .map((reserve) => ({
        productType: reserve.productType,
        coin: reserve.ledger.coin,
        records: reserve
          .records()
          .map(({ amount, balance, at }) => [amount.toString(), balance.toString(), at] as const),
      }))
      .sort(by(({ productType, coin }) => `${productType} ${coin}`)),
    holdings: saveHoldings(state),
    positions: positions.map(savePosition),
    orders: [...state.orders.values()].map(saveOrder),
    arrivals: state.arrivals
      .filter(({ order }) => order.isOpen)
      .map(({ order, due }) => [order.count, due] as const),
    guards: positions.flatMap(saveGuards).sort((a, b) => a.count - b.count),
    bills: saveBills(state),
  };
}

function saveAccount(account: Account): SavedAccount {
  const { uid, kind, parent, openedAt, positionModes, traded } = account;
  return {
    uid,
    kind,
    parent: parent ?? null,
    openedAt,
    positionModes: { ...positionModes },
    traded: [...traded.entries()].map(([period, value]) => [period, value.toString()] as const),
  };
}

function saveMarket(market: Market): SavedMarket {
  return {
    instrument: market.instrument,
    mark: market.markTicks ?? null,
    index: market.indexTicks ?? null,
    last: market.lastTicks ?? null,
    fundingRate: market.fundingRate.toString(),
    nextFunding: market.nextFunding ?? null,
    deliveryStatus: market.deliveryStatus,
    nextPhase: market.nextPhase ?? null,
    sequence: market.tape.sequence,
    trades: market.tape
      .all()
      .map(({ count, ticks, lots, isBuy, at }) => [count, ticks, lots, isBuy, at] as const),
    bids: countsOf(market.book.bidLevels()),
    asks: countsOf(market.book.askLevels()),
  };
}

function countsOf(levels: Iterable<Level<Order>>): number[] {
  const counts: number[] = [];
  for (const { first } of levels) {
    for (let order = first; order !== undefined; order = order.behind) {
      counts.push(order.count);
    }
  }
  return counts;
}

function saveHouse(state: State): SavedState['house'] {
  return [...state.ledger.all()]
    .filter(({ name, balance }) => balance !== 0n && !name.startsWith('wallet:'))
    .map(({ name, coin, balance }) => [name, coin, balance.toString()] as const)
    .sort(by(([name, coin]) => `${name} ${coin}`));
}

function saveWallets(state: State, amountOf: (wallet: Wallet) => Money): SavedState['wallets'] {
  return [...state.accounts.values()].flatMap(({ uid, wallets }) =>
    [...wallets.values()]
      .filter((wallet) => amountOf(wallet) !== 0n)
      .map((wallet) => [uid, wallet.walletType, wallet.coin, amountOf(wallet).toString()] as const)
      .sort(by(([, walletType, coin]) => `${walletType} ${coin}`)),
  );
}

function saveTransfer({ from, to, amount, because, at }: Transfer): SavedTransfer {
  return [from.name, to.name, from.coin, amount.toString(), because, at];
}

function saveHoldings(state: State): SavedHolding[] {
  return [...state.accounts.values()].flatMap(({ uid, holdings }) =>
    [...holdings.values()]
      .filter(isWorthSaving)
      .map((holding): SavedHolding => {
        const { category, symbol } = holding.market.instrument;
        const marginMode = holding.isEmpty ? 'crossed' : holding.marginMode;
        return [uid, category, symbol, holding.leverage, marginMode];
      })
      .sort(by(([, category, symbol]) => `${category} ${symbol}`)),
  );
}

/**
 * Whether a holding must be saved. The margin mode of an empty holding has no meaning: the next
 * order sets it.
 */
function isWorthSaving(holding: Holding): boolean {
  const { leverage, marginMode, market } = holding;
  if (leverage !== market.instrument.leverageInitial) return true;
  return !holding.isEmpty && marginMode !== 'crossed';
}

function saveBills(state: State): SavedBills[] {
  return [...state.accounts.values()].flatMap(({ uid, bills }) =>
    [...bills.entries()]
      .map(([walletType, numbers]) => ({
        uid,
        walletType,
        rows: numbers.flatMap((number) => saveBill(state.bills.read(number))),
      }))
      .sort(by(({ walletType }) => walletType)),
  );
}

function saveBill(bill: Bill | undefined): SavedBill[] {
  if (bill === undefined) return [];
  const { count, symbol, amount, fee, businessType, coin, balance, at } = bill;
  return [
    [count, symbol, amount.toString(), fee.toString(), businessType, coin, balance.toString(), at],
  ];
}

function by<T>(keyOf: (item: T) => string): (a: T, b: T) => number {
  return (a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)];
    return left < right ? -1 : left > right ? 1 : 0;
  };
}
