/** Converts a whole world to JSON and back. */
import { isRecord } from '../../base/json.ts';
import type { Snapshot } from '../engine/engine.ts';
import { restoreEngine } from '../engine/create.ts';
import type { Registry } from './registry.ts';
import { worldOf, type Origin, type World } from './world.ts';

export interface SavedWorld {
  readonly origin: Origin;
  readonly registry: Registry;
  readonly engine: Snapshot;
}

export function saveWorld({ origin, registry, engine }: World): SavedWorld {
  return { origin, registry, engine: engine.snapshot() };
}

export function restoreWorld({ origin, registry, engine }: SavedWorld): World {
  return worldOf(origin, restoreEngine(engine), registry);
}

/** Whether JSON has the outline of a saved world; we wrote its contents. */
export function isSavedWorld(value: unknown): value is SavedWorld {
  return (
    isRecord(value) &&
    isRecord(value['origin']) &&
    isRecord(value['registry']) &&
    isRecord(value['engine'])
  );
}
