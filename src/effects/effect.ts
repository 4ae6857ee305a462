/** Effects by name: what an engine runs for the interpreter, each with its repeat class. */
import type { Json } from '../base/json.ts';
import type { Effect as EffectClass } from '../api/operation.ts';
import type { Event, Outcome } from '../journal/entry.ts';
import type { Proven } from '../journal/replay.ts';
import type { Jobs } from '../interpreter/durable.ts';

export interface Effect<I> {
  /** What it may do when no one knows how the last attempt ended. */
  readonly class: EffectClass;
  /** Done again each time it is reached, regardless of the outcome of it before. */
  readonly isFresh?: true;
  /** Done again by a resume when an expectation on its response did not hold. */
  readonly isReadAgain?: true;
  /** The part of its input that says what it does; all of it when absent. */
  readonly inputKey?: (input: I) => Json;
  /** The same as older versions took it, whose records are continued with. */
  readonly formerly?: (input: I) => Json;
  /**
   * Does it. What it returns is kept.
   * @throws DeskhandError when there is no word on it: it failed, and nothing is kept
   */
  does(input: I, attempt: Attempt): Promise<Outcome>;
  /** What is left to do once its end is on the disk; done again whenever it is found there. */
  cleanup?(input: I, outcome: Outcome, attempt: Attempt): Promise<void>;
}

export type Effects<J extends Jobs> = { readonly [N in keyof J]: Effect<J[N]> };

/** One attempt at an effect, as its engine sees it. */
export interface Attempt {
  readonly key: string;
  /** Sent by earlier attempts, of this process or one that died. */
  readonly before: Proven;
  /** On the disk when it resolves; refused when the run is not this attempt's any longer. */
  readonly note: (event: Event) => Promise<void>;
  /** Aborted when the run ends without waiting. */
  readonly signal: AbortSignal;
}
