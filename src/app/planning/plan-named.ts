/** Plans by id: saved in the state folder, or made through the queue and stored in the database. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/load.ts';
import { planIn, readPlan } from '../../engine/plan/file.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { isDatabase } from '../../stores/settings.ts';
import { StalePlanError } from '../../engine/plan/stale.ts';
import { ApprovalError } from '../../engine/approval/approval-error.ts';
import type { AppContext } from '../app-context.ts';
import { openJobs } from '../store/jobs.ts';
import { untilAnswered } from '../store/patience.ts';

/** The form of a plan’s id, which is part of file names. */
export const idForm = /^p-[0-9a-f]{8}$/;

/** Whether an argument is the id of a plan, and not a file. */
export function isPlanId(word: string): boolean {
  return idForm.test(word) && !existsSync(word);
}

/** @throws ApprovalError when there is none; StalePlanError when it was changed; StoreError */
export async function planNamed(id: string, config: Config, context: AppContext): Promise<Plan> {
  const found = (await planHere(id, config)) ?? (await sharedPlan(id, config, context));
  if (found !== undefined) return found;
  throw new ApprovalError(
    `plan not found: ${JSON.stringify(id)}`,
    'make one with `deskhand plan FILE`',
  );
}

/** The plan with an id that is saved in the state folder. @throws StalePlanError when it was changed */
export async function planHere(id: string, { stateDir }: Config): Promise<Plan | undefined> {
  const path = join(stateDir, 'plans', `${id}.json`);
  return idForm.test(id) && existsSync(path) ? readPlan(path) : undefined;
}

async function sharedPlan(
  id: string,
  config: Config,
  context: AppContext,
): Promise<Plan | undefined> {
  if (!idForm.test(id) || !isDatabase(config.state)) return undefined;
  const jobs = await openJobs(config, context);
  try {
    const text = await untilAnswered(() => jobs.plans.find(id), context);
    const plan = text === undefined ? undefined : planIn(Buffer.from(text), id);
    if (plan === undefined || plan.id === id) return plan;
    throw new StalePlanError(`the database has another plan under the id ${id}`);
  } finally {
    await jobs.close();
  }
}
