/** The committed plans of a pull request, which are signed and run, beside those made for its comment. */
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

/** Each committed plan of a playbook, and what a plan made now has instead. */
export function committedBlocks(
  all: readonly CommittedPlan[],
  now: Plan | undefined,
): readonly Block[] {
  return all.flatMap((committed): Block[] => {
    const { file, plan, refusal } = committed;
    const sign = refusal === undefined ? '✔' : '✖';
    const id = plan === undefined ? '' : ` ${code(plan.id)}`;
    const head = `**${sign} To be signed and run: plan${id}** in ${code(file)}: ${prose(signedWords(committed))}; ${prose(verdictWords(committed))}.`;
    const { words, changes } = differenceWords(committed, now);
    return words === ''
      ? [head]
      : [head, ...changesTable(words, changes, ['Made now', 'Committed'])];
  });
}
