/** Checks a trace of the code against the transitions that the model uses. */
import {
  actorTransitions,
  writeTransitions,
  type Place,
  type TraceEvent,
  type WriteState,
} from './transitions.ts';

/** One event on one account. */
export interface Traced {
  /** A process; each has a different name. */
  readonly actor: string;
  readonly event: TraceEvent;
  /** The write; absent for `claim`, `exit` and a `forget` that concerns all writes. */
  readonly identity?: string;
}

/** @returns the first event that must not happen, in words */
export function checkTrace(trace: readonly Traced[]): string | undefined {
  const identities = new Set(trace.flatMap(({ identity = [] }) => identity));
  for (const identity of identities) {
    const wrong = checkWrite(
      identity,
      trace.filter((each) => each.identity === undefined || each.identity === identity),
    );
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function checkWrite(identity: string, trace: readonly Traced[]): string | undefined {
  let state: WriteState = 'new';
  const places = new Map<string, Place>(trace.map(({ actor }) => [actor, 'out']));
  for (const [at, { actor, event }] of trace.entries()) {
    const wrong = (where: string): string =>
      `${identity}: ${actor} must not ${event} when ${where} (${told(trace.slice(0, at + 1))})`;
    if (event in writeTransitions) {
      const next: WriteState | undefined = nextOf(writeTransitions, event, state);
      if (next === undefined) return wrong(`it is ${state}`);
      state = next;
    }
    if (event in actorTransitions) {
      const place = places.get(actor) ?? 'out';
      const next: Place | undefined = nextOf(actorTransitions, event, place);
      if (next === undefined) return wrong(`the process is ${place}`);
      places.set(actor, next);
    }
    if (event !== 'claim' && event !== 'forget') continue;
    for (const [other, place] of places) {
      if (event === 'forget' || other !== actor) places.set(other, actorTransitions.lose[place]);
    }
  }
  return undefined;
}

function nextOf<S extends string>(
  table: Readonly<Record<string, Readonly<Partial<Record<S, S>>>>>,
  event: string,
  state: S,
): S | undefined {
  return table[event]?.[state];
}

function told(trace: readonly Traced[]): string {
  return trace.map(({ actor, event }) => `${actor}: ${event}`).join(', ');
}
