/** The entries of a run for programs, as they happen. */
import type { Entry } from '../../journal/entry.ts';
import type { Screen } from './screen.ts';
import type { Channel } from './terminal.ts';

const version = 1; // its schema is in schemas/

/** One line per entry. */
export function entriesScreen(out: Channel): Screen {
  return {
    recall: () => undefined,
    show: (entry: Entry) => out.json({ version, ...entry }),
    close: () => Promise.resolve(),
  };
}
