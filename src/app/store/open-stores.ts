/** The stores over databases that this process has open: all its work shares their connections. */
import type { Clock } from '../../base/clock.ts';
import { digestOf, plainJson } from '../../base/json.ts';
import type { Secret } from '../../base/secret.ts';
import type { StorePlace } from '../../stores/open.ts';
import type { DatabaseSettings } from '../../stores/settings.ts';
import type { StateStore } from '../../stores/store.ts';

const openMax = 50; // projects; the connections of an older one end when they are idle

const stores = new WeakMap<Clock, Map<string, Promise<StateStore>>>();

/** Opens a store, unless the same one is open. @throws as `openStore` */
export async function openOnce(
  settings: DatabaseSettings,
  url: Secret,
  place: StorePlace,
): Promise<StateStore> {
  const known = stores.get(place.clock) ?? new Map<string, Promise<StateStore>>();
  stores.set(place.clock, known);
  const name = digestOf(plainJson([settings, url.reveal(), place.stateDir]));
  const store = known.get(name) ?? opened(settings, url, place);
  known.delete(name);
  known.set(name, store); // the latest one last
  store.catch(() => known.delete(name));
  for (const oldest of [...known.keys()].slice(0, -openMax)) known.delete(oldest);
  return store;
}

async function opened(
  settings: DatabaseSettings,
  url: Secret,
  place: StorePlace,
): Promise<StateStore> {
  const { openStore } = await import('../../stores/open.ts');
  return openStore(settings, place, async () => url);
}
