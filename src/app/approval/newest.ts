/** The newest approved plan of a playbook among the records of its profiles. */
import { checkApprovals, namesOf } from '../../engine/approval/check.ts';
import { everyRecord, type SignedFile } from '../../engine/approval/record.ts';
import type { Config } from '../config/load.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import type { Approved } from '../../report/plan-changes.ts';
import type { AppContext } from '../app-context.ts';
import { planHere } from '../planning/plan-named.ts';
import { committedPlans } from './committed.ts';
import type { Asked } from './asked.ts';
import { recordsFolder } from './signed.ts';

const looksMax = 20; // records, newest first

/** The newest approved plan; undefined when no record in the folders of these profiles proves one. */
export async function newestApproved(
  plan: Plan,
  everyAsked: readonly Asked[],
  config: Config,
  context: AppContext,
): Promise<Approved | undefined> {
  for (const asked of everyAsked) {
    const records = await everyRecord(recordsFolder(asked.rules, config));
    const others = records
      .filter(({ record }) => record?.verdict === 'approve' && record.plan !== plan.id)
      .filter(({ record }) => record?.playbook === plan.playbook.name)
      .toSorted((a, b) => (b.record?.at ?? 0) - (a.record?.at ?? 0));
    for (const signed of others.slice(0, looksMax)) {
      const found = await approvedBy(signed, asked, config, context);
      if (found?.plan.destination.profile === plan.destination.profile) return found;
    }
  }
  return undefined;
}

/** A record that was valid when it was signed, with its plan. */
async function approvedBy(
  signed: SignedFile,
  { rules }: Asked,
  config: Config,
  { env, folder }: AppContext,
): Promise<Approved | undefined> {
  const { record } = signed;
  const place = { env, ...(folder !== undefined && { folder }) };
  if (record === undefined) return undefined;
  const saved = await planHere(record.plan, config).catch(() => undefined);
  const plans = saved ? [saved] : await committedPlans(record.plan, place);
  const plan = plans.find(({ digest }) => digest === record.digest);
  if (plan === undefined) return undefined;
  const conditions = { rules, authors: [], now: record.at, env };
  const { approved } = await checkApprovals(plan, [signed], conditions);
  return approved[0] && { plan, who: namesOf(approved[0]), at: record.at };
}
