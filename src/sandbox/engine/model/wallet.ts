/** One coin of one walletType of an account: a balance in the ledger, and the held part of it. */
import type { WalletType } from '../instrument.ts';
import type { Money } from '../money.ts';
import type { Account } from './account.ts';
import type { Holding } from './holding.ts';
import type { LedgerAccount } from './ledger.ts';

export class Wallet {
  readonly account: Account;
  readonly walletType: WalletType;
  readonly coin: string;
  readonly ledger: LedgerAccount;
  /** The wallet's balance at the last refresh of reports before the engine's time. */
  reported: Money = 0n;
  /** The amount held for open orders on spot and margin. */
  heldOnSpot: Money = 0n;
  private known: Money | undefined = undefined;
  /** Whether a margin check is pending. */
  isTouched = false;
  /** The futures positions that the wallet backs. */
  readonly holdings: Holding[] = [];

  constructor(account: Account, walletType: WalletType, ledger: LedgerAccount) {
    this.account = account;
    this.walletType = walletType;
    this.coin = ledger.coin;
    this.ledger = ledger;
  }

  get balance(): Money {
    return this.ledger.balance;
  }

  get roughBalance(): number {
    return this.ledger.roughBalance;
  }

  /** The amount held for open orders and positions. */
  get held(): Money {
    if (this.known === undefined) {
      this.known = this.heldOnSpot;
      for (const holding of this.holdings) this.known += holding.held;
    }
    return this.known;
  }

  /** Reports a change, after which the held amount is recomputed on demand. */
  changed(): void {
    this.known = undefined;
  }
}

export function walletKey(walletType: WalletType, coin: string): string {
  return `${walletType} ${coin}`;
}
