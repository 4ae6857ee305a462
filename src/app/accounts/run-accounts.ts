/** The accounts of an earlier run, opened again to look at them. */
import { profileNamed, type Config } from '../config/load.ts';
import type { Account } from '../../engine/plan/account.ts';
import type { AppContext } from '../app-context.ts';
import { refuseOther } from './identities.ts';
import { stoppable } from '../machine/interrupt.ts';
import type { Started } from '../store/synchronized.ts';
import { openWork } from './work.ts';

export interface RunAccounts {
  /** The opened accounts, that of the run first; none if no requests are made. */
  readonly opened: readonly Pick<Account, 'exchange' | 'destination'>[];
  /** The signal that Ctrl-C aborts. */
  readonly signal: AbortSignal;
}

/** @throws ConfigError when a profile leads to another account than the run had */
export async function withRunAccounts<T>(
  started: Started,
  isOpened: boolean,
  config: Config,
  context: AppContext,
  work: (accounts: RunAccounts) => Promise<T>,
): Promise<T> {
  const { destination, accounts = [], run: runId } = started;
  return stoppable(context, async ({ drain: signal }) => {
    if (!isOpened) return work({ opened: [], signal });
    const profile = profileNamed(config, destination.profile);
    const session = await openWork(context, config, profile, { needsKey: true });
    try {
      const book = await session.book();
      book.refuseConflict(session.destination, true);
      refuseOther(destination, session.destination, book, runId);
      const opened: RunAccounts['opened'][number][] = [session];
      for (const then of accounts) {
        const other = await session.open(then.profile);
        refuseOther(then, other.destination, book, runId);
        opened.push(other);
      }
      return await work({ opened, signal });
    } finally {
      await session.close();
    }
  });
}
