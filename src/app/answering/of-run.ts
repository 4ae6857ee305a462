/** The answers of a run: who may give them follows from its playbook, and from who started it. */
import { usedBy } from '../../engine/interpreter/interpret.ts';
import type { Answers } from '../../engine/effects/people.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { isApproval } from '../../language/approvals.ts';
import type { Playbook } from '../../language/playbook.ts';
import type { AppContext } from '../app-context.ts';
import type { RunningJob } from '../running/running.ts';
import { signedAnswers } from './signed-answers.ts';

/** @param earlier entries of the run when it is resumed */
export function answersFor(
  { prepared, session }: Pick<RunningJob, 'prepared' | 'session'>,
  [started]: readonly Entry[],
  context: AppContext,
): Answers {
  const { playbook, plan, runId: run } = prepared;
  const begun = started?.kind === 'started' ? started : undefined;
  const asking = begun ?? { run, playbook, authors: plan.authors };
  return signedAnswers(asking, session.profile, session.config, context);
}

/** The authors of a run that asks for approvals, for the machines that continue it. */
export function authorsIfAsked(
  playbook: Playbook,
  { authors }: Pick<Plan, 'authors'>,
): { readonly authors?: readonly string[] } {
  return asks(playbook) ? { authors } : {};
}

/** Whether a step of a playbook, or of one that it uses, asks for an approval. */
export function asks(playbook: Playbook): boolean {
  return usedBy(playbook).some(({ steps }) => steps.some(isApproval));
}
