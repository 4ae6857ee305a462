/** The committed plans of a pull request, which are signed and run, and their differences from plans made now.
 */
import { signs } from '../../base/palette.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import {
  differenceWords,
  signedWords,
  verdictWords,
  type CommittedPlan,
} from '../committed-plan.ts';
import type { Block } from './fit.ts';
import { changesTable } from './plan-comment.ts';
import { code, prose } from './text.ts';

/** The blocks of a playbook's committed plans, each with the lines in which a plan made now differs. */
export function committedBlocks(
  all: readonly CommittedPlan[],
  now: Plan | undefined,
): readonly Block[] {
  return all.flatMap((committed): Block[] => {
    const { file, plan, refusal } = committed;
    const sign = refusal === undefined ? signs.good.drawn : signs.bad.drawn;
    const id = plan === undefined ? '' : ` ${code(plan.id)}`;
    const head = `**${sign} To be signed and run: plan${id}** in ${code(file)}: ${prose(signedWords(committed))}; ${prose(verdictWords(committed))}.`;
    const { words, changes } = differenceWords(committed, now);
    return words === ''
      ? [head]
      : [head, ...changesTable(words, changes, ['Made now', 'Committed'])];
  });
}
