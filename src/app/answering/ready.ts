/** Whether people could answer the questions of a run, before it starts. */
import { ApprovalError } from '../../engine/approval/approval-error.ts';
import type { AppContext } from '../app-context.ts';
import type { Config } from '../config/load.ts';
import type { Prepared } from '../planning/make-plan.ts';
import { conditionsFor } from './checked-answers.ts';
import { questionRules } from './answer-rules.ts';

/**
 * Refuses a run with a step that asks for an approval which could never count.
 * @throws ConfigError without signers; ApprovalError when the authors cannot be known
 */
export async function refuseUnanswerable(
  { plan, playbook, runId: run }: Prepared,
  config: Config,
  context: AppContext,
): Promise<void> {
  for (const rules of questionRules(plan, config)) {
    const asking = { run, playbook, authors: plan.authors };
    const { authors } = await conditionsFor(asking, rules, context);
    if (rules.by !== 'other' || authors.length > 0) continue;
    throw new ApprovalError(
      `the author of ${playbook.file} is not known, so no approver is known to be another person`,
      'commit the playbook, or set user.email in Git',
    );
  }
}
