/** The content that a scenario adds besides accounts and orders: symbols, customers, records. */
import type { Millis } from '../../base/clock.ts';
import type { Output } from '../../exchange/api/operations/index.ts';
import type { Listing } from './instruments.ts';

/** A customer of an agent that a scenario defined. */
export interface Referral {
  readonly agent: string;
  readonly uid: string;
  readonly registerTime: Millis;
  readonly referralCode: string;
  /** The balance in the quote coin. */
  readonly balance: string;
  /** Traded amounts, by time of day. */
  readonly volumes: readonly { readonly time: Millis; readonly volumn: string }[];
}

/** P2P records of one account, as endpoint 14 returns them. */
export interface ToldP2p {
  readonly uid: string;
  readonly records: Output<'tax/list-p2p'>;
}

export interface Added {
  readonly listings: readonly Listing[];
  readonly referrals: readonly Referral[];
  readonly loanProducts: readonly Output<'loan/list-symbols'>[];
  readonly loans: Output<'loan/list-orders'>;
  readonly p2p: readonly ToldP2p[];
}

export const nothingAdded: Added = {
  listings: [],
  referrals: [],
  loanProducts: [],
  loans: [],
  p2p: [],
};

/** Merges additions; the second has priority. */
export function joined(a: Added, b: Added): Added {
  return {
    listings: [...a.listings, ...b.listings],
    referrals: [...a.referrals, ...b.referrals],
    loanProducts: [...a.loanProducts, ...b.loanProducts],
    loans: [...a.loans, ...b.loans],
    p2p: [...a.p2p, ...b.p2p],
  };
}
