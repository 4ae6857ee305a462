/** What handlers of virtual objects are written with.
 *
 * Restate executes the exclusive handlers of a key one after the other, and what a handler did
 * counts exactly once: after a crash it is executed again with the recorded answers. A handler
 * therefore reads the time, and everything else outside of its state, through its invocation only.
 */
import type { Millis } from '../../../base/clock.ts';
import type { Streams } from './stream.ts';

export interface Invocation {
  /** Of the object. */
  readonly key: string;
  get<Value>(name: string): Promise<Value | undefined>;
  /** @param value JSON */
  set(name: string, value: unknown): void;
  clear(name: string): void;
  clearAll(): void;
  /** Names of all values. */
  names(): Promise<readonly string[]>;
  /** Wall time of the process that executes it; recorded. */
  now(): Promise<Millis>;
  /**
   * Executes an action, unless an earlier attempt has done it.
   * @returns its JSON result, once that is durable: every later attempt gets the same
   */
  record<Value>(name: string, action: () => Value | Promise<Value>): Promise<Value>;
  /** Of the process that executes it: for the actions of `record` only. */
  readonly streams: Streams;
  /** This attempt is over; another one may have begun. */
  readonly over: AbortSignal;
  /** A text that no other invocation has. */
  token(): string;
  call<Result>(object: string, key: string, method: string, input: object): Promise<Result>;
  /** Without an answer; it arrives once, also if this process ends. */
  send(object: string, key: string, method: string, input: object): void;
}

export type Handler = (invocation: Invocation, input: never) => Promise<unknown>;

export interface ObjectDefinition {
  readonly name: string;
  /** Values are sent to a handler when it asks; otherwise all of them with each invocation. */
  readonly isLazy: boolean;
  readonly exclusive: Readonly<Record<string, Handler>>;
  /** Execute at any time, and only read. */
  readonly shared: Readonly<Record<string, Handler>>;
  /** Names of handlers that only other handlers may call. */
  readonly internal: readonly string[];
}
