/** The final check of every write: against the limits in force, right before each send. */
import { DeskhandError, exits } from '../../base/error.ts';
import type { Exchange } from '../../exchange/api/exchange.ts';
import type { Destination } from '../journal/entry.ts';
import type { Account } from '../plan/account.ts';
import { orderOf, type GuardedWrite } from '../plan/limit-check.ts';
import type { LimitTracker } from '../plan/limit-tracker.ts';
import { leastWorth } from '../plan/value-checks.ts';
import { decimalText } from '../../base/decimal.ts';
import { positionFacts } from './held-positions.ts';
import type { Prices } from './prices.ts';

/** A write that is checked against limits. */
export type Limited = Pick<GuardedWrite, 'address' | 'operation' | 'input'> & {
  readonly account: Destination;
};

/** The values a write was allowed with, for the record; absent if no limit needed a price. */
export interface Admitted {
  readonly mark?: string;
  readonly worth?: string;
}

/** A limit forbids the write; it was not sent. */
export class LimitError extends DeskhandError {
  /** The limit and value, as text. */
  readonly because: string;

  constructor(broken: readonly string[]) {
    const because = broken.join('; ');
    super(`blocked by a guard: ${because}`, {
      code: 'guard',
      actor: 'reviewer',
      exit: exits.heldBack,
      hint: 'change the playbook, or ask the owner of the guard to change it',
    });
    this.because = because;
  }
}

/** Decides about a write without further waiting. */
export interface Ready {
  /** Checks the write without counting it. @throws LimitError */
  readonly check: () => void;
  /** Checks and counts the write in one step. @throws LimitError */
  readonly admit: () => Admitted;
}

const unlimited: Ready = { check: () => undefined, admit: () => ({}) };

/** The limits of one run, their counters, and the prices and time they need. */
export class WriteLimits {
  readonly #tracker: LimitTracker;
  readonly #prices: Prices;
  readonly #exchange: Exchange;
  readonly #accounts: readonly Pick<Account, 'exchange' | 'destination'>[];

  /** @param exchange as the run's own account sees it @param accounts other accounts of the run */
  constructor(
    tracker: LimitTracker,
    prices: Prices,
    exchange: Exchange,
    accounts: readonly Pick<Account, 'exchange' | 'destination'>[] = [],
  ) {
    this.#tracker = tracker;
    this.#prices = prices;
    this.#exchange = exchange;
    this.#accounts = accounts;
  }

  /** Whether a write would be allowed now; counts nothing. @throws LimitError */
  async check(write: Limited, signal: AbortSignal): Promise<void> {
    const { check } = await this.ready(write, signal);
    check();
  }

  /**
   * Collects what the limits need for a write. The result decides synchronously, so that only the
   * record is between the decision and the send.
   */
  async ready(write: Limited, signal: AbortSignal): Promise<Ready> {
    if (!this.#tracker.isLimited(write)) return unlimited;
    const priced = await this.#placed(await this.#priced(write, signal), signal);
    const at = await this.#exchange.serverTime(signal);
    const check = (): void => {
      const broken = this.#tracker.breaks(priced, at);
      if (broken.length > 0) throw new LimitError(broken);
    };
    return {
      check,
      admit: () => {
        check();
        this.#tracker.count({ ...priced, sentAt: at });
        return recordOf(priced);
      },
    };
  }

  /** Counts a write that may have been sent already, whatever the limits are. */
  count(write: Limited): void {
    this.#tracker.count(write);
  }

  /** Stops counting a write that was certainly not executed. */
  release({ address }: Pick<Limited, 'address'>): void {
    this.#tracker.forget(address);
  }

  /** Returns the write with its market data, if a limit needs it; earlier writes are valued, too. */
  async #priced(write: Limited, signal: AbortSignal): Promise<GuardedWrite> {
    if (!this.#tracker.needsMarket(write)) return write;
    for (const sent of this.#tracker.unvalued()) {
      if (sent.address === write.address) continue;
      this.#tracker.count({ ...sent, ...(await this.#priceOf(sent, signal)) });
    }
    return { ...write, ...(await this.#priceOf(write, signal)) };
  }

  /** Returns the write with the positions of its symbol, if a limit needs them. */
  async #placed(write: GuardedWrite, signal: AbortSignal): Promise<GuardedWrite> {
    if (write.account === undefined || !this.#tracker.needsPosition(write)) return write;
    const { profile } = write.account;
    const other = this.#accounts.find(({ destination }) => destination.profile === profile);
    const { exchange } = other ?? { exchange: this.#exchange };
    return { ...write, position: await positionFacts(write, exchange, signal) };
  }

  async #priceOf(write: GuardedWrite, signal: AbortSignal) {
    const { market, symbol } = orderOf(write) ?? {};
    if (market === undefined || symbol === undefined) return {};
    return this.#prices.of(market, symbol, signal);
  }
}

function recordOf(write: GuardedWrite): Admitted {
  const worth = write.market && leastWorth(write);
  return {
    ...(write.market && { mark: write.market.mark }),
    ...(worth && { worth: decimalText(worth) }),
  };
}
