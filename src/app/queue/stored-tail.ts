/** Follows the entries of a run in the database while the run grows. */
import type { Entry } from '../../engine/journal/entry.ts';
import { emptyJournal } from '../../engine/journal/journal.ts';
import { DamagedRecordError, decodeRecord } from '../../engine/journal/record.ts';
import type { SharedRuns } from '../../stores/shared/shared-runs.ts';
import { StoreError } from '../../stores/store.ts';

export interface StoredTail {
  /** Reads the entries that were not returned yet. @throws StoreError also for lines that were changed */
  added(): Promise<readonly Entry[]>;
}

export function storedTail(id: string, runs: SharedRuns): StoredTail {
  let state = emptyJournal;
  const entryIn = (line: string): Entry => {
    const { entry, link } = decodeRecord(line, { seq: state.seq + 1, prev: state.link });
    if (entry.seq === 1 && entry.kind !== 'started') {
      throw new DamagedRecordError('it does not start with the start of a run');
    }
    state = { seq: entry.seq, link };
    return entry;
  };
  return {
    added: async () => {
      const text = (await runs.lines(id, state.seq))?.text ?? '';
      try {
        return text.match(/^.+$/gm)?.map(entryIn) ?? [];
      } catch (error) {
        if (!(error instanceof DamagedRecordError)) throw error;
        throw new StoreError(
          `line ${state.seq + 1} of run ${id} in the database was changed: ${error.message}`,
          'find out who wrote to the database',
          error,
        );
      }
    },
  };
}
