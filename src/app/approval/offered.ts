/** The offer of a plan to a person who reviews and signs it elsewhere, with the existing signatures. */
import type { Offer } from '../../engine/approval/offer.ts';
import { challengeOf } from '../../engine/approval/passkey/signature.ts';
import { readPeople } from '../../engine/approval/people.ts';
import { bodyOf } from '../../engine/approval/record.ts';
import { sinceApproved } from '../../report/plan-changes.ts';
import type { AppContext } from '../app-context.ts';
import { recordFor, type Decision } from './decision.ts';
import { approvedLast } from './last.ts';
import { statusOf } from './status.ts';

/** Makes the offer of a plan; it signs and saves nothing. @param comment part of the record */
export async function offerOf(
  decision: Decision,
  comment: string | undefined,
  context: AppContext,
): Promise<Offer> {
  const { plan, asked, config } = decision;
  const record = bodyOf(recordFor(decision, comment, context.clock.now()));
  const people = await Promise.all(asked.map(({ rules }) => readPeople(rules)));
  const passkeys = people.flatMap(({ passkeys: some = [] }) =>
    some.map(({ who, id, rpId, origins }) => ({ who, id, rpId, origins })),
  );
  return {
    version: 1,
    record,
    challenge: challengeOf(record),
    passkeys: [...new Map(passkeys.map((each) => [each.id, each])).values()],
    plan,
    ...sinceApproved(plan, await approvedLast(plan, config, context)),
    required: await Promise.all(asked.map((each) => statusOf(plan, each, config, context))),
  };
}
