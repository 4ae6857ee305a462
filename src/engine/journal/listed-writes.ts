/** A journal that lists the writes of a step once, however often the step is opened again by a resume. */
import type { Entry, Event } from './entry.ts';
import type { Journal } from './journal.ts';

type Opening = Extract<Event, { readonly kind: 'opened' }>;

/**
 * Leaves the writes out of an opening that lists the same ones as the last opening of its step did:
 * for ten thousand orders they are 4 MB. A reader of all openings of a step takes them from that
 * opening. Not suitable for a store that passes on only the writes listed in the current attempt.
 * @param earlier the entries of the journal so far
 */
export function listingOnce(journal: Journal, earlier: readonly Entry[]): Journal {
  const listed = new Map<string, Opening['writes']>();
  for (const entry of earlier) {
    if (entry.kind === 'opened' && entry.writes) listed.set(entry.step, entry.writes);
  }
  if (listed.size === 0) return journal;
  return {
    ...journal,
    append: (event, sync) => {
      if (event.kind !== 'opened' || !isListed(event, listed.get(event.step))) {
        return journal.append(event, sync);
      }
      const { writes: _same, ...opening } = event;
      return journal.append(opening, sync);
    },
  };
}

function isListed({ writes }: Opening, before: Opening['writes']): boolean {
  if (writes === undefined || writes.length === 0 || writes.length !== before?.length) return false;
  // The writes are compared as the texts that are stored: comparing objects takes four times as long.
  return writes.every((write, at) => JSON.stringify(write) === JSON.stringify(before[at]));
}
