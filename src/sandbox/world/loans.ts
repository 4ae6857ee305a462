/** Institutional loans: two products, and for every borrower one loan every twenty days. */
import { day, type Millis } from '../../base/clock.ts';
import type { Output } from '../../exchange/api/operations/index.ts';
import { isWithin, type TimeRange } from '../windows.ts';
import { scaled } from './digits.ts';
import { noise } from './noise.ts';

type LoanProduct = Output<'loan/list-symbols'>;
type LoanOrder = Output<'loan/list-orders'>[number];

const whitelist = (symbols: readonly string[], leverage: string) =>
  symbols.map((symbol) => ({ symbol, leverage }));

/** Public loan products, by id. */
export const loanProducts: ReadonlyMap<string, LoanProduct> = new Map(
  [
    {
      productId: '1001',
      spotSymbols: ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'],
      marginLeverage: '3',
      usdtContractLeverage: '5',
      coinContractLeverage: '3',
      usdcContractLeverage: '5',
      usdtContractSymbols: whitelist(['BTCUSDT', 'ETHUSDT', 'SOLUSDT'], '10'),
      coinContractSymbols: whitelist(['BTCUSD'], '5'),
      usdcContractSymbols: whitelist(['BTCPERP'], '5'),
    },
    {
      productId: '1002',
      spotSymbols: ['BTCUSDT'],
      marginLeverage: '',
      usdtContractLeverage: '3',
      coinContractLeverage: '',
      usdcContractLeverage: '',
      usdtContractSymbols: whitelist(['BTCUSDT'], '5'),
      coinContractSymbols: [], // the product does not support this product type
      usdcContractSymbols: [],
    },
  ].map((product) => [product.productId, product]),
);

const rhythm = 20 * day;
const before = 12; // loans of each borrower from before the world's start
const paidAfter = 60 * day;
const coins = ['USDT', 'USDT', 'BTC'];

/** A borrower's loans: derived from the seed, at any age. */
export interface Loans {
  /** Loans in a time range, newest first. */
  within(span: TimeRange): readonly LoanOrder[];
  /** A loan by its id. */
  of(orderId: string): LoanOrder | undefined;
}

export interface Borrower {
  readonly seed: number;
  readonly uid: string;
  /** The start of the world. */
  readonly born: Millis;
}

/**
 * The loans of a borrower.
 * @param now later loans do not exist yet
 */
export function loansOf({ seed, uid, born }: Borrower, now: Millis): Loans {
  const chance = noise(seed, `loans ${uid}`);
  const first = Math.floor(born / rhythm) - before + 1;
  const isThere = ({ loanTime }: LoanOrder): boolean => Number(loanTime) <= now;
  return {
    within: ({ from, to }) => {
      const newest = Math.floor(Math.min(to, now) / rhythm);
      const oldest = Math.max(first, Math.floor(from / rhythm));
      const loans: LoanOrder[] = [];
      for (let index = newest; index >= oldest; index--) loans.push(loan(index));
      return loans.filter(
        (found) => isThere(found) && isWithin(Number(found.loanTime), { from, to }),
      );
    },
    of: (orderId) => {
      const index = Number(/^13(\d{6})\d{11}$/.exec(orderId)?.[1] ?? NaN);
      if (!(index >= first)) return undefined;
      const found = loan(index);
      return found.orderId === orderId && isThere(found) ? found : undefined;
    },
  };

  function loan(index: number): LoanOrder {
    const taken = index * rhythm + chance.integer(index * 4, day); // early on its first day
    const loanCoin = coins[chance.integer(index * 4 + 1, coins.length)] ?? 'USDT';
    const scale = loanCoin === 'BTC' ? 8 : 2;
    const amount = 1_000_000 + chance.integer(index * 4 + 2, 90_000_000);
    const interest = Math.floor((amount * daysBetween(taken, now)) / 10_000);
    const isPaid = now - taken > paidAfter;
    const repaid = isPaid ? amount : Math.floor(chance.uniform(index * 4 + 3) * amount * 0.5);
    return {
      orderId: `13${String(index).padStart(6, '0')}${uid.padStart(11, '0')}`,
      orderProductId: '1001',
      uid,
      loanTime: String(taken),
      loanCoin,
      loanAmount: scaled(amount, scale),
      unpaidAmount: scaled(amount - repaid, scale),
      unpaidInterest: scaled(isPaid ? 0 : interest, scale),
      repaidAmount: scaled(repaid, scale),
      repaidInterest: scaled(isPaid ? Math.floor((amount * 60) / 10_000) : 0, scale),
      status: isPaid ? 'paid_off' : 'not_paid_off',
    };
  }
}

function daysBetween(from: Millis, to: Millis): number {
  return Math.floor((to - from) / day);
}
