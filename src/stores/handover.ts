/** Records that a person released a run: another process may have continued it without reporting. */
import { readLost, writeLost } from '../engine/journal/lost.ts';
import type { Opened, Unreported } from './store.ts';

/** Records that a process may have signed writes of a run that the local journal lacks. */
export function noteHandover(stateDir: string, run: string, lost: Unreported): Promise<void> {
  return writeLost(stateDir, run, 'handover.json', lost);
}

/** Opens a journal, and first records the release of its run, if a person released it. */
export async function withHandover(stateDir: string, run: string, opened: Opened): Promise<Opened> {
  const noted = await readLost(stateDir, run, 'handover.json');
  return noted === undefined ? opened : takenOver(opened, noted);
}

/** Takes the record of one release, so that the journal has it once. */
export async function takenOver(
  { journal, entries }: Opened,
  { host, since, until }: Unreported,
): Promise<Opened> {
  const isKnown = entries.some((entry) => entry.kind === 'taken-over' && entry.until === until);
  if (isKnown) return { journal, entries };
  const entry = await journal.append({ kind: 'taken-over', host, since, until });
  return { journal, entries: [...entries, entry] };
}
