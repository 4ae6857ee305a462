/** How a contract converts prices to profit: in the quote coin, or in the base coin. */
import { quotient, type Money } from './money.ts';
import { product } from './units.ts';

/** The lots of a position, or some of them, for the formulas. */
export interface Stake {
  readonly isLong: boolean;
  readonly lots: number;
  /** The entry cost of these lots, in the quote coin. */
  readonly entryValue: Money;
}

/** A stake with its entry cost as a float. */
export interface RoughStake {
  readonly isLong: boolean;
  readonly lots: number;
  readonly roughEntry: number;
}

export interface Contract {
  /** The unit of sums of open orders: ticks × lots, or lots; orders are limited to 2^53 of them. */
  points(ticks: number, lots: number): number;
  /** Points of any number of lots, without the limit of 2^53. */
  allPoints(ticks: number, lots: number): bigint;
  /** The value of one point in the margin coin. */
  readonly unit: Money;
  readonly roughUnit: number;
  /** The value of lots at a price, in the margin coin. */
  notional(ticks: number, lots: number): Money;
  /**
   * The value of lots with this entry cost in the margin coin, which is the base of the initial
   * margin.
   */
  entryNotional(stake: Stake): Money;
  /** Profit (or loss) in the margin coin when the lots are closed at a price, rounded down. */
  profit(stake: Stake, ticks: number): Money;
  /** The profit as a float. */
  roughProfit(stake: RoughStake, ticks: number): number;
  /**
   * The price at which a stake has lost its margin, to the last tick on the safe side, in ticks;
   * `undefined` when no price can do that.
   * @param margin the maximum loss, without closing fees
   */
  bankruptTicks(stake: Stake, margin: Money): number | undefined;
}

/** Price times size, cached: one execution or check needs the same value several times. */
export class Valuation {
  private readonly pointMoney: Money;
  private ticks = 0;
  private lots = 0;
  private points = 0n;
  private value = 0n;

  constructor(pointMoney: Money) {
    this.pointMoney = pointMoney;
  }

  /** Price × size, in ticks × lots. */
  pointsOf(ticks: number, lots: number): bigint {
    this.look(ticks, lots);
    return this.points;
  }

  /** Price × size, in the quote coin. */
  valueOf(ticks: number, lots: number): Money {
    this.look(ticks, lots);
    return this.value;
  }

  private look(ticks: number, lots: number): void {
    if (this.ticks === ticks && this.lots === lots) return;
    this.ticks = ticks;
    this.lots = lots;
    this.points = product(ticks, lots);
    this.value = this.points * this.pointMoney;
  }
}

/**
 * A contract with margin and profit in the quote coin: value is price times size, and sums over
 * accounts are zero.
 */
export function linearContract(pointMoney: Money, valuation: Valuation): Contract {
  const roughUnit = Number(pointMoney);
  const value = (ticks: number, lots: number): Money => valuation.valueOf(ticks, lots);
  return {
    points: (ticks, lots) => ticks * lots,
    allPoints: (ticks, lots) => valuation.pointsOf(ticks, lots),
    unit: pointMoney,
    roughUnit,
    roughProfit: ({ isLong, lots, roughEntry }, ticks) => {
      const gain = ticks * lots * roughUnit - roughEntry;
      return isLong ? gain : -gain;
    },
    notional: value,
    entryNotional: ({ entryValue }) => entryValue,
    profit: ({ isLong, lots, entryValue }, ticks) =>
      isLong ? value(ticks, lots) - entryValue : entryValue - value(ticks, lots),
    bankruptTicks: ({ isLong, lots, entryValue }, margin) => {
      const perTick = BigInt(lots) * pointMoney;
      const ticks = isLong
        ? quotient(entryValue - margin, perTick, 'ceil')
        : quotient(entryValue + margin, perTick, 'floor');
      return ticksOf(ticks);
    },
  };
}

/**
 * A contract with margin and profit in the base coin. The value of a lot is constant; closing gives
 * the difference between the lots and what their entry value buys at the closing price.
 */
export function inverseContract(
  pointMoney: Money,
  { lotMoney }: { readonly lotMoney: Money },
): Contract {
  /** Base coins for a value in the quote coin: value ÷ (ticks × price of a tick). */
  const bought = (value: Money, ticks: number, rounding: 'floor' | 'ceil'): Money =>
    quotient(value * lotMoney, BigInt(ticks) * pointMoney, rounding);
  const base = (lots: number): Money => BigInt(lots) * lotMoney;
  const roughUnit = Number(lotMoney);
  const roughPoint = Number(pointMoney);
  return {
    points: (_ticks, lots) => lots,
    allPoints: (_ticks, lots) => BigInt(lots),
    unit: lotMoney,
    roughUnit,
    roughProfit: ({ isLong, lots, roughEntry }, ticks) => {
      const gain = (lots - roughEntry / (ticks * roughPoint)) * roughUnit;
      return isLong ? gain : -gain;
    },
    notional: (_ticks, lots) => base(lots),
    entryNotional: ({ lots }) => base(lots),
    profit: ({ isLong, lots, entryValue }, ticks) =>
      isLong
        ? base(lots) - bought(entryValue, ticks, 'ceil')
        : bought(entryValue, ticks, 'floor') - base(lots),
    bankruptTicks: ({ isLong, lots, entryValue }, margin) => {
      const left = isLong ? base(lots) + margin : base(lots) - margin;
      if (left <= 0n) return undefined;
      const perTick = left * pointMoney;
      return ticksOf(quotient(entryValue * lotMoney, perTick, isLong ? 'ceil' : 'floor'));
    },
  };
}

function ticksOf(ticks: bigint): number | undefined {
  if (ticks < 1n) return undefined;
  return ticks > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(ticks);
}
