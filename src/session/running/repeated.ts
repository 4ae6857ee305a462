/** A run whose rest a later run of its playbook did. */
import { accountOf } from '../../journal/account.ts';
import type { Entry } from '../../journal/entry.ts';
import { readRecords } from '../../journal/records.ts';
import { doubtsLeftBy, repeatedSince } from '../../journal/unfinished.ts';

/**
 * The later run, by what is recorded of accounts; undefined for a run that may continue, or is done.
 * @throws JournalError
 */
export async function laterRun(
  stateDir: string,
  entries: readonly Entry[],
): Promise<string | undefined> {
  const [started] = entries;
  const last = entries.at(-1);
  if (started?.kind !== 'started' || (last?.kind === 'finished' && last.status === 'done')) return;
  const { run, playbook, destination, accounts = [] } = started;
  const own = { run, entries };
  if (doubtsLeftBy(own).length > 0) return undefined;
  const names = new Set([destination, ...accounts].map(accountOf));
  const records = await readRecords(stateDir, playbook.name);
  return repeatedSince(own, records, (account) => names.has(accountOf(account)));
}
