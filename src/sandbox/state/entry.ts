/** One line of the command log. */
import type { Millis } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import type { Act } from '../world/act.ts';
import { isSavedWorld, type SavedWorld } from '../world/saved.ts';
import type { Birth } from '../world/world.ts';

/** Grows with every change after which old acts would make another world. */
export const format = 1;

export type LogEntry =
  | { readonly kind: 'born'; readonly format: number; readonly birth: Birth }
  | {
      readonly kind: 'act';
      readonly at: Millis;
      readonly act: Act;
      /** Checksum of what was answered: the same act must say the same again. */
      readonly told: number;
    }
  | { readonly kind: 'replaced'; readonly saved: SavedWorld };

/** Whether a checked line has the outline of an entry; its inside was written by us. */
export function isLogEntry(value: unknown): value is LogEntry {
  if (!isRecord(value)) return false;
  switch (value['kind']) {
    case 'born':
      return typeof value['format'] === 'number' && isRecord(value['birth']);
    case 'act':
      return typeof value['at'] === 'number' && isRecord(value['act']);
    case 'replaced':
      return isSavedWorld(value['saved']);
    default:
      return false;
  }
}
