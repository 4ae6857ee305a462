/** Reads how a run began from its record. */
import { isRecord, plainJson, type Json } from '../../base/json.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { JournalError } from '../../engine/journal/error.ts';
import type { Started } from '../store/synchronized.ts';

/**
 * The start of a run. A run that was killed before its first entry cannot be continued. @throws JournalError
 */
export function startOf(entries: readonly Entry[], runId: string): Started {
  const [started] = entries;
  if (started?.kind === 'started') return started;
  throw new JournalError(
    `run ${runId} ended before its first entry was written`,
    undefined,
    'nothing was sent by it: run its playbook or its plan again',
  );
}

/** The inputs a run started with. */
export function inputsIn(inputs: Json): ReadonlyMap<string, Json> {
  const pairs = isRecord(inputs) ? Object.entries(inputs) : [];
  return new Map(pairs.map(([name, value]) => [name, plainJson(value)]));
}
