/** Sets runs aside, as a person decides: they are not continued, and block no other run. */
import { UsageError } from '../../base/error.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { setAsideEvent, setAsideIn, type SetAsideWord } from '../../engine/journal/unfinished.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { asideWords } from '../../report/unfinished-runs.ts';
import type { AppContext } from '../app-context.ts';
import { withOpenRun } from './open-run.ts';

/** The person who lets a run begin beside unfinished ones, or sets a run aside, and the reason. */
export type Beside = Pick<SetAsideWord, 'who' | 'reason'>;

/**
 * Records that a run is not continued: from then on it blocks no other run of its playbook.
 *
 * @returns all its entries
 * @throws UsageError for a run that is done, or was set aside before
 */
export async function setRunAside(
  runId: string,
  word: Beside,
  context: AppContext,
): Promise<readonly Entry[]> {
  return withOpenRun(runId, context, async ({ journal, entries }) => {
    const last = entries.at(-1);
    if (last?.kind === 'finished' && last.status === 'done') {
      throw new UsageError(`run ${runId} is done: there is nothing to set aside`);
    }
    const before = setAsideIn(entries);
    if (before !== undefined) throw new UsageError(asideWords(runId, before));
    return [...entries, await journal.append(setAsideEvent(word))];
  });
}

/** Sets aside the runs that block a plan, each with the reason why its playbook runs again. */
export async function runBeside(
  { unfinished = [] }: Pick<Plan, 'unfinished'>,
  word: Beside,
  context: AppContext,
): Promise<void> {
  for (const { run } of unfinished) await setRunAside(run, word, context);
}
