/** The name of a plan's or a run's live account, which is typed before anything is sent. */
import type { Destination } from '../../engine/journal/entry.ts';

/** The profile of the first live account. */
export function liveIn(accounts: readonly Destination[]): string | undefined {
  return accounts.find(({ target }) => target !== 'sandbox')?.profile;
}
