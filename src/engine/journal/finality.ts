/** Whether a run is over although it is not done: the failures that it continued from are final. */
import { decisionsIn, isFailure } from './decisions.ts';
import type { Entry } from './entry.ts';

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
  return (
    failed.length > 0 && failed.every((id) => decisions.wentOnFrom(id, () => ids) !== undefined)
  );
}

/**
 * Whether a run came to its end in spite of failures that its playbook allows, none of them at a write:
 * `on-error: continue` at a read or a report.
 */
export function isContinuedIn(entries: readonly Entry[]): boolean {
  if (entries.at(-1)?.kind !== 'finished') return false;
  const failed = new Map<string, Extract<Entry, { readonly kind: 'closed' }>>();
  const writing = new Set<string>();
  for (const entry of entries) {
    if (entry.kind === 'opened' && (entry.writes ?? []).length > 0) writing.add(entry.step);
    if (entry.kind !== 'closed') continue;
    if (entry.status === 'done' || entry.status === 'skipped') failed.delete(entry.step);
    else failed.set(entry.step, entry);
  }
  return [...failed].every(
    ([step, entry]) => isFailure(entry) && entry.continues === true && !writing.has(step),
  );
}

/** Steps of the run's own `on-failure` and `finally` that were reached. */
function asidesIn(entries: readonly Entry[], ids: readonly string[]): readonly string[] {
  const listed = new Set(ids);
  const opened = entries.flatMap((entry) => (entry.kind === 'opened' ? [entry.step] : []));
  return [...new Set(opened)].filter((path) => !listed.has(path) && !/[/[]/.test(path));
}
