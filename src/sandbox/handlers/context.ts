/** What a handler gets next to its input: the world, the moment, and who asks. */
import type { Millis } from '../../base/clock.ts';
import type { Input, OperationName, Output } from '../../api/operations/index.ts';
import type { Caller } from '../gateway/call.ts';
import type { World } from '../world/world.ts';

export interface Context {
  readonly world: World;
  readonly now: Millis;
  readonly caller: Caller;
  /** Orders changed within this time are not listed yet: a rehearsed lag of the order lists. */
  readonly lagMs: Millis;
}

/** Does one operation. @throws Refusal when the exchange says no */
export type Handler<N extends OperationName> = (input: Input<N>, context: Context) => Output<N>;
