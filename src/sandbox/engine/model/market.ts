/** One symbol in the engine: its parsed numbers, its book, its prices, its holders. */
import type { Millis } from '../../../base/clock.ts';
import { Book } from '../book/book.ts';
import type { Contract, Valuation } from '../contract.ts';
import type { DeliveryStatus, Instrument } from '../instrument.ts';
import { partOf, ratio, type Money, type Ratio } from '../money.ts';
import type { Position } from './holding.ts';
import type { LedgerAccount } from './ledger.ts';
import { OrderTraitsCache } from './order-traits.ts';
import type { Order } from './order.ts';
import type { Tape } from './tape.ts';
import type { Triggers } from './triggers.ts';

export interface Tier {
  readonly from: Money;
  readonly rate: Ratio;
}

/** The numbers of an instrument, parsed once. */
export interface Terms {
  /** The value of one tick of one lot, and of one lot. */
  readonly pointMoney: Money;
  readonly lotMoney: Money;
  readonly lotsMin: number;
  readonly lotsMax: number;
  /** The minimum order value, in ticks × lots. */
  readonly pointsMin: number;
  readonly makerFee: Ratio;
  readonly takerFee: Ratio;
  readonly tiers: readonly Tier[];
  /** The maximum maintenance requirement for each unit of value: highest tier and closing fee. */
  readonly rateMost: number;
  readonly priceBand: Ratio | undefined;
}

/** The requirements of a leverage, as ratios. */
export interface LeverageRates {
  /** The opening cost for each unit of value: margin, and the taker fee. */
  readonly opening: Ratio;
  /** The initial margin of one point of the contract. */
  readonly margin: Ratio;
}

export class Market {
  readonly instrument: Instrument;
  readonly terms: Terms;
  readonly contract: Contract;
  private readonly valuation: Valuation;
  /** The counter-account of realized profit and loss. */
  readonly clearing: LedgerAccount;
  readonly fees: LedgerAccount;
  readonly funding: LedgerAccount;
  readonly tape: Tape;
  readonly triggers: Triggers;
  readonly book = new Book<Order>();
  readonly traitsCache = new OrderTraitsCache();
  /** Open positions in order of opening. */
  readonly positions = new Set<Position>();
  /** Sum of all long positions, which equals that of all short ones. */
  openLots = 0;
  markTicks: number | undefined = undefined;
  indexTicks: number | undefined = undefined;
  lastTicks: number | undefined = undefined;
  fundingRate: Money = 0n;
  nextFunding: Millis | undefined = undefined;
  deliveryStatus: DeliveryStatus = '';
  /** The next automatic change of the delivery status. */
  nextPhase: Millis | undefined = undefined;
  private reach = { mark: 0, ticks: Infinity };
  private readonly rates = new Map<number, LeverageRates>();
  private readonly pointFees: Readonly<Record<'maker' | 'taker', Ratio>>;

  constructor(about: {
    readonly instrument: Instrument;
    readonly terms: Terms;
    readonly contract: Contract;
    readonly valuation: Valuation;
    readonly clearing: LedgerAccount;
    readonly fees: LedgerAccount;
    readonly funding: LedgerAccount;
    readonly tape: Tape;
    readonly triggers: Triggers;
  }) {
    this.instrument = about.instrument;
    this.terms = about.terms;
    this.contract = about.contract;
    this.valuation = about.valuation;
    const { makerFee, takerFee } = about.terms;
    this.pointFees = { maker: this.perPoint(makerFee), taker: this.perPoint(takerFee) };
    this.clearing = about.clearing;
    this.fees = about.fees;
    this.funding = about.funding;
    this.tape = about.tape;
    this.triggers = about.triggers;
  }

  get isSpot(): boolean {
    return this.instrument.category === 'SPOT';
  }

  /**
   * Whether the market is in the last minutes before delivery, when positions can only be closed.
   */
  get isClosingOnly(): boolean {
    return this.deliveryStatus === 'delivery_before';
  }

  /** The maximum distance of a limit price from a mark price, in ticks. */
  reachAt(mark: number): number {
    const { priceBand } = this.terms;
    if (priceBand === undefined) return Infinity;
    if (this.reach.mark !== mark) {
      this.reach = { mark, ticks: Number(partOf(BigInt(mark), priceBand, 'floor')) };
    }
    return this.reach.ticks;
  }

  /** The value of price times size, in the quote coin. */
  value(ticks: number, lots: number): Money {
    return this.valuation.valueOf(ticks, lots);
  }

  ratesAt(leverage: number): LeverageRates {
    let rates = this.rates.get(leverage);
    if (rates === undefined) {
      const times = BigInt(leverage);
      const { top, bottom } = this.terms.takerFee;
      rates = {
        opening: ratio(bottom + times * top, times * bottom),
        margin: this.perPoint({ top: 1n, bottom: times }),
      };
      this.rates.set(leverage, rates);
    }
    return rates;
  }

  /** A fee on an amount, rounded up. */
  fee(amount: Money, role: 'maker' | 'taker'): Money {
    const rate = role === 'maker' ? this.terms.makerFee : this.terms.takerFee;
    return partOf(amount, rate, 'ceil');
  }

  /** The fee on so many points of the contract, usually one multiplication without remainder. */
  feeOf(points: bigint, role: 'maker' | 'taker'): Money {
    const { maker, taker } = this.pointFees;
    return partOf(points, role === 'maker' ? maker : taker, 'ceil');
  }

  private perPoint({ top, bottom }: Pick<Ratio, 'top' | 'bottom'>): Ratio {
    return ratio(top * this.contract.unit, bottom);
  }
}
