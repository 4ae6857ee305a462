/** Does again what the lines of a log say, and notices when it comes out differently. */
import { crc32 } from 'node:zlib';
import type { Millis } from '../../base/clock.ts';
import { canonicalJson } from '../../base/json.ts';
import { applyAct } from '../acts.ts';
import { Refusal } from '../refusal.ts';
import type { Act } from '../world/act.ts';
import { restoreWorld } from '../world/saved.ts';
import type { World } from '../world/world.ts';
import { DamagedError, otherVersion } from './damaged.ts';
import { format, isLogEntry } from './entry.ts';

/** How an act ended; a refusal has left its trace in the world, too. */
export type ActOutcome =
  | { readonly kind: 'done'; readonly data: unknown }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export function outcomeOf(world: World, act: Act, at: Millis): ActOutcome {
  try {
    return { kind: 'done', data: applyAct(world, act, at) };
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', refusal: error };
    throw error;
  }
}

/** Checksum of what an act was answered with. */
export function toldOf(outcome: ActOutcome): number {
  const told = outcome.kind === 'done' ? outcome.data : outcome.refusal.code;
  return crc32(canonicalJson(told ?? null));
}

/**
 * The world after one more line.
 * @param before the world so far; undefined at the first line
 * @throws DamagedError when the line does not fit
 */
export function replayed(before: World | undefined, line: unknown, file: string): World {
  if (!isLogEntry(line)) throw new DamagedError(file, 'a line is no command');
  if (line.kind === 'world') {
    if (line.format !== format) throw new DamagedError(file, otherVersion);
    return restoreWorld(line.saved);
  }
  if (before === undefined) throw new DamagedError(file, 'it does not begin with a world');
  if (toldOf(outcomeOf(before, line.act, line.at)) !== line.told) {
    throw new DamagedError(file, otherVersion);
  }
  return before;
}
