/** One line of a world's file: a snapshot of the world, or an act since. */
import type { Millis } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import type { Act } from '../world/act.ts';
import { isSavedWorld, type SavedWorld } from '../world/saved.ts';

/** Raised by every change after which old acts would give another world. */
export const format = 5;

export type LogEntry =
  | { readonly kind: 'world'; readonly format: number; readonly saved: SavedWorld }
  | {
      readonly kind: 'act';
      readonly at: Millis;
      /**
       * The number of acts that the world had when the line was written; absent in older files.
       */
      readonly n?: number;
      readonly act: Act;
      /** Checksum of the response: replaying the act must give the same. */
      readonly told: number;
    };

/** Whether a verified line has the outline of an entry; we wrote its contents. */
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
