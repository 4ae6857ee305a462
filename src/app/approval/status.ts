/** The approvals that a profile requires for a plan, and those that the plan has so far. */
import { checkApprovals, namesOf, type Signer } from '../../engine/approval/check.ts';
import type { Requirement } from '../../engine/approval/offer.ts';
import { DeskhandError } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import type { Config } from '../config/load.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import type { AppContext } from '../app-context.ts';
import type { Asked } from './asked.ts';
import { comparedWith, conditionsOf, recordsAbout } from './signed.ts';

export async function statusOf(
  plan: Plan,
  { profile, rules }: Asked,
  config: Config,
  context: AppContext,
): Promise<Requirement> {
  const { by, count, of } = rules;
  const start = { profile, by, count, ...(of && { of }) };
  try {
    const records = await recordsAbout(plan.id, rules, config, context);
    const others = await comparedWith(records, rules, config);
    const conditions = await conditionsOf(plan, rules, context);
    const found = await checkApprovals(plan, records, { ...conditions, others });
    const { approved, declined, passed, broken, noted } = found;
    const notes = [...broken, ...passed, ...noted];
    return {
      ...start,
      approved: approved.map(decided),
      declined: declined.map(decided),
      notes: notes.map(({ file, why }) => plainText(`${file}: ${why}`, 500)),
      ...(broken.length > 0 && { trouble: 'a record cannot be trusted, so the plan cannot run' }),
    };
  } catch (error) {
    if (!(error instanceof DeskhandError) || error.actor === 'ours') throw error;
    return { ...start, approved: [], declined: [], notes: [], trouble: error.message };
  }
}

function decided(signer: Signer): Requirement['approved'][number] {
  const { key, at, comment } = signer;
  return { who: namesOf(signer), key, at, ...(comment !== undefined && { comment }) };
}
