/** The account of a plan or a run whose name is typed before anything is sent: it is not of a sandbox. */
import type { Destination } from '../../engine/journal/entry.ts';

/** The first account that is not of a sandbox. */
export function realAmong(accounts: readonly Destination[]): Destination | undefined {
  return accounts.find(({ target }) => target !== 'sandbox');
}
