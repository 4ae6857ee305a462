/** The engine port: what the interpreter runs on, and all it may ask of the world. */
import { DeskhandError, exits } from '../base/error.ts';
import type { Json } from '../base/json.ts';
import type { Millis } from '../base/clock.ts';
import type { Event, Outcome } from '../journal/entry.ts';

/** Something in progress, by its key. */
export interface Handle {
  readonly key: string;
}

/** How something ended: JSON. `interrupted` is not a result: it is started again later. */
export type TaskEnd = Outcome | { readonly kind: 'interrupted' };

/** What each effect is given, by its name; JSON. */
export type Jobs = object;

/**
 * Runs one body and keeps the outcome of its steps, wherever the process dies. The rules:
 *
 * 1. A step is a key, the name of an effect and JSON, never a closure: another process may do it.
 * 2. One coroutine waits, by `first` and `all`; nothing else is ever awaited by a body.
 * 3. How fast things are done is the effects' matter; a body only says what is in progress at once.
 * 4. A body within a body is a child, with its own keys.
 * 5. Time comes through `now` and `sleep`, and is the same however often a body is gone through.
 * 6. A key represents one thing in a run: begun twice it is done once, begun with another input it
 *    stops the run. An attempt that outlived its run is ignored.
 * 7. What may be done once only is announced before it is done; announced and not answered for, it
 *    is in doubt and never begun again.
 */
export interface Durable<J extends Jobs> {
  readonly runId: string;
  /** Begins an effect, or finds the outcome of it; in the order of the calls. */
  start<N extends keyof J & string>(key: string, effect: N, input: J[N]): Handle;
  /** Waits for all. @throws whatever ended the run: the disk, another input under the same key */
  all(handles: readonly Handle[]): Promise<readonly TaskEnd[]>;
  /** Waits for one, the earliest in the list when several have ended. @throws as `all` */
  first(handles: readonly Handle[]): Promise<Handle>;
  /** Ends when so long has passed since `now` of the same key, or since this call. */
  sleep(key: string, ms: Millis): Handle;
  /** Ends at once, with the time as its output: the same one permanently. */
  now(key: string): Handle;
  /** Another body with keys under this one. */
  child(key: string, plan: Json, input: Json): Handle;
  /** Ends when someone delivers it, with what they brought; it may have been delivered before. */
  signal(name: string): Handle;
  /** Reports what happens, for reports and screens; returns at once, without a result. */
  emit(event: Event): void;
}

/** What a child runs. */
export type Body<J extends Jobs> = (
  durable: Durable<J>,
  plan: Json,
  input: Json,
) => Promise<TaskEnd>;

/** The person stopped the run; nothing new was sent after that. */
export class InterruptedError extends DeskhandError {
  constructor() {
    super('interrupted', {
      code: 'interrupted',
      actor: 'operator',
      exit: exits.interrupted,
      hint: 'the journal is intact: resume the run',
    });
  }
}
