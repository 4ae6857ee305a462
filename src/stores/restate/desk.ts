/** The objects of one desk, for the clients of a Restate server. */
import { systemClock, type Clock, type Millis } from '../../base/clock.ts';
import { StoreError } from '../store.ts';
import { addressIn } from './address.ts';
import type { Environment } from './http.ts';
import { ingressAt, type CallOptions } from './ingress.ts';
import { keyOf } from './objects/names.ts';

export interface RestateOptions {
  /** Addresses of the ingress, separated by commas. */
  readonly url: string;
  /** Lease of the runs that this process takes. */
  readonly lease: Millis;
  /** The timeout of each call. Default: a third of the lease. */
  readonly timeoutMs?: Millis;
  readonly clock?: Clock;
  /** The environment that names the proxy to the server's nodes. Default: that of this process. */
  readonly env?: Environment;
}

/** Calls a handler. @returns undefined where the handler returns nothing @throws StoreError */
type Ask<Before extends readonly string[]> = <Result>(
  ...call: [...Before, handler: string, input: object, options?: CallOptions]
) => Promise<Result | undefined>;

export interface Desk {
  readonly timeoutMs: Millis;
  /** Whether the connection to some node is not encrypted. */
  readonly isPlain: boolean;
  readonly clock: Clock;
  /** An object of which the desk has one. */
  single(object: string): Ask<[]>;
  /** Checks the version of the service. @throws StoreError when it is another, or does not answer */
  check(): Promise<void>;
  /** An object of which each run, or plan, has one. */
  keyed(object: string): Ask<[id: string]>;
  close(): Promise<void>;
}

/** Opens a desk; it connects at the first call. @throws ConfigError for a bad address */
export function openDesk(options: RestateOptions): Desk {
  const { url, lease, timeoutMs = lease / 3, clock = systemClock, env } = options;
  const address = addressIn(url);
  const { desk } = address;
  const ingress = ingressAt({ address, timeoutMs, clock, ...(env && { env }) });
  return {
    timeoutMs,
    isPlain: address.nodes.some(({ url: node }) => node.protocol === 'http:'),
    clock,
    single: (object) => (handler, input, call) =>
      ingress.call({ object, key: desk, handler }, input, call),
    keyed: (object) => (id, handler, input, call) =>
      ingress.call({ object, key: keyOf(desk, id), handler }, input, call),
    check: () => ingress.check(),
    close: () => ingress.close(),
  };
}

/** The answer, which must not be empty. @throws StoreError */
export async function required<Value>(answer: Promise<Value | undefined>): Promise<Value> {
  const value = await answer;
  if (value !== undefined) return value;
  throw new StoreError('Restate gave an empty answer', 'check the service: deskhand doctor');
}
