/** The types with which handlers of virtual objects are written.
 *
 * Restate executes the exclusive handlers of a key one after the other, and the effects of a handler count
 * exactly once: after a crash it is executed again with the recorded answers. A handler therefore reads the
 * time, and everything else outside of its state, through its invocation only.
 */
import type { Millis } from '../../../base/clock.ts';
import type { Streams } from './stream.ts';

export interface Invocation {
  /** The key of the object. */
  readonly key: string;
  get<Value>(name: string): Promise<Value | undefined>;
  /** Sets a value of the object. @param value JSON */
  set(name: string, value: unknown): void;
  clear(name: string): void;
  clearAll(): void;
  /** The names of all values of the object. */
  names(): Promise<readonly string[]>;
  /** The recorded wall time of the process that executes the invocation. */
  now(): Promise<Millis>;
  /**
   * Executes an action, unless an earlier attempt has done it.
   * @returns its JSON result, once that is durable: every later attempt gets the same
   */
  record<Value>(name: string, action: () => Value | Promise<Value>): Promise<Value>;
  /** The streams of the process that executes the invocation: for the actions of `record` only. */
  readonly streams: Streams;
  /** The signal that this attempt is over; another one may have begun. */
  readonly over: AbortSignal;
  /** A text that no other invocation has. */
  token(): string;
  call<Result>(object: string, key: string, method: string, input: object): Promise<Result>;
  /** Calls a handler without waiting for an answer. The call arrives once, also if this process ends. */
  send(object: string, key: string, method: string, input: object): void;
}

export type Handler = (invocation: Invocation, input: never) => Promise<unknown>;

export interface ObjectDefinition {
  readonly name: string;
  /** Whether values are sent to a handler only when it asks; otherwise each invocation gets all of them. */
  readonly isLazy: boolean;
  readonly exclusive: Readonly<Record<string, Handler>>;
  /** Handlers that execute at any time, and only read. */
  readonly shared: Readonly<Record<string, Handler>>;
  /** Names of handlers that only other handlers may call. */
  readonly internal: readonly string[];
}
