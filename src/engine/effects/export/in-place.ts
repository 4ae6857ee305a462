/** The target of a file that a step writes: locked during the work, and checked before and after. */
import { sha256 } from '../../../base/json.ts';
import { placeFor, type Overwrite, type TargetPlace } from '../../export/overwrite.ts';
import { openTarget, type Target } from '../../export/target.ts';
import { lockTarget, type TargetLock } from '../../export/target-lock.ts';
import type { EffectContext } from '../effect-context.ts';

export interface Taken {
  readonly target: Target;
  readonly lock: TargetLock;
  readonly spot: TargetPlace;
}

/**
 * Locks the target of a file for one step of a run, before its rows are read.
 * @throws ExportError when another run writes it, or the existing file must be kept
 */
export async function inPlace<T>(
  { file, overwrite }: { readonly file: string; readonly overwrite?: Overwrite },
  isResumed: boolean,
  { workspace, runId }: EffectContext,
  work: (taken: Taken) => Promise<T>,
): Promise<T> {
  const target = await openTarget(workspace, file);
  try {
    const lock = lockTarget(target, runId);
    try {
      const spot = overwrite && (await placeFor(target, overwrite, isResumed));
      return await work({ target, lock, spot: spot ?? checkedLater });
    } finally {
      lock.release();
    }
  } finally {
    await target.close();
  }
}

/** The place of files that are known only when their rows are. */
const checkedLater: TargetPlace = { refuseOther: async () => undefined };

/** A token for the names of a step's temporary files. */
export function tokenOf(
  { address }: { readonly address: string },
  { runId }: EffectContext,
): string {
  return sha256(`${runId} ${address}`).slice(0, 10);
}
