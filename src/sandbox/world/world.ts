/** One world: the engine, the markets around it and the registry, at one time. */
import { minute, second, type Millis } from '../../base/clock.ts';
import type { Answer, Command, CommandKind } from '../engine/command.ts';
import type { Engine } from '../engine/engine.ts';
import type { InstrumentCategory } from '../engine/instrument.ts';
import { Refusal } from '../refusal.ts';
import { agents } from './initial-accounts.ts';
import { customersOf, type Customers } from './customers.ts';
import { marketsOf, type Market } from './markets.ts';
import type { MarketKey } from './pins.ts';
import type { Registry } from './registry.ts';
import type { BusinessTime } from './time.ts';

/** The origin of a world; with its acts it can be recreated. */
export interface Origin {
  readonly seed: number;
  readonly born: Millis;
  /** The number of restarts of the world. */
  readonly generation: number;
}

/** Everything needed to create a world. */
export interface Birth {
  readonly origin: Origin;
  readonly time: BusinessTime;
  readonly limits: boolean;
}

export interface World {
  readonly origin: Origin;
  readonly engine: Engine;
  readonly markets: ReadonlyMap<MarketKey, Market>;
  /** The times when the phase of a delivered symbol changes. */
  readonly milestones: readonly Millis[];
  /** Referred customers, by agent. */
  readonly customers: ReadonlyMap<string, Customers>;
  /** The current registry; `update` replaces it. */
  readonly registry: Registry;
  update(change: Partial<Registry>): void;
  market(category: InstrumentCategory, symbol: string): Market | undefined;
  /** Executes a command of the engine. @throws Refusal when the engine refuses */
  command<K extends CommandKind>(command: Command<K>, at: Millis): Answer<K>;
}

export function worldOf(origin: Origin, engine: Engine, registry: Registry): World {
  let current = registry;
  const marketsNow = (): ReadonlyMap<MarketKey, Market> =>
    marketsOf(origin, { listed: current.added.listings, pins: () => current.pins });
  let markets = marketsNow();
  let bySymbol = bySymbolOf(markets);
  let milestones = [...markets.values()].flatMap(milestonesOf);
  return {
    origin,
    engine,
    get markets() {
      return markets;
    },
    get milestones() {
      return milestones;
    },
    customers: new Map(agents.map((uid) => [uid, customersOf(origin.seed, uid, origin.born)])),
    get registry() {
      return current;
    },
    update: (change) => {
      current = { ...current, ...change };
      if (change.added === undefined) return;
      markets = marketsNow();
      bySymbol = bySymbolOf(markets);
      milestones = [...markets.values()].flatMap(milestonesOf);
    },
    market: (category, symbol) => bySymbol.get(category)?.get(symbol),
    command: (command, at) => {
      const { reply } = engine.apply(command, at);
      if (reply.kind === 'refused') throw new Refusal(reply.code, reply.message);
      return reply.data;
    },
  };
}

/**
 * A function that finds a market by category and symbol with two lookups, because building a key
 * for each order costs more than both.
 */
function bySymbolOf(
  markets: ReadonlyMap<MarketKey, Market>,
): ReadonlyMap<InstrumentCategory, ReadonlyMap<string, Market>> {
  const found = new Map<InstrumentCategory, Map<string, Market>>();
  for (const market of markets.values()) {
    const { category, symbol } = market.instrument;
    const own = found.get(category) ?? new Map<string, Market>();
    found.set(category, own.set(symbol, market));
  }
  return found;
}

function milestonesOf({ instrument: { delivery } }: Market): Millis[] {
  if (delivery === undefined) return [];
  const { startTime, time } = delivery;
  return [startTime, time - 10 * minute, time, time + minute];
}

/** The number of the second that contains a time: quotes change once a second. */
export function secondOf(moment: Millis): number {
  return Math.floor(moment / second);
}
