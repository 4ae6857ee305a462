/** Plans that wait for approval: list, show, offer the record to sign, and save a signed one. Every
 * check is that of `approve` and `decline`, which run as commands; the server signs nothing.
 */
import { checkOffer, offeredPasskeys, type Offer } from '../../../engine/approval/offer.ts';
import { assertionOf } from '../../../engine/approval/passkey/assertion.ts';
import { recordIn } from '../../../engine/approval/record.ts';
import { choice, list, optional, record, text, truth } from '../../../exchange/api/schema.ts';
import { fieldOf } from '../../../base/json.ts';
import { plainText } from '../../../base/text.ts';
import { printedBy } from '../approvals/command.ts';
import { planRow } from '../approvals/plan-row.ts';
import { planView, planViewOf } from '../approvals/plan-view.ts';
import { deskNamed, type ServerContext } from '../context.ts';
import type { Desk } from '../desk.ts';
import { Refusal } from '../failure.ts';
import { exactRecord, noFields, parameter, reads, writes } from '../route.ts';

const which = {
  plan: text({ description: 'The plan', pattern: '^p-[0-9a-f]{8}$', maxLength: 10 }),
  desk: optional(parameter('The desk, if there are several', 80)),
};
const verdict = choice(['approve', 'decline']);
const comment = optional(text({ description: 'Reason; part of the record', maxLength: 500 }));

export const plans = reads({
  title:
    'List plans of accounts that require approvals, saved or made by workers, the newest first',
  role: 'viewer',
  parameters: noFields,
  answer: record({ plans: list(planRow) }),
  handle: async (_request, { desks, clock }) => {
    const rows = await Promise.all(desks.map((desk) => desk.plans.rows(clock.now())));
    return { plans: rows.flat().toSorted((a, b) => b.observedAt - a.observedAt) };
  },
});

export const plan = reads({
  title: 'Show a plan, computed again from its playbook, and what was signed',
  role: 'viewer',
  parameters: exactRecord(which),
  answer: planView,
  handle: async ({ parameters }, server) => {
    const desk = deskNamed(server, parameters.desk);
    return planViewOf(desk, await offerOf('approve', parameters.plan, [], desk, server));
  },
});

export const planRecord = reads({
  title: 'Offer the record of a decision: a passkey signs the SHA-256 of its text',
  role: 'approver',
  parameters: exactRecord({ ...which, verdict, comment }),
  answer: record({
    record: text({ description: 'The text to sign, with the digest of the plan' }),
    challenge: text({ description: 'SHA-256 of the text, base64url' }),
    passkeys: offeredPasskeys,
  }),
  handle: async ({ parameters }, server) => {
    const { verdict: said, plan: id, comment: why } = parameters;
    const desk = deskNamed(server, parameters.desk);
    const flags = why === undefined || why === '' ? [] : [`--comment=${why}`];
    const offer = await offerOf(said, id, flags, desk, server);
    return { record: offer.record, challenge: offer.challenge, passkeys: offer.passkeys };
  },
});

/** In base64url, as the browser has them. */
const assertion = exactRecord({
  id: text({ maxLength: 1_500 }),
  authenticatorData: text({ maxLength: 6_000 }),
  clientDataJSON: text({ maxLength: 6_000 }),
  signature: text({ maxLength: 1_500 }),
});

export const signPlan = writes({
  title: 'Save a record that a passkey signed, if it counts',
  role: 'approver',
  parameters: exactRecord(which),
  body: exactRecord({
    record: text({ maxLength: 20_000 }),
    assertion,
    confirm: optional(
      text({ description: 'The profile of a live account, typed', maxLength: 100 }),
    ),
  }),
  answer: record({ verdict, who: text(), key: text(), files: list(text()), isSaved: truth }),
  audited: ({ parameters: { plan: id }, body }) => {
    const said = recordIn(body.record)?.verdict;
    return `${said ?? 'sign'} ${id}`;
  },
  handle: async ({ parameters, body }, server) => {
    const desk = deskNamed(server, parameters.desk);
    const signature = assertionOf(body.assertion);
    const said = recordIn(body.record);
    if (signature === undefined || said === undefined) {
      throw new Refusal(400, 'usage', 'this is not a record with the signature of a passkey');
    }
    const { profile, target } = said.account;
    if (said.verdict === 'approve' && target === 'live' && body.confirm !== profile) {
      throw new Refusal(
        409,
        'confirm',
        `this approves orders of the live account ${plainText(profile, 60)}`,
        'type the name of the account',
      );
    }
    const words = [said.verdict, '--record', '-', '-o', 'json', '--', parameters.plan];
    const signed = `${body.record}${signature.armoured}`;
    const printed = await printedBy(server.actions, desk, words, signed);
    const files = fieldOf(printed, 'files');
    return {
      verdict: said.verdict,
      who: textIn(printed, 'who'),
      key: textIn(printed, 'key'),
      files: Array.isArray(files) ? files.map((file) => plainText(String(file), 300)) : [],
      isSaved: true,
    };
  },
});

function textIn(printed: unknown, name: string): string {
  const value = fieldOf(printed, name);
  return typeof value === 'string' ? plainText(value, 300) : '';
}

async function offerOf(
  said: 'approve' | 'decline',
  id: string,
  flags: readonly string[],
  desk: Desk,
  { actions }: ServerContext,
): Promise<Offer> {
  const words = [said, '--unsigned', '-o', 'json', ...flags, '--', id];
  const printed = await printedBy(actions, desk, words);
  checkOffer(printed);
  return printed;
}
