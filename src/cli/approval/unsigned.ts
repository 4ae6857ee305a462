/** `--unsigned`: what a person reviews and signs elsewhere, and what was signed already. */
import { bodyOf, type ApprovalRecord } from '../../engine/approval/record.ts';
import type { Offer } from '../../engine/approval/offer.ts';
import { readPeople } from '../../engine/approval/people.ts';
import { challengeOf } from '../../engine/approval/passkey/verify.ts';
import { exits, type ExitCode } from '../../base/error.ts';
import { sinceApproved } from '../../report/plan-changes.ts';
import { outputOf, type Context } from '../context.ts';
import { writeJson } from '../session/documents.ts';
import type { Decision } from './decided.ts';
import { approvedLast } from './last.ts';
import { statusOf } from './status.ts';

/** Signs and saves nothing. Text is the record alone, which can be piped to a signer. */
export async function printUnsigned(
  decision: Decision,
  said: ApprovalRecord,
  context: Context,
): Promise<ExitCode> {
  const { plan, asked, config } = decision;
  const record = bodyOf(said);
  const { out } = context.terminal;
  if (outputOf(context, ['text', 'json']) === 'text' && context.globals.jsonInto === undefined) {
    out.write(record);
    return exits.done;
  }
  const people = await Promise.all(asked.map(({ rules }) => readPeople(rules)));
  const passkeys = people.flatMap(({ passkeys: some = [] }) =>
    some.map(({ who, id, rpId, origins }) => ({ who, id, rpId, origins })),
  );
  const result: Offer = {
    version: 1,
    record,
    challenge: challengeOf(record),
    passkeys: [...new Map(passkeys.map((each) => [each.id, each])).values()],
    plan,
    ...sinceApproved(plan, await approvedLast(plan, config, context)),
    required: await Promise.all(asked.map((each) => statusOf(plan, each, config, context))),
  };
  await writeJson(result, context);
  if (outputOf(context, ['text', 'json']) === 'json') out.json(result);
  else out.write(record);
  return exits.done;
}
