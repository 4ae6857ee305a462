/** The slots under a rate limit: which requests have one, and which wait. These are the rules of a limit's
 * object.
 */
import { minute, second, type Millis } from '../../../base/clock.ts';

export interface PaceState {
  /** The time before which no slot is given. */
  readonly heldUntil: Millis;
  readonly places: readonly PaceSlot[];
}

/** A request that waits for its slot (`taken` is absent), is on its way, or was answered. */
interface PaceSlot {
  readonly id: string;
  readonly asked: Millis;
  /** For a request that waits: the time until which its process must ask again. */
  readonly until: Millis;
  readonly taken?: Millis;
  readonly answered?: Millis;
}

export interface PlaceRequest {
  readonly permits: number;
  readonly per: Millis;
  readonly id: string;
}

const longest: Millis = 30 * second; // of a request without a response
const turn: Millis = 2 * second; // after its time a request that waits loses its turn
const heldMax: Millis = 5 * minute;

/**
 * Gives a slot, or says how long to wait before asking again. Requests get their slots in the order in which
 * they asked first. A request counts until one window after its response, because it may have arrived at any
 * time before that. The wait ends at the earliest time at which the slot can be free.
 * @param before undefined for a limit of which nothing is known: it begins as if it were used up
 */
export function placeFor(
  before: PaceState | undefined,
  { permits, per, id }: PlaceRequest,
  now: Millis,
): { readonly state: PaceState; readonly wait: Millis } {
  const { heldUntil, places } = notAfter(now, before ?? { heldUntil: now + per, places: [] });
  const left = places.filter((place) => place.id === id || counts(place, per, now));
  const own = left.find((place) => place.id === id) ?? { id, asked: now, until: now };
  const others = left.filter((place) => place.id !== id);
  const among = (place: PaceSlot): PaceState => ({ heldUntil, places: [...others, place] });
  const taken = { id, asked: own.asked, until: own.until, taken: now };
  if (own.taken !== undefined) return { state: among(taken), wait: 0 }; // repeated after a lost answer

  const used = others.filter((place) => place.taken !== undefined);
  const ahead = others.filter((place) => place.taken === undefined && isBefore(place, own));
  const missing = used.length + ahead.length - permits + 1;
  if (missing <= 0 && heldUntil <= now) return { state: among(taken), wait: 0 };
  const free = Math.max(
    heldUntil,
    missing > 0 ? freeAfter(missing, used, { permits, per }, now) : now,
  );
  return {
    state: among({ ...own, until: Math.max(free, now) + turn }),
    wait: Math.max(1, free - now),
  };
}

/** Records that the response of a request has arrived. */
export function answeredAt(state: PaceState, id: string, now: Millis): PaceState {
  const places = state.places.map((place) =>
    place.id === id && place.answered === undefined ? { ...place, answered: now } : place,
  );
  return { ...state, places };
}

/** The state without times in the future, which were recorded before the clock was set back. */
function notAfter(now: Millis, { heldUntil, places }: PaceState): PaceState {
  return {
    heldUntil: heldUntil > now + heldMax ? now : heldUntil,
    places: places.map(({ id, asked, until, taken, answered }) => ({
      id,
      asked: Math.min(asked, now),
      until: Math.min(until, now + 2 * heldMax),
      ...(taken !== undefined && { taken: Math.min(taken, now) }),
      ...(answered !== undefined && { answered: Math.min(answered, now) }),
    })),
  };
}

function counts({ until, taken, answered }: PaceSlot, per: Millis, now: Millis): boolean {
  if (answered !== undefined) return answered > now - per;
  if (taken !== undefined) return taken > now - longest;
  return until >= now;
}

function isBefore(one: PaceSlot, other: PaceSlot): boolean {
  return one.asked === other.asked ? one.id < other.id : one.asked < other.asked;
}

/**
 * The time when the last of `missing` slots is free, if all requests that get one before are as fast as
 * possible.
 */
function freeAfter(
  missing: number,
  used: readonly PaceSlot[],
  { permits, per }: Pick<PlaceRequest, 'permits' | 'per'>,
  now: Millis,
): Millis {
  // Only requests that wait are ahead, and nothing is on its way.
  if (used.length === 0) return now + per * (missing / permits);
  const free = used
    .map(({ taken = now, answered }) =>
      answered === undefined ? Math.min(now + per, taken + longest) : answered + per,
    )
    .toSorted((a, b) => a - b);
  const rounds = Math.floor((missing - 1) / used.length);
  return (free[(missing - 1) % used.length] ?? now) + per * rounds;
}
