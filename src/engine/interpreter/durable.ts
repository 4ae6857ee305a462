/** The engine port: the interface on which the interpreter runs, and its only access to the world. */
import { DeskhandError, exits } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import type { Millis } from '../../base/clock.ts';
import type { Event, Outcome } from '../journal/entry.ts';

/** A task in progress, by its key. */
export interface Handle {
  readonly key: string;
}

/** A task result as JSON. `interrupted` is not a result: the task is started again later. */
export type TaskEnd = Outcome | { readonly kind: 'interrupted' };

/** The JSON input of each effect, by the effect's name. */
export type Jobs = object;

/**
 * Executes one body and records the outcome of its steps, wherever the process crashes. The rules:
 *
 * 1. A step is a key, the name of an effect and JSON, never a closure: another process may execute
 * it.
 * 2. One coroutine waits, with `first` and `all`; a body awaits nothing else.
 * 3. Effects control their own concurrency and pace; a body only defines what is in progress at
 * once.
 * 4. A body within a body is a child, with its own keys.
 * 5. Time comes from `now` and `sleep`, and is the same however often a body is executed.
 * 6. A key identifies one task in a run: started twice it is executed once, started with another
 * input it stops the run. An attempt of an earlier process is ignored.
 * 7. A task that may be executed only once is announced before; announced without a result, it is
 * in doubt and never started again.
 */
export interface Durable<J extends Jobs> {
  readonly runId: string;
  /** Starts an effect, or finds its result; effects start in the order of the calls. */
  start<N extends keyof J & string>(key: string, effect: N, input: J[N]): Handle;
  /**
   * Waits for all.
   * @throws the error that ended the run: the disk, another input under the same key
   */
  all(handles: readonly Handle[]): Promise<readonly TaskEnd[]>;
  /** Waits for one of the handles, the earliest in the list if several have ended. @throws as `all` */
  first(handles: readonly Handle[]): Promise<Handle>;
  /** Ends when the duration has passed since `now` of the same key, or since this call. */
  sleep(key: string, ms: Millis): Handle;
  /** Ends immediately, with the time as its output, which never changes. */
  now(key: string): Handle;
  /** Starts a child body, whose keys are below this key. */
  child(key: string, plan: Json, input: Json): Handle;
  /** Ends when a signal is delivered, with its value; it may have been delivered before. */
  signal(name: string): Handle;
  /** Emits an event for reports and screens; returns immediately, without a result. */
  emit(event: Event): void;
}

/** The body that a child runs. */
export type Body<J extends Jobs> = (
  durable: Durable<J>,
  plan: Json,
  input: Json,
) => Promise<TaskEnd>;

/** A person stopped the run; nothing new was sent after that. */
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
