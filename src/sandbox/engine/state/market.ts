/** One symbol as the engine runs it: its numbers read, its book, its prices, who holds it. */
import type { Millis } from '../../../base/clock.ts';
import { Book } from '../book/book.ts';
import type { Contract, ValueOf } from '../contract.ts';
import type { DeliveryStatus, Instrument } from '../instrument.ts';
import { partOf, ratio, type Money, type Ratio } from '../money.ts';
import type { Position } from './holding.ts';
import type { LedgerAccount } from './ledger.ts';
import { Manners } from './manner.ts';
import type { Order } from './order.ts';
import type { Tape } from './tape.ts';
import type { Triggers } from './triggers.ts';

export interface Tier {
  readonly from: Money;
  readonly rate: Ratio;
}

/** The numbers of an instrument, read once. */
export interface Terms {
  /** Money in one tick of one lot, and in one lot. */
  readonly pointMoney: Money;
  readonly lotMoney: Money;
  readonly lotsMin: number;
  readonly lotsMax: number;
  /** In ticks × lots. */
  readonly pointsMin: number;
  readonly makerFee: Ratio;
  readonly takerFee: Ratio;
  readonly tiers: readonly Tier[];
  /** At most what a position must be worth for each unit of its value: highest tier and closing fee. */
  readonly rateMost: number;
  readonly priceBand: Ratio | undefined;
}

export class Market {
  readonly instrument: Instrument;
  readonly terms: Terms;
  readonly contract: Contract;
  readonly value: ValueOf;
  /** Carries the other side of realised profit and loss. */
  readonly clearing: LedgerAccount;
  readonly fees: LedgerAccount;
  readonly funding: LedgerAccount;
  readonly tape: Tape;
  readonly triggers: Triggers;
  readonly book = new Book<Order>();
  readonly manners = new Manners();
  /** Open positions in order of opening. */
  readonly positions = new Set<Position>();
  /** Sum of all long positions, which is that of all short ones. */
  openLots = 0;
  markTicks: number | undefined = undefined;
  indexTicks: number | undefined = undefined;
  lastTicks: number | undefined = undefined;
  fundingRate: Money = 0n;
  nextFunding: Millis | undefined = undefined;
  deliveryStatus: DeliveryStatus = '';
  /** When the delivery status changes by itself next. */
  nextPhase: Millis | undefined = undefined;
  private reach = { mark: 0, ticks: Infinity };
  private readonly openingRates = new Map<number, Ratio>();

  constructor(about: {
    readonly instrument: Instrument;
    readonly terms: Terms;
    readonly contract: Contract;
    readonly value: ValueOf;
    readonly clearing: LedgerAccount;
    readonly fees: LedgerAccount;
    readonly funding: LedgerAccount;
    readonly tape: Tape;
    readonly triggers: Triggers;
  }) {
    this.instrument = about.instrument;
    this.terms = about.terms;
    this.contract = about.contract;
    this.value = about.value;
    this.clearing = about.clearing;
    this.fees = about.fees;
    this.funding = about.funding;
    this.tape = about.tape;
    this.triggers = about.triggers;
  }

  get isSpot(): boolean {
    return this.instrument.category === 'SPOT';
  }

  /** The last minutes before delivery, when nobody may open a position any more. */
  get isClosingOnly(): boolean {
    return this.deliveryStatus === 'delivery_before';
  }

  /** How far from a mark price a limit may stand, in ticks. */
  reachAt(mark: number): number {
    const { priceBand } = this.terms;
    if (priceBand === undefined) return Infinity;
    if (this.reach.mark !== mark) {
      this.reach = { mark, ticks: Number(partOf(BigInt(mark), priceBand, 'floor')) };
    }
    return this.reach.ticks;
  }

  /** What opening costs for each unit of value: margin at a leverage, and the fee of a taker. */
  openingRate(leverage: number): Ratio {
    let rate = this.openingRates.get(leverage);
    if (rate === undefined) {
      const times = BigInt(leverage);
      const { top, bottom } = this.terms.takerFee;
      rate = ratio(bottom + times * top, times * bottom);
      this.openingRates.set(leverage, rate);
    }
    return rate;
  }

  /** A fee on an amount, rounded to the house's favour. */
  fee(amount: Money, role: 'maker' | 'taker'): Money {
    const rate = role === 'maker' ? this.terms.makerFee : this.terms.takerFee;
    return partOf(amount, rate, 'ceil');
  }
}
