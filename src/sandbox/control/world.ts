/** Control of the world as a whole: what it is, its checks, settings, copies and beginnings. */
import { canonicalJson, sha256 } from '../../base/json.ts';
import { Refusal } from '../refusal.ts';
import type { Store } from '../state/store.ts';
import { newWorld } from '../world/genesis.ts';
import { restoreWorld, saveWorld } from '../world/saved.ts';
import type { Config } from '../world/settings.ts';
import { speedOf, timeFrom, timeModes } from '../world/time.ts';
import type { ControlBench, ControlTable } from './bench.ts';
import { Fields } from './fields.ts';

export const worldControls: ControlTable = {
  health: { GET: () => 'ok' },
  info: { GET: (_fields, { store }) => info(store) },
  hash: { GET: (_fields, { store }) => ({ hash: hashOf(store) }) },
  invariants: { GET: (_fields, { store }) => store.world().engine.invariants() },
  requests: { GET: (_fields, { requests }) => requests.notes() },
  config: {
    GET: (_fields, { store }) => settingsOf(store),
    POST: (fields, { store }) => {
      configure(fields, store);
      return settingsOf(store);
    },
  },
  reset: { POST: (fields, { store }) => reset(fields, store) },
  snapshots: {
    GET: (_fields, { shelf }) => [...shelf.keys()],
    POST: (fields, bench) => putAside(fields.text('name'), bench),
  },
  'snapshots/restore': { POST: (fields, bench) => restore(fields.text('name'), bench) },
};

/** Merges the settings that are given into those that stand. */
export function configure(fields: Fields, store: Store): void {
  const { config } = store.world().registry;
  const quirks = new Fields(fields.value('quirks') ?? {}, 'quirks');
  const next: Config = {
    limits: fields.flag('limits', config.limits),
    pageOverflow: fields.optionalChoice('pageOverflow', ['reject', 'clamp']) ?? config.pageOverflow,
    quirks: {
      customerUidNumber: quirks.flag('customerUidNumber', config.quirks.customerUidNumber),
      coinLeverageList: quirks.flag('coinLeverageList', config.quirks.coinLeverageList),
      lowerCaseSides: quirks.flag('lowerCaseSides', config.quirks.lowerCaseSides),
      splitFamilies: quirks.flag('splitFamilies', config.quirks.splitFamilies),
    },
  };
  store.commit({ kind: 'config', config: next });
  configureEngine(fields, store);
}

/** Those of the exchange around the engine, and the engine's own. */
function settingsOf(store: Store): object {
  const { registry, engine } = store.world();
  return { ...registry.config, ...engine.settings() };
}

/** `duplicateClientOid`: reject, accept, or milliseconds; `matchDelayMs`. */
function configureEngine(fields: Fields, store: Store): void {
  if (fields.has('duplicateClientOid')) {
    const duplicateClientOid =
      typeof fields.value('duplicateClientOid') === 'number'
        ? fields.number('duplicateClientOid')
        : fields.choice('duplicateClientOid', ['reject', 'accept']);
    store.commit({ kind: 'command', command: { kind: 'configure', duplicateClientOid } });
  }
  const matchDelayMs = fields.optionalNumber('matchDelayMs');
  if (matchDelayMs !== undefined) {
    store.commit({ kind: 'command', command: { kind: 'configure', matchDelayMs } });
  }
}

function reset(fields: Fields, store: Store): unknown {
  const { origin, registry } = store.world();
  const { time, config } = registry;
  const born = fields.optionalNumber('startAt') ?? store.now();
  const mode = fields.optionalChoice('time', timeModes) ?? time.mode;
  store.replace(
    newWorld({
      origin: {
        seed: fields.optionalNumber('seed') ?? origin.seed,
        born,
        generation: origin.generation + 1,
      },
      time: timeFrom(mode, { at: born, wall: store.wall(), speed: speedOf(time) }),
      limits: config.limits,
    }),
  );
  return info(store);
}

const shelfMax = 100; // worlds in memory; a small one takes a megabyte

function putAside(name: string, { shelf, store }: ControlBench): unknown {
  if (!shelf.has(name) && shelf.size >= shelfMax) {
    throw new Refusal('40020', `${shelfMax} snapshots are kept; take one of their names again`);
  }
  shelf.set(name, structuredClone(saveWorld(store.world())));
  return { hash: hashOf(store) };
}

function restore(name: string, { shelf, store }: ControlBench): unknown {
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
