/** The records of earlier runs, also of those that are packed. */
import type { RunRecord } from '../../src/engine/journal/run-record.ts';
import { isPacked, type PastRun } from '../../src/engine/journal/past-writes.ts';

export function recordsIn(runs: readonly PastRun[]): readonly RunRecord[] {
  return runs.map((run) => (isPacked(run) ? run.unpacked() : run));
}
