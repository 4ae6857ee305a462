/** What commands ask of an ended run besides its ledger and its overview, as stores keep it. */
import { isRecord } from '../../base/json.ts';
import type { StoredView } from './stored-view.ts';
import type { VisibilityFacts } from './visible.ts';

export const restKind = 'rest 1';

export interface Rest {
  readonly visibility: VisibilityFacts;
  /** Why `runs prune` keeps the run, whatever its age; absent if nothing depends on it. */
  readonly needed?: string;
}

/** What is stored of an ended run; undefined if its record must be read. */
export function restOf(stored: StoredView, run: string): Rest | undefined {
  const value = stored.fact(restKind, run);
  return isRest(value) ? value : undefined;
}

export function isRest(value: unknown): value is Rest {
  if (!isRecord(value) || !isRecord(value['visibility'])) return false;
  const { found, news } = value['visibility'];
  return Array.isArray(found) && Array.isArray(news);
}
