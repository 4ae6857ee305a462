/** The time after which a signed write can no longer be accepted, or be accepted and not visible. */
import type { Clock, Millis } from '../../base/clock.ts';
import type { TimeWatch } from '../../exchange/api/exchange.ts';
import { validity, visibility } from '../../exchange/api/promises.ts';
import type { Destination } from '../journal/entry.ts';

/** A signed attempt at a write. */
export interface Signed {
  /** The signed timestamp, on the exchange's clock. */
  readonly signedAt: Millis;
  /** The monotonic time of signing, if this process signed the attempt. */
  readonly moment?: Millis;
  /** The wall clock when the attempt was recorded, before it was sent. */
  readonly recordedAt?: Millis;
}

/** The time from signing a request until the lists must show whether it was accepted. */
const wait: Millis = validity + visibility;

/** The exchange's time at which the lists must show all of the signed attempts that were accepted. */
export function fenceOf(signed: readonly Signed[]): Millis {
  return Math.max(...signed.map(({ signedAt }) => signedAt)) + wait;
}

/** A moment on both local clocks. */
export interface LocalTime {
  readonly monotonic: Millis;
  readonly wall: Millis;
}

export interface Witnesses {
  readonly clock: Clock;
  readonly watch: TimeWatch;
  /** A time at which all attempts of other processes were already signed; default: now. */
  readonly known?: LocalTime;
  /** The target: people move the clock of a sandbox. */
  readonly target: Destination['target'];
}

/**
 * A fence with two clocks, because no single response is trusted: the exchange's clock by the
 * response that sets it furthest back, and the local time that passed. For a write signed by
 * another process, that is the time since it was known here, or since the recorded wall-clock
 * time: a wrong wall clock can make this wait longer, but not longer than the full wait. On a
 * sandbox such a write uses only the first clock.
 */
export class Fence {
  /** The time of the fence, on the exchange's clock. */
  readonly at: Millis;
  readonly #signed: readonly Signed[];
  readonly #watch: TimeWatch;
  readonly #known: LocalTime;
  readonly #target: Destination['target'];

  constructor(signed: readonly Signed[], { clock, watch, known, target }: Witnesses) {
    this.at = fenceOf(signed);
    this.#signed = signed;
    this.#watch = watch;
    this.#known = known ?? { monotonic: clock.monotonic(), wall: clock.now() };
    this.#target = target;
  }

  /**
   * Whether the fence was past at a monotonic time, by everything known now.
   * @param latest the exchange's time at that moment by other responses, as an upper bound
   */
  isPast(moment: Millis, latest?: Millis): boolean {
    return this.left(moment, latest) < 0;
  }

  /** The remaining time at that moment, as far as known; negative when it was past. */
  left(moment: Millis, latest: Millis = Infinity): Millis {
    const earliest = this.#watch.earliest(moment);
    if (earliest === undefined) return wait;
    return Math.max(this.at - Math.min(earliest, latest), this.leftHere(moment));
  }

  /**
   * Whether the wall clock was set back since the intent was recorded, so that it proves nothing.
   */
  get isWallBehind(): boolean {
    return this.#signed.some(({ recordedAt = 0 }) => recordedAt > this.#known.wall);
  }

  /** The remaining time by the local clocks only. */
  leftHere(moment: Millis): Millis {
    return wait - Math.min(...this.#signed.map((one) => this.#age(one, moment)));
  }

  #age({ moment, recordedAt }: Signed, at: Millis): Millis {
    if (moment !== undefined) return at - moment;
    if (this.#target === 'sandbox') return Infinity;
    const { monotonic, wall } = this.#known;
    const here = at - monotonic;
    return recordedAt === undefined ? here : Math.max(here, wall + here - recordedAt);
  }
}
