/** An entry that another process adds to the journal of a harness. */
import type { Event } from '../../src/engine/journal/entry.ts';
import { emptyJournal, journalOver, readJournal } from '../../src/engine/journal/journal.ts';
import type { Harness } from './harness.ts';

export async function append(harness: Harness, event: Event): Promise<void> {
  const { state, entries } = readJournal(harness.disk, 'journal.ndjson');
  const journal = journalOver(
    {
      write: async (text) => {
        harness.disk += text;
      },
      sync: () => Promise.resolve(),
      close: () => Promise.resolve(),
    },
    harness.clock,
    entries.length === 0 ? emptyJournal : state,
  );
  await journal.append(event);
}
