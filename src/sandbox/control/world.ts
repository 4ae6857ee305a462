/** Control of the world as a whole: info, invariants, settings, snapshots and resets. */
import { canonicalJson, sha256 } from '../../base/json.ts';
import { choice, integer, optional, record, type Infer } from '../../exchange/api/schema.ts';
import { Refusal } from '../refusal.ts';
import { config } from '../scenario/settings.ts';
import { closed, moment, word } from '../scenario/words.ts';
import type { Store } from '../persistence/world-store.ts';
import { newWorld } from '../world/genesis.ts';
import { restoreWorld, saveWorld } from '../world/saved.ts';
import { speedOf, timeFrom, timeModes } from '../world/time.ts';
import { asking, type ControlContext, type ControlTable } from './control-context.ts';

const named = record({ name: word }, closed);

const beginning = record(
  {
    seed: optional(integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    startAt: optional(moment),
    time: optional(choice(timeModes)),
  },
  closed,
);

export const worldControls: ControlTable = {
  health: { GET: () => 'ok' },
  info: { GET: (_fields, { store }) => info(store) },
  hash: { GET: (_fields, { store }) => ({ hash: hashOf(store) }) },
  invariants: { GET: (_fields, { store }) => store.world().engine.invariants() },
  requests: { GET: (_fields, { requests }) => requests.notes() },
  config: {
    GET: (_fields, { store }) => settingsOf(store),
    POST: asking(config, (fields, { store }) => {
      configure(fields, store);
      return settingsOf(store);
    }),
  },
  reset: { POST: asking(beginning, (fields, { store }) => reset(fields, store)) },
  snapshots: {
    GET: (_fields, { shelf }) => [...shelf.keys()],
    POST: asking(named, ({ name }, context) => putAside(name, context)),
  },
  'snapshots/restore': { POST: asking(named, ({ name }, context) => restore(name, context)) },
};

/** Merges the given settings into the current ones. */
export function configure(
  { duplicateClientOid, matchDelayMs, quirks, ...given }: Infer<typeof config>,
  store: Store,
): void {
  const before = store.world().registry.config;
  const next = { ...before, ...given, quirks: { ...before.quirks, ...quirks } };
  store.commit({ kind: 'config', config: next });
  const ofEngine = {
    ...(duplicateClientOid !== undefined && { duplicateClientOid }),
    ...(matchDelayMs !== undefined && { matchDelayMs }),
  };
  if (Object.keys(ofEngine).length === 0) return;
  store.commit({ kind: 'command', command: { kind: 'configure', ...ofEngine } });
}

/** The current settings of the gateway and of the engine. */
function settingsOf(store: Store): object {
  const { registry, engine } = store.world();
  return { ...registry.config, ...engine.settings() };
}

function reset(given: Infer<typeof beginning>, store: Store): unknown {
  const { origin, registry } = store.world();
  const { time, config: settings } = registry;
  const { seed = origin.seed, startAt: born = store.now(), time: mode = time.mode } = given;
  store.replace(
    newWorld({
      origin: { seed, born, generation: origin.generation + 1 },
      time: timeFrom(mode, { at: born, wall: store.wall(), speed: speedOf(time) }),
      limits: settings.limits,
    }),
  );
  return info(store);
}

const shelfMax = 100; // worlds in memory; a small one takes a megabyte

function putAside(name: string, { shelf, store }: ControlContext): unknown {
  if (!shelf.has(name) && shelf.size >= shelfMax) {
    throw new Refusal('40020', `${shelfMax} snapshots exist; reuse one of their names`);
  }
  shelf.set(name, structuredClone(saveWorld(store.world())));
  return { hash: hashOf(store) };
}

function restore(name: string, { shelf, store }: ControlContext): unknown {
  const saved = shelf.get(name);
  if (saved === undefined) throw new Refusal('40020', `no snapshot ${name}`);
  store.replace(restoreWorld(structuredClone(saved)));
  return { hash: hashOf(store) };
}

function info(store: Store) {
  const { origin, registry, markets } = store.world();
  const { time, keys } = registry;
  return {
    ...origin,
    now: store.now(),
    time: time.mode,
    config: settingsOf(store),
    markets: [...markets.keys()],
    keys: keys.map(({ apiKey, uid, permissions }) => ({ apiKey, uid, permissions })),
  };
}

function hashOf(store: Store): string {
  const { engine, registry } = store.world();
  return sha256(`${engine.hash()} ${canonicalJson(registry)}`);
}
