/** The entries of a run for programs, as they happen. */
import type { Entry } from '../../engine/journal/entry.ts';
import { entryNaming } from '../../report/named-entry.ts';
import type { Screen } from './screen.ts';
import type { Channel } from '../../report/terminal/terminal.ts';

const version = 1; // its schema is in schemas/

/** A screen that prints one line per entry. */
export function entriesScreen(out: Channel): Screen {
  const named = entryNaming();
  return {
    recall: (entries) => {
      for (const entry of entries) named(entry);
    },
    show: (entry: Entry) => out.json({ version, ...named(entry) }),
    close: () => Promise.resolve(),
  };
}
