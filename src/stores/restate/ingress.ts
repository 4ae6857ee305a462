/** Calls handlers; each call is repeated until it has an answer or its time is over. */
import { setMaxListeners } from 'node:events';
import { deadline, systemClock, type Clock, type Millis } from '../../base/clock.ts';
import { fieldOf } from '../../base/json.ts';
import { randomId } from '../../base/random.ts';
import { StoreError } from '../store.ts';
import type { Address } from './address.ts';
import { failureOf, isPassing, otherVersion, refusalOf, timeoutOf } from './failure.ts';
import { httpClient, type Environment, type HttpRequest } from './http.ts';
import { registryObject, serviceVersion } from './objects/names.ts';

export interface CallOptions {
  /** The timeout of the call. Default: that of the ingress. */
  readonly timeoutMs?: Millis;
  /**
   * Whether repeating the call has no further effect. Otherwise the call gets a key, by which the server
   * recognizes it.
   */
  readonly isRepeatable?: boolean;
  /** The signal that the answer is not needed any more: the call is rejected with its reason. */
  readonly signal?: AbortSignal;
}

export interface Ingress {
  /**
   * Calls a handler.
   * @param input without values that JSON lacks
   * @returns undefined where the handler returns nothing
   * @throws StoreError; then the effect is unknown, and may come later
   */
  call<Result>(target: Target, input: object, options?: CallOptions): Promise<Result | undefined>;
  /** Checks the version of the service. @throws StoreError when it is another, or does not answer */
  check(): Promise<void>;
  /** Closes the connections. Calls in progress are rejected, as are later ones. */
  close(): Promise<void>;
}

export interface Target {
  readonly object: string;
  readonly key: string;
  readonly handler: string;
}

export interface IngressOptions {
  readonly address: Address;
  readonly timeoutMs: Millis;
  readonly clock?: Clock;
  /** The environment that names the proxy to each node. Default: that of this process. */
  readonly env?: Environment;
}

const pause: Millis = 50; // between two attempts

export function ingressAt(options: IngressOptions): Ingress {
  return new RestateIngress(options);
}

class RestateIngress implements Ingress {
  readonly #options: IngressOptions;
  readonly #clock: Clock;
  readonly #client: ReturnType<typeof httpClient>;
  readonly #closing = new AbortController();
  /** Number of failed attempts: after each, the next node is used. */
  #failures = 0;
  /** The check of the service's version before the first call. */
  #checked: Promise<void> | undefined;

  constructor(options: IngressOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#client = httpClient(options.env);
    setMaxListeners(0, this.#closing.signal); // each call in progress listens
  }

  async call<Result>(
    target: Target,
    input: object,
    options: CallOptions = {},
  ): Promise<Result | undefined> {
    this.#checked ??= this.check().catch((error: unknown) => {
      this.#checked = undefined;
      throw error;
    });
    await this.#checked;
    return ((await this.#ask(target, input, options)) ?? undefined) as Result | undefined;
  }

  async check(): Promise<void> {
    const { address } = this.#options;
    const about = { object: registryObject, key: address.desk, handler: 'about' };
    const version = fieldOf(await this.#ask(about, {}, { isRepeatable: true }), 'version');
    if (version !== serviceVersion) throw otherVersion(version, serviceVersion, address);
  }

  async close(): Promise<void> {
    this.#closing.abort(new StoreError('the connection to Restate was closed', 'run it again'));
    this.#client.close();
  }

  async #ask(target: Target, input: object, options: CallOptions): Promise<unknown> {
    const { address } = this.#options;
    const closing = this.#closing.signal;
    const { timeoutMs: within = this.#options.timeoutMs, isRepeatable, signal = closing } = options;
    const request = requestFor(target, input, isRepeatable === true);
    // A node that hangs leaves time for the others.
    const each = within / address.nodes.length;
    const until = this.#clock.monotonic() + within;
    for (;;) {
      closing.throwIfAborted();
      signal.throwIfAborted();
      try {
        const ms = Math.max(1, Math.min(until - this.#clock.monotonic(), each));
        const limit = deadline(ms, () => timeoutOf(within, address), signal);
        return await this.#attempt(request, limit);
      } catch (error) {
        if (error instanceof FinalError) throw error.refusal;
        const isOver = until - this.#clock.monotonic() < 2 * pause;
        if (signal.aborted || closing.aborted || isOver) throw failureOf(error, address);
      }
      this.#failures += 1;
      await this.#clock.sleep(pause, closing);
    }
  }

  async #attempt(
    request: Omit<HttpRequest, 'signal'>,
    limit: ReturnType<typeof deadline>,
  ): Promise<unknown> {
    const { address } = this.#options;
    try {
      const node = address.nodes[this.#failures % address.nodes.length] ?? address.nodes[0];
      const { status, text } = await this.#client.send(node, { ...request, signal: limit.signal });
      if (status >= 200 && status < 300) return text === '' ? null : JSON.parse(text);
      const refusal = refusalOf(status, text, address);
      throw isPassing(status) ? refusal : new FinalError(refusal);
    } finally {
      limit.cancel();
    }
  }
}

/**
 * The request of a call.
 * @param isRepeatable without it the request has a key, by which the server recognizes it
 */
function requestFor(
  { object, key, handler }: Target,
  input: object,
  isRepeatable: boolean,
): Omit<HttpRequest, 'signal'> {
  return {
    method: 'POST',
    path: `/${[object, key, handler].map(encodeURIComponent).join('/')}`,
    body: JSON.stringify(input),
    headers: isRepeatable ? {} : { 'idempotency-key': randomId(24) },
  };
}

/** An error that another attempt would repeat. */
class FinalError extends Error {
  readonly refusal: StoreError;

  constructor(refusal: StoreError) {
    super(refusal.message);
    this.refusal = refusal;
  }
}
