/** Routes of plans that wait for approval: list, show, offer the record to sign, and save a signed
 * one. Every check is that of `approve` and `decline`; the server signs nothing.
 */
import { offeredPasskeys, type Offer } from '../../../engine/approval/offer.ts';
import { assertionOf } from '../../../engine/approval/passkey/assertion.ts';
import { recordIn } from '../../../engine/approval/record.ts';
import {
  choice,
  integer,
  list,
  optional,
  record,
  text,
  truth,
} from '../../../exchange/api/schema.ts';
import { plainText } from '../../../base/text.ts';
import { askedFor } from '../../../app/approval/asked.ts';
import { realWords } from '../../../app/approval/real-words.ts';
import type { Destination } from '../../../engine/journal/entry.ts';
import { computedPlan } from '../../../app/approval/computed.ts';
import { decisionOn, refuseUnsignable, type Decision } from '../../../app/approval/decision.ts';
import { signedElsewhere } from '../../../app/approval/elsewhere.ts';
import { offerOf } from '../../../app/approval/offered.ts';
import { saveDecision } from '../../../app/approval/save.ts';
import { configOf } from '../../../app/config/opened.ts';
import type { AppContext } from '../../../app/app-context.ts';
import { planNamed } from '../../../app/planning/plan-named.ts';
import { planRow } from '../approvals/plan-row.ts';
import { planView, planViewOf, type ShownPlan } from '../approvals/plan-view.ts';
import { deskNamed, type ServerContext } from '../route-context.ts';
import type { Desk } from '../desk.ts';
import { Refusal } from '../failure.ts';
import { inProcess } from '../in-process.ts';
import { exactRecord, noFields, numberParameter, parameter, reads, writes } from '../route.ts';

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
  answer: record({
    plans: list(planRow),
    older: integer({ description: 'Number of older saved plans, which are not read' }),
  }),
  handle: async (_request, { desks, clock }) => {
    const rows = await Promise.all(desks.map((desk) => desk.plans.rows(clock.now())));
    const older = desks.reduce((sum, desk) => sum + desk.plans.older(), 0);
    return { plans: rows.flat().toSorted((a, b) => b.observedAt - a.observedAt), older };
  },
});

export const plan = reads({
  title: 'Show a plan, computed again from its playbook, and what was signed',
  role: 'viewer',
  parameters: exactRecord({ ...which, page: optional(numberParameter('The page of its lines')) }),
  answer: planView,
  handle: async ({ parameters }, server) => {
    const desk = deskNamed(server, parameters.desk);
    const shown = await shownPlan(parameters.plan, desk, server);
    return planViewOf(desk, shown, Number(parameters.page ?? 1));
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
    const offer = await offered(said, id, why === '' ? undefined : why, desk, server);
    return { record: offer.record, challenge: offer.challenge, passkeys: offer.passkeys };
  },
});

/** An assertion of a passkey in base64url, as the browser returns it. */
const assertion = exactRecord({
  id: text({ maxLength: 1_500 }),
  authenticatorData: text({ maxLength: 6_000 }),
  clientDataJSON: text({ maxLength: 6_000 }),
  signature: text({ maxLength: 1_500 }),
});

/** A record with the signature of a passkey. */
export const signedBy = exactRecord({
  record: text({ maxLength: 20_000 }),
  assertion,
  confirm: optional(
    text({ description: 'The profile of a demo or live account, typed', maxLength: 100 }),
  ),
});

/** Refuses to approve for a demo or live account whose name the person did not type. @throws Refusal */
export function refuseUnconfirmed(
  {
    verdict: said,
    account,
  }: {
    readonly verdict: string;
    readonly account: Pick<Destination, 'profile' | 'target'>;
  },
  typed: string | undefined,
): void {
  if (said !== 'approve' || account.target === 'sandbox' || typed === account.profile) return;
  throw new Refusal(
    409,
    'confirm',
    `this approves orders of ${realWords({ destination: account })}`,
    'type the name of the account',
  );
}

export const signPlan = writes({
  title: 'Save a record that a passkey signed, if it counts',
  role: 'approver',
  parameters: exactRecord(which),
  body: signedBy,
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
    refuseUnconfirmed(said, body.confirm);
    const bytes = Buffer.from(`${body.record}${signature.armoured}`);
    const saved = await inProcess(desk, server, async (context) => {
      const decision = await decided(said.verdict, parameters.plan, context);
      refuseUnsignable(decision);
      return saveDecision(
        decision,
        signedElsewhere({ name: 'the record', bytes }, decision),
        context,
      );
    });
    return {
      verdict: said.verdict,
      who: plainText(saved.who, 300),
      key: plainText(saved.key, 300),
      files: saved.files.map((file) => plainText(file, 300)),
      isSaved: true,
    };
  },
});

/** A plan, computed again; one that needs no approval has nothing to sign. */
function shownPlan(id: string, desk: Desk, server: ServerContext): Promise<ShownPlan> {
  return inProcess(desk, server, async (context) => {
    const config = await configOf(context);
    const saved = await planNamed(id, config, context);
    if (askedFor(saved, config).length === 0) {
      const found = await computedPlan(saved, config, context);
      if (askedFor(found, config).length === 0) return { plan: found, passkeys: [], required: [] };
    }
    const decision = await decisionOn(saved, 'approve', undefined, config, context);
    return offerOf(decision, undefined, context);
  });
}

function offered(
  verdict: Decision['verdict'],
  id: string,
  comment: string | undefined,
  desk: Desk,
  server: ServerContext,
): Promise<Offer> {
  return inProcess(desk, server, async (context) =>
    offerOf(await decided(verdict, id, context), comment, context),
  );
}

/**
 * A decision on a plan with the current configuration: it may have changed since the server was
 * started.
 */
async function decided(
  verdict: Decision['verdict'],
  id: string,
  context: AppContext,
): Promise<Decision> {
  const config = await configOf(context);
  return decisionOn(await planNamed(id, config, context), verdict, undefined, config, context);
}
