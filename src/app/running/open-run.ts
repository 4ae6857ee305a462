/** Locks a started run, for a command that adds to its journal. */
import type { Config } from '../config/load.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import { openRun, readRun } from '../../engine/journal/runs.ts';
import type { AppContext } from '../app-context.ts';
import { forgottenSince } from '../../engine/journal/replay.ts';
import { beginningOf, scopeOfBegun } from './beside.ts';
import { ofBegunRun } from './begun.ts';
import { configOf } from '../config/opened.ts';
import { startOf } from './started.ts';
import { holdRun, syncOnlyRun, syncState, type Started } from '../store/synchronized.ts';

export interface OpenedRun {
  readonly config: Config;
  readonly started: Started;
  readonly journal: Journal;
  /** The entries of the run, read under the lock. */
  readonly entries: readonly Entry[];
}

/** Holds the lock of the run while the work is done. @throws as `ofBegunRun` */
export async function withOpenRun<T>(
  runId: string,
  context: AppContext,
  work: (opened: OpenedRun) => Promise<T>,
): Promise<T> {
  return ofBegunRun(async (note) => {
    const config = await configOf(context);
    const { stateDir } = config;
    await syncOnlyRun(runId, config, context);
    const started = startOf(note(await readRun(stateDir, runId)), runId);
    const scope = scopeOfBegun(beginningOf(started), config);
    const store = await syncState(config, context, started.destination, scope);
    const hold = await holdRun(store, started, config, context);
    try {
      // The journal is read again under the lock: the run may have continued since, here or elsewhere.
      const { journal, entries } = await hold.open(
        await openRun(stateDir, runId, context.clock, [], hold.over),
      );
      try {
        // Only the journals of all runs show which orders are those of lost lines.
        if (forgottenSince(entries) !== undefined) await store.sync();
        return await work({ config, started, journal, entries });
      } finally {
        await journal.close();
      }
    } finally {
      await hold.release();
    }
  });
}
