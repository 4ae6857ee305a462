/** What the machines of a fleet share: time, the exchange with its moods, and a repository. */
import { day, type Millis } from '../../../src/base/clock.ts';
import { fieldOf } from '../../../src/base/json.ts';
import { classOf, successCode } from '../../../src/exchange/api/errors.ts';
import {
  TransportError,
  type Transport,
  type WireRequest,
  type WireResponse,
} from '../../../src/exchange/api/exchange.ts';
import { faultyWire, type Wire } from '../../../src/rehearsal/simulation/wire.ts';
import type { Chance } from '../../../src/rehearsal/simulation/chance.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { WorldClock } from '../clocks.ts';
import { symbolOf, type Line } from './playbooks.ts';
import { Remote } from './remote.ts';

/** How late the lists of a product type show what was placed; `never` shows nothing at all. */
export type Lag = Millis | 'never';

/** A write on its way, and what its sender was reported. */
export interface Sending {
  /** The run that sends it, by its place among those of the seed. */
  readonly run: number;
  /** A clientOid, or the name of a sub-account. */
  readonly name: string;
  /** `refused` and `unsent` prove that nothing happened; `maybe` proves nothing. */
  end: 'done' | 'refused' | 'unsent' | 'maybe';
}

/** What a mark price was, and from when on. */
export interface Marked {
  readonly at: Millis;
  readonly productType: Line;
  readonly mark: number;
}

/** The environment of a command that works with a key. */
export type KeyWords = Readonly<Record<string, string>>;

export class Field {
  readonly clock: WorldClock;
  readonly sandbox: Sandbox;
  readonly chance: Chance;
  /** Two keys of one account. */
  readonly keys: readonly [KeyWords, KeyWords];
  readonly remote = new Remote();
  readonly sendings: Sending[] = [];
  readonly marks: Marked[] = [];
  readonly #lags = new Map<string, Lag>();
  readonly #wires: Wire[] = [];

  constructor(clock: WorldClock, sandbox: Sandbox, chance: Chance) {
    this.clock = clock;
    this.sandbox = sandbox;
    this.chance = chance;
    const { apiKey, secretKey, passphrase } = sandbox.accounts.hedge;
    this.keys = [
      wordsOf(apiKey.reveal(), secretKey.reveal(), passphrase.reveal()),
      wordsOf(secondKey.apiKey, secondKey.secretKey, secondKey.passphrase),
    ];
  }

  lag(productType: Line, lag: Lag): void {
    this.#lags.set(productType, lag);
  }

  mark(productType: Line, mark: number): void {
    const fields = { category: productType, symbol: symbolOf[productType], mark: mark.toFixed(1) };
    this.sandbox.control('POST', 'market', fields);
    this.marks.push({ at: this.clock.now(), productType, mark });
  }

  /** A wire of its own for each machine: what fails for one works for another. */
  wire(): Wire {
    const wire = faultyWire((request, signal) => this.#answer(request, signal), this);
    this.#wires.push(wire);
    return wire;
  }

  /** Keeps what its sender was reported of every write. */
  async noted(
    run: number,
    [request, signal]: Parameters<Transport>,
    send: () => Promise<WireResponse>,
  ): Promise<WireResponse> {
    const name = nameIn(request);
    if (name === undefined) return send();
    const sending: Sending = { run, name, end: 'maybe' };
    this.sendings.push(sending);
    try {
      const response = await send();
      // Who did not wait for it was reported nothing.
      sending.end = signal.aborted ? 'maybe' : endOf(response);
      return response;
    } catch (error) {
      if (error instanceof TransportError && error.sent === 'no' && !signal.aborted)
        sending.end = 'unsent';
      throw error;
    }
  }

  /** What was held up on the way arrives, as far as it is due. */
  async deliver(): Promise<void> {
    for (const wire of this.#wires) await wire.deliver();
  }

  /** All of it, however long it takes. */
  async flush(): Promise<void> {
    for (const wire of this.#wires) await wire.flush();
    this.remote.deliverLate();
  }

  /** The exchange itself, whose lists may lag for one line and not for another. */
  async #answer(...[request, signal]: Parameters<Transport>): ReturnType<Transport> {
    const ms = lagOf(request, this.#lags);
    if (ms === 0) return this.sandbox.transport(withOneSymbol(request), signal);
    this.#stale(ms);
    try {
      return await this.sandbox.transport(request, signal);
    } finally {
      this.#stale(0);
    }
  }

  #stale(ms: Millis): void {
    const action = { kind: 'stale-reads', ms };
    this.sandbox.control('PUT', 'faults', { rules: ms === 0 ? [] : [{ match: {}, action }] });
  }
}

/** Another key of the account, as a person makes one before the first expires. */
export const secondKey = {
  apiKey: 'sbx_second_key',
  secretKey: 'second-secret',
  passphrase: 'second-phrase',
} as const;

function wordsOf(key: string, secret: string, phrase: string): KeyWords {
  return {
    DESKHAND_API_KEY: key,
    DESKHAND_API_SECRET: secret,
    DESKHAND_API_PASSPHRASE: phrase,
  };
}

/** What names a write permanently; undefined for what may be sent as often as anyone likes. */
function nameIn({ operation, body }: WireRequest): string | undefined {
  if (operation === 'futures/place-order') return String(JSON.parse(body).clientOid);
  return operation === 'account/create-sub' ? String(JSON.parse(body).username) : undefined;
}

function endOf({ status, body }: WireResponse): Sending['end'] {
  try {
    const code = fieldOf(JSON.parse(Buffer.from(body).toString('utf8')), 'code');
    if (typeof code !== 'string') return 'maybe';
    if (code === successCode) return status === 200 ? 'done' : 'maybe';
    const kind = classOf(code);
    return kind === 'ambiguous' || kind === 'busy' || status >= 500 ? 'maybe' : 'refused';
  } catch {
    return 'maybe';
  }
}

/** Each line of this exchange has one symbol: what others did today takes long to add up. */
function withOneSymbol(request: WireRequest): WireRequest {
  if (request.operation !== 'market/list-tickers') return request;
  const line = new URLSearchParams(request.query).get('category');
  const symbol = Object.entries(symbolOf).find(([name]) => name === line)?.[1];
  const isNamed = symbol === undefined || request.query.includes('symbol=');
  return isNamed ? request : { ...request, query: `${request.query}&symbol=${symbol}` };
}

function lagOf({ operation, query }: WireRequest, lags: ReadonlyMap<string, Lag>): Millis {
  if (operation !== 'order/list-open' && operation !== 'order/list-history') return 0;
  const lag = lags.get(new URLSearchParams(query).get('category') ?? '') ?? 0;
  return lag === 'never' ? 1_000 * day : lag;
}
