/** Finds the run of a schedule's occurrence, also under an earlier key of its account. */
import { everyRun } from '../../engine/journal/run-list.ts';
import { hasBegun } from '../../engine/journal/runs.ts';
import { AccountError } from '../../engine/journal/standing.ts';
import { slotRunId, writtenSlotRunId, type Slot } from '../schedule/slot.ts';
import type { Work } from '../accounts/work.ts';

/**
 * The id of an occurrence's run, and the run that already claimed the occurrence, under any key.
 * @throws AccountError when one started with a key of an unknown account
 */
export async function slotRunOf(
  { destination, book, config: { stateDir } }: Work,
  playbook: string,
  slot: Slot,
): Promise<{ readonly runId: string; readonly taken?: string }> {
  const runId = slotRunId(destination, playbook, slot);
  if (await hasBegun(stateDir, runId)) return { runId, taken: runId };
  const known = await book();
  for (const header of await everyRun(stateDir)) {
    if (header.playbook !== playbook) continue;
    const { destination: then } = header;
    const standing = known.standingOf(destination, then);
    const ids = [slotRunId(then, playbook, slot), writtenSlotRunId(then, playbook, slot)];
    if (standing === 'other' || !ids.includes(header.run)) continue;
    if (!(await hasBegun(stateDir, header.run))) continue;
    if (standing === 'same') return { runId, taken: header.run };
    const key = then.keyFingerprint ?? 'none';
    throw new AccountError(
      `this time was run as ${header.run} with key ${key}, and deskhand cannot tell whether that is the account of key ${destination.keyFingerprint ?? 'none'}`,
      known.settling([then], destination),
    );
  }
  return { runId };
}
