/** The plan files that a branch commits: people sign them, and the merge runs them. */
import { DeskhandError } from '../../base/error.ts';
import { redactor } from '../../base/secret.ts';
import type { Config } from '../config/load.ts';
import { holdsPlan, planIn } from '../../engine/plan/file.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import type { CommittedPlan } from '../../report/committed-plan.ts';
import { askedFor } from './asked.ts';
import { changedFiles, committedBytes } from '../machine/git.ts';
import { GitError } from '../../stores/git/command.ts';
import { StoppedError } from '../machine/interrupt.ts';
import { refuseUnrunnable } from '../running/run.ts';
import type { AppContext } from '../app-context.ts';
import { statusOf } from './status.ts';

/** A committed plan file of the branch. */
export interface CommittedFile {
  readonly file: string;
  readonly plan?: Plan;
  /** The reason why the file cannot be read. */
  readonly trouble?: string;
}

/** The plan files that the branch adds or changes since a ref, by name. */
export async function plansSince(
  ref: string,
  { env, folder }: AppContext,
): Promise<readonly CommittedFile[]> {
  const place = { env, ...(folder !== undefined && { folder }) };
  const answer = await changedFiles(ref, place);
  const changed = answer instanceof GitError ? [] : answer; // the playbooks of the branch were found before
  const found: CommittedFile[] = [];
  for (const file of changed.filter((name) => name.endsWith('.json'))) {
    const bytes = await committedBytes(file, place);
    if (bytes === undefined || !holdsPlan(bytes)) continue;
    try {
      found.push({ file, plan: planIn(bytes, file) });
    } catch (error) {
      found.push({ file, trouble: expected(error).message });
    }
  }
  return found;
}

/**
 * A committed plan with what a person needs to know of it, so that it can be shown next to a plan made now.
 */
export async function committedPlan(
  { file, plan, trouble }: CommittedFile,
  { isChecked }: { readonly isChecked: boolean },
  config: Config,
  context: AppContext,
): Promise<CommittedPlan> {
  if (plan === undefined) {
    const refusal = trouble ?? 'it is not a plan';
    return { file, playbook: '', required: [], isChecked, refusal };
  }
  const required = [];
  for (const asked of askedFor(plan, config)) {
    required.push(await statusOf(plan, asked, config, context));
  }
  const refusal = required.find((each) => each.trouble !== undefined)?.trouble;
  const because = refusal ?? (isChecked ? await refusalOf(plan, config, context) : undefined);
  const about = { file, playbook: plan.playbook.file, plan, required, isChecked };
  return because === undefined ? about : { ...about, refusal: because };
}

async function refusalOf(
  plan: Plan,
  config: Config,
  context: AppContext,
): Promise<string | undefined> {
  try {
    await refuseUnrunnable(plan, config, context);
    return undefined;
  } catch (error) {
    return redactor(context.secrets)(expected(error).message);
  }
}

/**
 * Returns the error if it is about the plan.
 * @throws any other error
 */
function expected(error: unknown): DeskhandError {
  if (error instanceof StoppedError) throw error;
  if (error instanceof DeskhandError && error.actor !== 'ours') return error;
  throw error;
}
