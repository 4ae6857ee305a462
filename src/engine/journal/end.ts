/** The end of a run, as its last entry has it. */
import type { Entry } from './entry.ts';

export type Finished = Extract<Entry, { readonly kind: 'finished' }>;

/** The end of a run, which may be resumed later unless it is done; undefined before the end. */
export function endIn(entries: readonly Entry[]): Finished | undefined {
  const last = entries.at(-1);
  return last?.kind === 'finished' ? last : undefined;
}

/** Whether nothing of the run is left to be done. */
export function isDone(entries: readonly Entry[]): boolean {
  return endIn(entries)?.status === 'done';
}
