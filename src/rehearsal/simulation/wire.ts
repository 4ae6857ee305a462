/** A network that loses, duplicates, damages and delays requests and responses. */
import { minute, type Millis, type StandingClock } from '../../base/clock.ts';
import type { Transport, WireRequest, WireResponse } from '../../exchange/api/exchange.ts';
import type { Chance } from './chance.ts';
import { strikes, type WireFault } from './wire-faults.ts';

export interface Wire {
  /** Sets the faults from now on, and how often they occur; none if the list is empty. */
  trouble(faults: readonly WireFault[], rate: number): void;
  /** Sets one fault, at the request with this number, counted from 1 over all incarnations. */
  strikeAt(nth: number, fault: WireFault): void;
  /** The number of requests so far. */
  requests(): number;
  transport: Transport;
  /** Delivers the messages that are due by now. */
  deliver(): Promise<void>;
  /** Delivers all messages in progress. */
  flush(): Promise<void>;
}

export interface WireOptions {
  readonly clock: Pick<StandingClock, 'now' | 'advance'>;
  readonly chance: Chance;
  readonly onStrike?: (fault: WireFault, request: WireRequest) => void;
}

export function faultyWire(exchange: Transport, options: WireOptions): Wire {
  const { clock, chance } = options;
  const late = new LateRequests(exchange, clock);
  let faults: readonly WireFault[] = [];
  let rate = 0;
  let requests = 0;
  let strikeNext: { readonly nth: number; readonly fault: WireFault } | undefined;

  const strike = (fault: WireFault, request: WireRequest): Promise<WireResponse> => {
    options.onStrike?.(fault, request);
    return strikes[fault]({
      clock,
      chance,
      deliver: () => exchange(request, never),
      postpone: (due) => late.add(due, request),
    });
  };

  return {
    trouble: (next, often) => {
      faults = next;
      rate = often;
    },
    strikeAt: (nth, fault) => {
      strikeNext = { nth, fault };
    },
    requests: () => requests,
    deliver: () => late.deliver(),
    transport: async (request) => {
      requests += 1;
      clock.advance(chance.between(1, 80));
      await late.deliver();
      if (strikeNext?.nth === requests) return strike(strikeNext.fault, request);
      if (faults.length > 0 && chance.happens(rate)) return strike(chance.pick(faults), request);
      return exchange(request, never);
    },
    flush: async () => {
      clock.advance(minute);
      await late.deliver();
    },
  };
}

const never = new AbortController().signal;

/** Requests that are still in progress, although their sender no longer awaits a response. */
class LateRequests {
  readonly #exchange: Transport;
  readonly #clock: Pick<StandingClock, 'now'>;
  #requests: { readonly due: Millis; readonly request: WireRequest }[] = [];

  constructor(exchange: Transport, clock: Pick<StandingClock, 'now'>) {
    this.#exchange = exchange;
    this.#clock = clock;
  }

  add(due: Millis, request: WireRequest): void {
    this.#requests.push({ due, request });
  }

  /** Delivers the requests that are due by now. */
  async deliver(): Promise<void> {
    const now = this.#clock.now();
    const due = this.#requests.filter((one) => one.due <= now);
    this.#requests = this.#requests.filter((one) => one.due > now);
    for (const { request } of due) await this.#exchange(request, never);
  }
}
