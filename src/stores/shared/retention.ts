/** The interface of a database for removing records that nothing depends on, and the retention built on it.
 */
import type { Millis } from '../../base/clock.ts';
import type { Outdated, Retention } from '../removable.ts';
import { storedRuns } from '../../engine/journal/stored-runs.ts';
import { runHere } from '../run-files.ts';
import type { CursorFile } from './cursor.ts';
import { lastLink, linesIn } from './lines.ts';

/** Removes records. Every method throws StoreError when the database gave no answer; it may be repeated. */
export interface SharedRetention {
  /** Whether the database has these runs, or had them. A run that is absent is not known to it. */
  known(runs: readonly string[]): Promise<ReadonlyMap<string, 'stored' | 'pruned'>>;
  /**
   * Removes a run that ended and has no open job: it is never taken again, its plan stays used, and no reader
   * sees lines of it.
   * @param at the end of the lines that were examined; a run with others is kept
   */
  prune(run: string, at: RunEnd): Promise<Pruned>;
  /** Deletes lines and files of pruned runs. */
  empty(): Promise<void>;
  count(age: Millis): Promise<Outdated>;
  /** Deletes outdated plans, the contents of outdated jobs, and workers that are gone. */
  clean(age: Millis): Promise<Outdated>;
  close(): Promise<void>;
}

/** The end of a journal: the number of its lines, and the link of the last one. */
export interface RunEnd {
  readonly lines: number;
  /** The link of the last line. */
  readonly link: string;
}

/** The result of removing a run; `changed` if it has other lines than those that were examined. */
export type Pruned = 'pruned' | 'absent' | 'in-use' | 'changed';

export function retentionOf(
  shared: SharedRetention,
  stateDir: string,
  cursor: CursorFile,
): Retention {
  const gone: string[] = [];
  return {
    known: (runs) => shared.known(runs),
    remove: async (run) => {
      const removed = await shared.prune(run, await endHere(stateDir, run));
      if (removed === 'pruned' || removed === 'absent') gone.push(run);
      return reasons[removed];
    },
    count: (age) => shared.count(age),
    clean: async (age) => {
      await cursor.forget(gone.splice(0));
      await shared.empty();
      return shared.clean(age);
    },
  };
}

const reasons = {
  pruned: undefined,
  absent: undefined,
  'in-use': 'it is being continued',
  changed: 'the database has other lines of it',
} satisfies Record<Pruned, string | undefined>;

async function endHere(stateDir: string, run: string): Promise<RunEnd> {
  const here = await runHere(stateDir, run);
  const stored = here === undefined ? storedRuns(stateDir).end(run) : undefined;
  if (stored !== undefined) return stored;
  const { journal } = here ?? { journal: '' };
  return { lines: linesIn(journal), link: lastLink(journal) };
}
