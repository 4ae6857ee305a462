/** Calls of handlers, each repeated until it has an answer or its time is over. */
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
  /** Default: of the ingress. */
  readonly timeoutMs?: Millis;
  /** The call has no further effect if it is repeated. Otherwise it gets a key, by which the server knows it again. */
  readonly isRepeatable?: boolean;
  /** The answer is not needed any more: the call is rejected with its reason. */
  readonly signal?: AbortSignal;
}

export interface Ingress {
  /**
   * @param input without values that JSON lacks
   * @returns undefined where the handler returns nothing
   * @throws StoreError; then the effect is unknown, and may come later
   */
  call<Result>(target: Target, input: object, options?: CallOptions): Promise<Result | undefined>;
  /** @throws StoreError when the service has another version, or does not answer */
  check(): Promise<void>;
  /** Calls that are not over are rejected, as are later ones. */
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
  /** With the proxy to each node; default: that of this process. */
  readonly env?: Environment;
}

const pause: Millis = 50; // between two attempts

export function ingressAt(options: IngressOptions): Ingress {
  const { address, timeoutMs, clock = systemClock, env } = options;
  const client = httpClient(env);
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // each call in progress listens
  let attempts = 0;
  let checked: Promise<void> | undefined;

  const attempt = async (
    request: Omit<HttpRequest, 'signal'>,
    ms: Millis,
    within: Millis,
    outer: AbortSignal,
  ): Promise<unknown> => {
    const limit = deadline(ms, () => timeoutOf(within, address), outer);
    try {
      const node = address.nodes[attempts % address.nodes.length] ?? address.nodes[0];
      const { status, text } = await client.send(node, { ...request, signal: limit.signal });
      if (status >= 200 && status < 300) return text === '' ? null : JSON.parse(text);
      const refusal = refusalOf(status, text, address);
      throw isPassing(status) ? refusal : new FinalError(refusal);
    } finally {
      limit.cancel();
    }
  };

  const ask = async (target: Target, input: object, options: CallOptions): Promise<unknown> => {
    const {
      timeoutMs: within = timeoutMs,
      isRepeatable = false,
      signal = closing.signal,
    } = options;
    const parts = [target.object, target.key, target.handler];
    const request = {
      method: 'POST',
      path: `/${parts.map(encodeURIComponent).join('/')}`,
      body: JSON.stringify(input),
      headers: isRepeatable ? {} : { 'idempotency-key': randomId(24) },
    } as const;
    // A node that hangs leaves time for the others.
    const each = within / address.nodes.length;
    const until = clock.monotonic() + within;
    for (;;) {
      closing.signal.throwIfAborted();
      signal.throwIfAborted();
      try {
        const left = Math.max(1, Math.min(until - clock.monotonic(), each));
        return await attempt(request, left, within, signal);
      } catch (error) {
        if (error instanceof FinalError) throw error.refusal;
        if (signal.aborted || closing.signal.aborted || until - clock.monotonic() < 2 * pause) {
          throw failureOf(error, address);
        }
      }
      attempts += 1;
      await clock.sleep(pause, closing.signal);
    }
  };

  const check = async (): Promise<void> => {
    const about = { object: registryObject, key: address.desk, handler: 'about' };
    const version = fieldOf(await ask(about, {}, { isRepeatable: true }), 'version');
    if (version !== serviceVersion) throw otherVersion(version, serviceVersion, address);
  };

  return {
    call: async <Result>(target: Target, input: object, options: CallOptions = {}) => {
      checked ??= check().catch((error: unknown) => {
        checked = undefined;
        throw error;
      });
      await checked;
      return ((await ask(target, input, options)) ?? undefined) as Result | undefined;
    },
    check,
    close: async () => {
      closing.abort(new StoreError('the connection to Restate was closed', 'run it again'));
      client.close();
    },
  };
}

/** Another attempt would have the same response. */
class FinalError extends Error {
  readonly refusal: StoreError;

  constructor(refusal: StoreError) {
    super(refusal.message);
    this.refusal = refusal;
  }
}
