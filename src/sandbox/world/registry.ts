/** The state of the world besides the engine: keys, clock, settings, sub-accounts, later events. */
import type { Millis } from '../../base/clock.ts';
import type { ArmedRule } from '../faults/rules.ts';
import type { KeyRecord } from '../gateway/api-keys.ts';
import { foundingKeys } from './initial-accounts.ts';
import type { Act } from './act.ts';
import { nothingAdded, type Added } from './added.ts';
import type { MarketKey, Pin } from './pins.ts';
import { defaultConfig, type Config } from './world-settings.ts';
import type { BusinessTime } from './time.ts';

export interface SubAccount {
  readonly username: string;
  readonly uid: string;
  readonly parent: string;
  readonly note: string;
  readonly accountMode: 'classic' | 'unified';
  readonly createdTime: Millis;
}

/** An event scheduled in the world's future. */
interface Postponed {
  readonly due: Millis;
  readonly act: Act;
}

/**
 * The state of a world besides the engine; plain data: part of snapshots, replaced and never
 * changed.
 */
export interface Registry {
  readonly time: BusinessTime;
  readonly config: Config;
  readonly keys: readonly KeyRecord[];
  readonly subs: readonly SubAccount[];
  readonly pins: readonly Pin[];
  readonly faults: readonly ArmedRule[];
  readonly postponed: readonly Postponed[];
  /** The content that scenarios added. */
  readonly added: Added;
  /** Markets with quotes in the engine, with the second they were made for. */
  readonly quoted: Readonly<Record<MarketKey, number>>;
}

export function newRegistry(
  seed: number,
  { time, limits }: { readonly time: BusinessTime; readonly limits: boolean },
): Registry {
  return {
    time,
    config: defaultConfig(limits),
    keys: foundingKeys(seed),
    subs: [],
    pins: [],
    faults: [],
    postponed: [],
    added: nothingAdded,
    quoted: {},
  };
}
