/** Creates an engine, empty or from a snapshot: one state behind commands and views. */
import { sha256 } from '../../base/json.ts';
import { Refusal } from '../refusal.ts';
import type { Answer, Command, CommandKind, Reply } from './command.ts';
import { commandTable } from './commands/table.ts';
import type { Applied, Engine, Snapshot } from './engine.ts';
import type { EngineEvent } from './event.ts';
import { findFaults } from './invariants/faults.ts';
import { passTime } from './settle/due.ts';
import { settle } from './settle/settle.ts';
import { restoreState } from './snapshot/restore.ts';
import { saveState } from './snapshot/save.ts';
import type { PendingEventNode } from './model/pending-event.ts';
import { State } from './model/state.ts';
import {
  adlRanksOf,
  holdingsOf,
  positionsOf,
  viewAccount,
  walletsOf,
} from './views/account-views.ts';
import { reportedBalances, tradedValues } from './views/reports.ts';
import { viewEvent } from './views/events.ts';
import {
  depthOf,
  reserveRecordsOf,
  tradesOf,
  transfersOf,
  viewLedger,
  viewMarket,
  viewReserve,
} from './views/markets.ts';
import {
  billsOf,
  closedOrders,
  findByClientOid,
  findOrder,
  openOrders,
} from './views/order-views.ts';

/** An empty engine: no symbol, no account, time zero. */
export function createEngine(): Engine {
  return engineOf(new State());
}

/** The engine of a snapshot; it continues exactly as the original would. */
export function restoreEngine({ state }: Snapshot): Engine {
  return engineOf(restoreState(state));
}

function engineOf(state: State): Engine {
  return {
    apply: (command, now) => {
      passTime(state, now);
      const reply = perform(state, command);
      settle(state);
      return new Done(reply, state.takeNotes());
    },
    time: () => state.now,
    settings: () => state.settings,
    hash: () => sha256(JSON.stringify(saveState(state))),
    snapshot: () => ({ version: 1, state: saveState(state) }),
    invariants: () => findFaults(state),
    ...accountViews(state),
    ...marketViews(state),
  };
}

/**
 * The reply to a command with its events. Most callers need only the reply; events are created on
 * demand.
 */
class Done<K extends CommandKind> implements Applied<K> {
  readonly reply: Reply<K>;
  private readonly notes: PendingEventNode | undefined;

  constructor(reply: Reply<K>, notes: PendingEventNode | undefined) {
    this.reply = reply;
    this.notes = notes;
  }

  get events(): EngineEvent[] {
    const events: EngineEvent[] = [];
    for (let note = this.notes; note !== undefined; note = note.next) {
      events.push(viewEvent(note.event));
    }
    return events;
  }
}

function perform<K extends CommandKind>(state: State, command: Command<K>): Reply<K> {
  const act: (state: State, command: Command<K>) => Answer<K> = commandTable[command.kind];
  try {
    return { kind: 'done', data: act(state, command) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { kind: 'refused', code: error.code, message: error.message };
  }
}

type AccountViews = Pick<
  Engine,
  | 'account'
  | 'accounts'
  | 'wallets'
  | 'reportedBalances'
  | 'tradedValues'
  | 'positions'
  | 'holdings'
  | 'adlRanks'
  | 'order'
  | 'orderByClientOid'
  | 'openOrders'
  | 'closedOrders'
  | 'bills'
  | 'openCounts'
>;

function accountViews(state: State): AccountViews {
  return {
    account: (uid) => {
      const account = state.accounts.get(uid);
      return account && viewAccount(account);
    },
    accounts: () => [...state.accounts.values()].map(viewAccount),
    wallets: (uid) => walletsOf(state, uid),
    reportedBalances: (uid, now) => reportedBalances(state, uid, now),
    tradedValues: (uid) => tradedValues(state, uid),
    positions: (uid) => positionsOf(state, uid),
    holdings: (uid) => holdingsOf(state, uid),
    adlRanks: (uid, productType) => adlRanksOf(state, uid, productType),
    order: (orderId) => findOrder(state, orderId),
    orderByClientOid: (uid, clientOid) => findByClientOid(state, uid, clientOid),
    openOrders: (uid, before) => openOrders(state, uid, before),
    closedOrders: (uid, options) => closedOrders(state, uid, options),
    bills: (uid, walletType, before) => billsOf(state, { uid, walletType }, before),
    openCounts: (uid) => {
      const account = state.accounts.get(uid);
      return { futures: account?.openFutures ?? 0, spot: account?.openSpot ?? 0 };
    },
  };
}

type MarketViews = Pick<
  Engine,
  | 'market'
  | 'markets'
  | 'depth'
  | 'trades'
  | 'tradeSums'
  | 'reserve'
  | 'reserveRecords'
  | 'ledger'
  | 'transfers'
>;

function marketViews(state: State): MarketViews {
  return {
    market: (category, symbol) => {
      const market = state.bySymbol[category].get(symbol);
      return market && viewMarket(market);
    },
    markets: () => state.markets.map(viewMarket),
    depth: (category, symbol, levels) => depthOf(state.bySymbol[category].get(symbol), levels),
    trades: (category, symbol, before, until) =>
      tradesOf(state.bySymbol[category].get(symbol), before, until),
    tradeSums: (category, symbol, span) => state.bySymbol[category].get(symbol)?.tape.sums(span),
    reserve: (productType, coin) => viewReserve(state, productType, coin),
    reserveRecords: (productType, coin) => reserveRecordsOf(state, productType, coin),
    ledger: () => viewLedger(state),
    transfers: () => transfersOf(state),
  };
}
