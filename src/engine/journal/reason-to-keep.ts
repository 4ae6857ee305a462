/** Why the record of a run is needed, whatever its age. */
import { isOperation, operationOf } from '../../exchange/api/operations/index.ts';
import type { Entry } from './entry.ts';

/** The reason why the record of a run is needed; undefined if nothing depends on it. */
export function reasonIn(entries: readonly Entry[]): string | undefined {
  const [started] = entries;
  const last = entries.at(-1);
  if (started?.kind !== 'started') return 'it never began';
  if (last?.kind !== 'finished') return 'it is not finished';
  if (last.status !== 'done' && last.status !== 'stopped') return 'it is not finished';
  if (entries.some(({ kind }) => kind === 'intended')) return 'it sent a write';
  if (started.imported !== undefined) return 'it imported something into the ledger';
  if (entries.some(({ kind }) => kind === 'visibility')) return 'it recorded what the lists show';
  if (started.approvals !== undefined) return 'its plan was approved';
  if (started.scheduledFor !== undefined && !started.steps.every(({ uses }) => onlyReads(uses))) {
    return 'it is the run of an occurrence of a schedule';
  }
  return undefined;
}

/** Whether a step only reads: an occurrence of such steps may run again. */
function onlyReads(uses: string): boolean {
  return isOperation(uses) ? operationOf(uses).effect === 'read' : quiet.includes(uses);
}

const quiet: readonly string[] = ['wait', 'report/table', 'report/chart', 'report/page'];
