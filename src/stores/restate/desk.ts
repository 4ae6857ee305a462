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
  /** Lease of the runs taken here. */
  readonly lease: Millis;
  /** Of each call; default: a third of the lease. */
  readonly timeoutMs?: Millis;
  readonly clock?: Clock;
  /** With the proxy to its nodes; default: that of this process. */
  readonly env?: Environment;
}

/** @returns undefined where the handler returns nothing @throws StoreError */
type Ask<Before extends readonly string[]> = <Result>(
  ...call: [...Before, handler: string, input: object, options?: CallOptions]
) => Promise<Result | undefined>;

export interface Desk {
  readonly timeoutMs: Millis;
  /** Whether the connection to some node is not encrypted. */
  readonly isPlain: boolean;
  readonly clock: Clock;
  /** The object of the desk. */
  single(object: string): Ask<[]>;
  /** @throws StoreError when the service has another version, or does not answer */
  check(): Promise<void>;
  /** An object for each run, or plan. */
  keyed(object: string): Ask<[id: string]>;
  close(): Promise<void>;
}

/** Connects at the first call. @throws ConfigError for a bad address */
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

/** @throws StoreError */
export async function required<Value>(answer: Promise<Value | undefined>): Promise<Value> {
  const value = await answer;
  if (value !== undefined) return value;
  throw new StoreError('Restate gave an empty answer', 'check the service: deskhand doctor');
}
