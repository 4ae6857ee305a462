/** From when on a copy of a write that was signed can be accepted, or stay unseen, no longer. */
import type { Clock, Millis } from '../base/clock.ts';
import type { TimeWatch } from '../api/exchange.ts';
import { validity, visibility } from '../api/promises.ts';
import type { Destination } from '../journal/entry.ts';

/** One signing of a write. */
export interface Signed {
  /** The signed timestamp, on the exchange's clock. */
  readonly signedAt: Millis;
  /** The same on the monotonic clock, when this process signed it. */
  readonly moment?: Millis;
  /** What the wall clock showed when it was recorded, before it was sent. */
  readonly recordedAt?: Millis;
}

/** What must pass from the signing of a request until the lists tell whether it was accepted. */
const wait: Millis = validity + visibility;

/** The moment of the exchange's clock at which that has passed for all of them. */
export function fenceOf(signed: readonly Signed[]): Millis {
  return Math.max(...signed.map(({ signedAt }) => signedAt)) + wait;
}

export interface Witnesses {
  readonly clock: Clock;
  readonly watch: TimeWatch;
  /** Where it was sent: the clock of a sandbox is moved by people. */
  readonly target: Destination['target'];
}

/**
 * A fence with two witnesses, as no single answer is believed: the exchange's clock by the answer
 * that puts it furthest back, and the time that passed here. For a write another process signed,
 * that is the time since the fence was made, or what the wall clock shows since it was recorded:
 * a wall clock that is wrong can make this wait longer, and never longer than the whole wait. On a
 * sandbox such a write has the first witness alone.
 */
export class Fence {
  /** On the exchange's clock. */
  readonly at: Millis;
  /** When it was made, on the monotonic clock. */
  readonly made: Millis;
  readonly #signed: readonly Signed[];
  readonly #watch: TimeWatch;
  readonly #wall: Millis;
  readonly #target: Destination['target'];

  constructor(signed: readonly Signed[], { clock, watch, target }: Witnesses) {
    this.at = fenceOf(signed);
    this.made = clock.monotonic();
    this.#signed = signed;
    this.#watch = watch;
    this.#wall = clock.now();
    this.#target = target;
  }

  /** Whether it was past at a moment of the monotonic clock, by all that is known since. */
  isPast(moment: Millis): boolean {
    return this.left(moment) < 0;
  }

  /** What was left at that moment, as far as is known; below 0 when it was past. */
  left(moment: Millis): Millis {
    const earliest = this.#watch.earliest(moment);
    if (earliest === undefined) return wait;
    return Math.max(this.at - earliest, this.leftHere(moment));
  }

  /** Whether the wall clock was set back since it was recorded, so that it tells nothing. */
  get isWallBehind(): boolean {
    return this.#signed.some(({ recordedAt = 0 }) => recordedAt > this.#wall);
  }

  /** The same by this machine's clocks alone. */
  leftHere(moment: Millis): Millis {
    return wait - Math.min(...this.#signed.map((one) => this.#age(one, moment)));
  }

  #age({ moment, recordedAt }: Signed, at: Millis): Millis {
    if (moment !== undefined) return at - moment;
    if (this.#target === 'sandbox') return Infinity;
    const here = at - this.made;
    return recordedAt === undefined ? here : Math.max(here, this.#wall + here - recordedAt);
  }
}
