/** Writes the entries of a run as the lines that it printed, or as JSON. */
import type { Entry } from '../../engine/journal/entry.ts';
import { runLines } from '../../report/terminal/run-lines.ts';
import { entryNaming } from '../../report/named-entry.ts';
import type { Channel } from '../../report/terminal/terminal.ts';

export interface LogWriter {
  add(entry: Entry): void;
}

/**
 * A writer of entries.
 * @param format `ndjson`: one object for each entry
 */
export function logWriter(
  out: Channel,
  format: 'text' | 'ndjson',
  { isVerbose }: { readonly isVerbose: boolean },
): LogWriter {
  if (format === 'ndjson') {
    const named = entryNaming();
    return { add: (entry) => out.json({ version: 1, ...named(entry) }) };
  }
  const lines = runLines({ isVerbose, hasEnd: true });
  return {
    add: (entry) => {
      for (const line of lines.add(entry)) out.line(line);
    },
  };
}
