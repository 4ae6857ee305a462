/** One line of a world's file: the world at some moment, or what was done to it since. */
import type { Millis } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import type { Act } from '../world/act.ts';
import { isSavedWorld, type SavedWorld } from '../world/saved.ts';

/** Grows with every change after which old acts would make another world. */
export const format = 5;

export type LogEntry =
  | { readonly kind: 'world'; readonly format: number; readonly saved: SavedWorld }
  | {
      readonly kind: 'act';
      readonly at: Millis;
      /** How many acts the world has seen with it since it was written down; absent in older files. */
      readonly n?: number;
      readonly act: Act;
      /** Checksum of what was answered: the same act must say the same again. */
      readonly told: number;
    };

/** Whether a checked line has the outline of an entry; its inside was written by us. */
export function isLogEntry(value: unknown): value is LogEntry {
  if (!isRecord(value)) return false;
  switch (value['kind']) {
    case 'world':
      return typeof value['format'] === 'number' && isSavedWorld(value['saved']);
    case 'act':
      return typeof value['at'] === 'number' && isRecord(value['act']);
    default:
      return false;
  }
}
