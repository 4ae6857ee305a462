/** The world of a folder at one place of its log: a new process need not begin at the start. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { isRecord } from '../../base/json.ts';
import { isSavedWorld, restoreWorld, saveWorld } from '../world/saved.ts';
import type { World } from '../world/world.ts';
import { DamagedError, otherVersion } from './damaged.ts';
import { format } from './entry.ts';

export interface SnapshotAt {
  /** Bytes of the log that are in it. */
  readonly position: number;
  readonly world: World;
}

/** Replaces the snapshot whole: a killed process leaves the old one or the new one. */
export function writeSnapshot(file: string, { position, world }: SnapshotAt): void {
  const draft = `${file}.new`;
  const text = JSON.stringify({ format, position, world: saveWorld(world) });
  writeFileSync(draft, JSON.stringify({ checksum: crc32(text), text }), { mode: 0o600 });
  renameSync(draft, file);
}

/** @throws DamagedError when there is one and it cannot be used */
export function readSnapshot(file: string): SnapshotAt | undefined {
  if (!existsSync(file)) return undefined;
  const frame = parsed(file, readFileSync(file, 'utf8'));
  const text = isRecord(frame) ? frame['text'] : undefined;
  if (typeof text !== 'string' || !isRecord(frame) || frame['checksum'] !== crc32(text)) {
    throw new DamagedError(file, 'its checksum does not fit');
  }
  const value = parsed(file, text);
  if (!isRecord(value) || value['format'] !== format) throw new DamagedError(file, otherVersion);
  const { position, world } = value;
  if (typeof position !== 'number' || !isSavedWorld(world)) {
    throw new DamagedError(file, 'it is no world');
  }
  return { position, world: restoreWorld(world) };
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DamagedError(file, 'it is not JSON', error);
  }
}
