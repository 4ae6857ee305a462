/** The engine's state and lookups in it. */
import type { Millis } from '../../../base/clock.ts';
import type { ProductType } from '../../../exchange/api/vocabulary.ts';
import { Refusal } from '../../refusal.ts';
import type { Settings } from '../command.ts';
import type { InstrumentCategory, WalletType } from '../instrument.ts';
import type { Account } from './account.ts';
import { Bills } from './bill.ts';
import type { PendingEvent, PendingEventNode } from './pending-event.ts';
import { Holding } from './holding.ts';
import { Ledger } from './ledger.ts';
import type { Market } from './market.ts';
import { Numbered } from './numbered.ts';
import type { Order } from './order.ts';
import { refreshBefore } from './reporting.ts';
import { Reserve } from './reserve.ts';
import { Wallet, walletKey } from './wallet.ts';

export class State {
  private moment: Millis = 0;
  settings: Settings = { duplicateClientOid: 'reject', matchDelayMs: 0 };
  readonly counts = { order: 0, bill: 0, trade: 0, position: 0, guard: 0 };
  readonly accounts = new Map<string, Account>();
  /** All markets in order of listing. */
  readonly markets: Market[] = [];
  readonly bySymbol: Readonly<Record<InstrumentCategory, Map<string, Market>>> = {
    SPOT: new Map(),
    'USDT-FUTURES': new Map(),
    'COIN-FUTURES': new Map(),
    'USDC-FUTURES': new Map(),
  };
  /** All stored orders, by sequence number. */
  readonly orders = new Numbered<Order>();
  readonly bills = new Bills();
  readonly reserves = new Map<string, Reserve>();
  readonly ledger = new Ledger();
  /** Accepted orders waiting to be matched, oldest first, with their times. */
  readonly arrivals: { readonly order: Order; readonly due: Millis }[] = [];
  /** The time of the next due event; updated when one is scheduled. */
  nextDue: Millis = Infinity;
  /** Wallets whose margin must be checked before the command ends. */
  private readonly touched: Wallet[] = [];
  /** Markets whose triggers must be checked: a price or phase has changed, or they are new. */
  readonly stirred = new Set<Market>();
  /** The events of the current command so far. */
  private firstNote: PendingEventNode | undefined = undefined;
  private lastNote: PendingEventNode | undefined = undefined;

  get now(): Millis {
    return this.moment;
  }

  /**
   * Advances the time, which never goes back. Balances are saved at the last refresh of reports.
   */
  set now(moment: Millis) {
    if (refreshBefore(moment) >= this.moment) this.keepBalances();
    this.moment = Math.max(this.moment, moment);
  }

  /** Records an event. */
  note(event: PendingEvent): void {
    const note: PendingEventNode = { event, next: undefined };
    if (this.lastNote === undefined) this.firstNote = note;
    else this.lastNote.next = note;
    this.lastNote = note;
  }

  /** The first event since the last call; the others are linked to it. */
  takeNotes(): PendingEventNode | undefined {
    const { firstNote } = this;
    this.firstNote = undefined;
    this.lastNote = undefined;
    return firstNote;
  }

  /** The account of a uid. @throws Refusal for an unknown account */
  account(uid: string): Account {
    const account = this.accounts.get(uid);
    if (account === undefined) throw new Refusal('43011', `no account ${uid}`);
    return account;
  }

  /**
   * The market of a symbol. @throws Refusal when it does not exist, or not on this product type
   */
  market(category: InstrumentCategory, symbol: string): Market {
    const market = this.bySymbol[category].get(symbol);
    if (market === undefined) throw new Refusal(this.isKnown(symbol) ? '22012' : '40102');
    return market;
  }

  /** Schedules a margin check of a wallet before the command ends. */
  touch(wallet: Wallet): void {
    if (wallet.isTouched) return;
    wallet.isTouched = true;
    this.touched.push(wallet);
  }

  /** The next wallet to check; it may be scheduled again from now on. */
  nextTouched(): Wallet | undefined {
    const wallet = this.touched.shift();
    if (wallet !== undefined) wallet.isTouched = false;
    return wallet;
  }

  /** Schedules a check of a market's triggers and holders before the command ends. */
  stir(market: Market): void {
    this.stirred.add(market);
    for (const { holding } of market.positions) {
      if (!holding.account.isMaker) this.touch(holding.wallet);
    }
  }

  addMarket(market: Market): void {
    const { category, symbol } = market.instrument;
    this.markets.push(market);
    this.bySymbol[category].set(symbol, market);
  }

  private keepBalances(): void {
    for (const { isMaker, wallets } of this.accounts.values()) {
      if (isMaker) continue;
      for (const wallet of wallets.values()) wallet.reported = wallet.balance;
    }
  }

  private isKnown(symbol: string): boolean {
    return Object.values(this.bySymbol).some((markets) => markets.has(symbol));
  }

  wallet(account: Account, walletType: WalletType, coin: string): Wallet {
    const key = walletKey(walletType, coin);
    let wallet = account.wallets.get(key);
    if (wallet === undefined) {
      const ledger = this.ledger.account(`wallet:${account.uid}:${walletType}`, coin);
      wallet = new Wallet(account, walletType, ledger);
      account.wallets.set(key, wallet);
    }
    return wallet;
  }

  holding(account: Account, market: Market): Holding {
    if (account.latestHolding?.market === market) return account.latestHolding;
    let holding = account.holdings.get(market);
    if (holding === undefined) {
      const { category, marginCoin } = market.instrument;
      const wallet = this.wallet(account, category, marginCoin);
      holding = new Holding(account, market, wallet);
      account.holdings.set(market, holding);
      wallet.holdings.push(holding);
    }
    account.latestHolding = holding;
    return holding;
  }

  reserve(productType: ProductType, coin: string): Reserve {
    const key = `${productType} ${coin}`;
    let reserve = this.reserves.get(key);
    if (reserve === undefined) {
      reserve = new Reserve(productType, this.ledger.account(`reserve:${productType}`, coin));
      this.reserves.set(key, reserve);
    }
    return reserve;
  }
}
