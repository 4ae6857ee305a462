/** A journal in memory: for runs that end with their process. */
import type { Clock } from '../../base/clock.ts';
import type { Entry } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';

/** Appends to `entries`, which a resumed run reads. */
export function memoryJournal(clock: Clock, entries: Entry[]): Journal {
  return {
    append: (event) => {
      const entry: Entry = { seq: entries.length + 1, at: clock.now(), ...event };
      entries.push(entry);
      return Promise.resolve(entry);
    },
    flush: () => Promise.resolve(),
    length: () => 0,
    close: () => Promise.resolve(),
  };
}
