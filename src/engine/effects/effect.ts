/** Effects by name: the actions that an engine executes for the interpreter, each with its repeat class. */
import type { Json } from '../../base/json.ts';
import type { Effect as EffectClass } from '../../exchange/api/operation.ts';
import type { Event, Outcome } from '../journal/entry.ts';
import type { Proven } from '../journal/replay.ts';
import type { Jobs } from '../interpreter/durable.ts';

export interface Effect<I> {
  /** The repeat class: whether the effect may be repeated if the outcome of the last attempt is unknown. */
  readonly class: EffectClass;
  /**
   * Whether an outcome may reach the disk with the next intent, and not before the run continues: if a
   * power cut loses it, a resume reads it or finds it by a lookup. Absent: no outcome may.
   */
  readonly isSyncedLater?: (outcome: Outcome, input: I) => boolean;
  /** Whether the effect is executed each time it is reached, whatever its earlier outcome. */
  readonly isFresh?: true;
  /** Whether a resume executes the effect again if an expectation on its response failed. */
  readonly isReadAgain?: true;
  /** The part of the input that identifies the effect; default: the whole input. */
  readonly inputKey?: (input: I) => Json;
  /** The identifying part of the input as older versions defined it: their records can be resumed. */
  readonly formerly?: (input: I) => Json;
  /**
   * Executes the effect. Its result is recorded.
   * @throws DeskhandError when the effect failed, and nothing is recorded
   */
  execute(input: I, attempt: Attempt): Promise<Outcome>;
  /** The outcome without what nothing uses, which is recorded in its place when the record is long. */
  readonly brief?: (outcome: Outcome, input: I) => Outcome;
  /**
   * Checks a recorded result that others may depend on, when a resume finds it.
   * @throws DeskhandError when it does not count here
   */
  confirm?(input: I, outcome: Outcome, attempt: Attempt): Promise<void>;
  /** Cleans up after the effect's result is on the disk; repeated whenever the result is found. */
  cleanup?(input: I, outcome: Outcome, attempt: Attempt): Promise<void>;
}

export type Effects<J extends Jobs> = { readonly [N in keyof J]: Effect<J[N]> };

/** One attempt of an effect, as its engine provides it. */
export interface Attempt {
  readonly key: string;
  /** Requests of earlier attempts, of this process or a crashed one. */
  readonly before: Proven;
  /** Resolves when the event is on the disk; refused if the attempt no longer belongs to the run. */
  readonly note: (event: Event) => Promise<void>;
  /** Records an entry that may be synced with a later one; not awaited. */
  readonly noteLater: (event: Event) => void;
  /** Aborted when the run ends without waiting. */
  readonly signal: AbortSignal;
  /** Aborted when nothing waits for a time, or for people, anymore. */
  readonly stopped: AbortSignal;
}
