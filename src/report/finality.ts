/** Whether a resume can retry anything: failures that the run continued from are final. */
import { decisionsIn, isFailure } from '../journal/decisions.ts';
import type { Entry } from '../journal/entry.ts';

type Started = Extract<Entry, { readonly kind: 'started' }>;

/**
 * Whether the failure of a run is final: its `on-failure` or `finally` has sent something, or another
 * step was started after each failed one.
 */
export function isOverIn({ steps }: Started, entries: readonly Entry[]): boolean {
  const ids = steps.map(({ id }) => id);
  const asides = asidesIn(entries, ids);
  const mayBeOver = entries.some((entry) => entry.kind === 'closed' && isFailure(entry));
  if (asides.length === 0 && !mayBeOver) return false; // the usual case avoids the cost of the rest
  const decisions = decisionsIn(entries);
  if (asides.some((path) => decisions.actedIn(path) !== undefined)) return true;
  const failed = ids.filter((id) => decisions.step(id).closed.slice(-1).some(isFailure));
  return failed.length > 0 && failed.every((id) => decisions.wentOnFrom(id, ids) !== undefined);
}

/** Steps of the run's own `on-failure` and `finally` that were reached. */
function asidesIn(entries: readonly Entry[], ids: readonly string[]): readonly string[] {
  const listed = new Set(ids);
  const opened = entries.flatMap((entry) => (entry.kind === 'opened' ? [entry.step] : []));
  return [...new Set(opened)].filter((path) => !listed.has(path) && !/[/[]/.test(path));
}
