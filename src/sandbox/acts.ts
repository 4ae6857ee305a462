/** Executes the acts of a world. Equal acts at equal times give equal worlds. */
import type { Millis } from '../base/clock.ts';
import type { Command } from './engine/command.ts';
import { marketOf } from './engine/engine.ts';
import { handle } from './handlers/index.ts';
import { Refusal } from './refusal.ts';
import type { Act, Call, WriteName } from './world/act.ts';
import { joined, type Added } from './world/added.ts';
import { scaled } from './world/digits.ts';
import type { Listing } from './world/instruments.ts';
import { keyOf } from './world/markets.ts';
import { pin } from './world/set-by-hand.ts';
import { bring } from './world/quoter.ts';
import { settle } from './world/advance.ts';
import type { World } from './world/world.ts';

/**
 * Advances the time, then executes an act.
 * @returns the result for the caller
 * @throws Refusal when the world refuses it; the time has advanced anyway
 */
export function applyAct(world: World, act: Act, at: Millis): unknown {
  settle(world, at, (postponed, due) => {
    try {
      perform(world, postponed, due);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error; // refused after the request ended: it gets no response
    }
  });
  return perform(world, act, at);
}

function perform(world: World, act: Act, at: Millis): unknown {
  switch (act.kind) {
    case 'tick':
      return undefined;
    case 'call':
      return call(world, act, at);
    case 'command':
      return command(world, act.command, at);
    case 'pin':
      return pin(world, act, at);
    case 'time':
      return world.update({ time: act.time });
    case 'config':
      return world.update({ config: act.config });
    case 'key': {
      const others = world.registry.keys.filter(({ apiKey }) => apiKey !== act.key.apiKey);
      return world.update({ keys: [...others, act.key] });
    }
    case 'add':
      return add(world, act.added, at);
    case 'arm':
      return world.update({ faults: act.rules.map((rule) => ({ rule, seen: 0, struck: 0 })) });
    case 'counted':
      return world.update({ faults: act.rules });
    case 'postpone': {
      const { due, act: later } = act;
      return world.update({ postponed: [...world.registry.postponed, { due, act: later }] });
    }
  }
}

/** Adds the content of a scenario. A refused symbol ends the addition; earlier symbols stay. */
function add(world: World, added: Added, at: Millis): void {
  const keys = added.listings.map(({ instrument: { category, symbol } }) =>
    keyOf(category, symbol),
  );
  const twice = keys.find((key, place) => world.markets.has(key) || keys.indexOf(key) !== place);
  if (twice !== undefined) throw new Refusal('40020', `${twice} already exists`);
  for (const listing of added.listings) list(world, listing, at);
  world.update({ added: joined(world.registry.added, { ...added, listings: [] }) });
}

/** A new symbol is listed at the current price, or not at all. */
function list(world: World, listing: Listing, at: Millis): void {
  const before = world.registry.added;
  world.update({ added: { ...before, listings: [...before.listings, listing] } });
  const { instrument } = listing;
  const market = world.market(instrument.category, instrument.symbol);
  const price = scaled(market?.ticksAt(at) ?? 0, instrument.priceScale);
  const first = instrument.category === 'SPOT' ? {} : { price };
  try {
    world.command({ kind: 'list-instrument', instrument, ...first }, at);
  } catch (error) {
    world.update({ added: before });
    throw error;
  }
}

function command(world: World, wanted: Command, at: Millis): unknown {
  if (wanted.kind === 'place') {
    const market = world.market(marketOf(wanted.category), wanted.symbol);
    if (market !== undefined) bring(world, market, at);
  }
  return world.command(wanted, at);
}

function call<N extends WriteName>(world: World, act: Call<N>, now: Millis): unknown {
  return handle(act.name, act.input, { world, now, caller: act, lagMs: 0 });
}
