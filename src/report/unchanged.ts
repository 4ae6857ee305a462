/** Counts the actions of a step that have nothing to do, because a reader looks for changes. */
import type { PlannedAction } from '../engine/plan/plan.ts';
import { onAccounts } from './accounts.ts';

export interface Counted {
  /** The actions to list. */
  readonly listed: readonly PlannedAction[];
  /** The count as text: `4 unchanged on ash, birch, cedar and dogwood`; absent if the actions are listed. */
  readonly unchanged?: string;
}

/** Counts unchanged actions. A single one is listed: its line says more than a count, in the same space. */
export function countUnchanged(actions: readonly PlannedAction[]): Counted {
  const same = actions.filter(isUnchanged);
  if (same.length < 2) return { listed: actions };
  const rest = actions.filter((action) => !isUnchanged(action));
  return { listed: rest, unchanged: `${same.length} unchanged${onAccounts(same)}` };
}

function isUnchanged({ change }: PlannedAction): boolean {
  return change.kind === 'none';
}
