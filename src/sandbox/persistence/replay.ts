/** Replays the lines of a log, and detects different results. */
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

/** The result of an act; a refused one may also change the world. */
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

/** Checksum of an act's response. */
export function checksumOf(outcome: ActOutcome): number {
  const answer = outcome.kind === 'done' ? outcome.data : outcome.refusal.code;
  return crc32(canonicalJson(answer ?? null));
}

/** A world as read from its file so far. */
export interface Replayed {
  readonly world: World;
  /** The number of acts since the last complete world. */
  readonly acts: number;
}

/**
 * The world after one more line.
 * @param before the world so far; undefined at the first line
 * @throws DamagedError when the line does not follow
 */
export function replayed(before: Replayed | undefined, line: unknown, file: string): Replayed {
  if (!isLogEntry(line)) throw new DamagedError(file, 'a line is not a command');
  if (line.kind === 'world') {
    if (line.format !== format) throw new DamagedError(file, otherVersion);
    return { world: restoreWorld(line.saved), acts: 0 };
  }
  if (before === undefined) throw new DamagedError(file, 'it does not start with a world');
  const { world } = before;
  const acts = before.acts + 1;
  if (line.n !== undefined && line.n !== acts) {
    throw new DamagedError(file, `act ${line.n} is where act ${acts} belongs`);
  }
  if (checksumOf(outcomeOf(world, line.act, line.at)) !== line.told) {
    throw new DamagedError(file, otherVersion);
  }
  return { world, acts };
}
