/** The environment of a handler: the world, the time, and the caller. */
import type { Millis } from '../../base/clock.ts';
import type { Input, OperationName, Output } from '../../exchange/api/operations/index.ts';
import type { Caller } from '../gateway/call.ts';
import type { World } from '../world/world.ts';

export interface Context {
  readonly world: World;
  readonly now: Millis;
  readonly caller: Caller;
  /** The simulated lag of lists: orders changed within this time are not listed yet. */
  readonly lagMs: Millis;
}

/** Executes one operation. @throws Refusal when the exchange refuses it */
export type Handler<N extends OperationName> = (input: Input<N>, context: Context) => Output<N>;
