/** The object of each rate limit that the machines of a desk keep together. */
import type { Millis } from '../../../base/clock.ts';
import { paceObject } from './names.ts';
import type { Invocation, ObjectDefinition } from './object.ts';
import { answeredAt, placeFor, type PaceState, type PlaceRequest } from './pace-state.ts';

export const pace: ObjectDefinition = {
  name: paceObject,
  isLazy: false,
  exclusive: { take, answered, hold },
  shared: {},
  internal: [],
};

async function take(invocation: Invocation, request: PlaceRequest): Promise<Millis> {
  const before = await invocation.get<PaceState>('pace');
  const { state, wait } = placeFor(before, request, await invocation.now());
  invocation.set('pace', state);
  return wait;
}

async function answered(invocation: Invocation, { id }: { readonly id: string }): Promise<void> {
  const state = await invocation.get<PaceState>('pace');
  if (state !== undefined) {
    invocation.set('pace', answeredAt(state, id, await invocation.now()));
  }
}

async function hold(invocation: Invocation, { ms }: { readonly ms: Millis }): Promise<void> {
  const { heldUntil, places } = (await invocation.get<PaceState>('pace')) ?? {
    heldUntil: 0,
    places: [],
  };
  const until = (await invocation.now()) + ms;
  invocation.set('pace', { heldUntil: Math.max(heldUntil, until), places });
}
