/** A plan recomputed by its approver, from its playbook, its inputs and the values it read. */
import { isRecord, plainJson } from '../../base/json.ts';
import { itemsMaxOf, profileNamed, type Config } from '../config/load.ts';
import { plainText } from '../../base/text.ts';
import { idKey, isEmbedded, placeOf } from '../../engine/journal/account.ts';
import type { Destination } from '../../engine/journal/entry.ts';
import { recomputed } from '../../engine/plan/again.ts';
import type { OpenAccount } from '../../engine/plan/account.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { makePlan } from '../../engine/plan/planner.ts';
import { refuseUnending, StalePlanError } from '../../engine/plan/stale.ts';
import { slotOf, slotRunId } from '../schedule/slot.ts';
import type { AppContext } from '../app-context.ts';
import { refuseOtherTexts } from '../machine/checkout.ts';
import { chosenAsIn } from '../planning/chosen.ts';
import { proved } from '../planning/playbooks.ts';
import { planningOf, reportingProblems } from '../planning/make-plan.ts';
import { refuseDifferent } from '../planning/reviewed.ts';
import { plannedRunId } from '../running/run-id.ts';
import { openWork, type Work } from '../accounts/work.ts';

/**
 * Computes a plan again without requests: lines, effects, totals and limits. The values it read, its mark
 * prices, and the evidence that nothing is to be done are taken from the plan; the run checks those against
 * the exchange.
 * @throws StalePlanError when the plan differs from the result
 */
export async function computedPlan(
  reviewed: Plan,
  config: Config,
  context: AppContext,
): Promise<Plan> {
  const { id, digest, expiresAt, destination, observedAt, scheduledFor } = reviewed;
  const profile = profileNamed(config, destination.profile);
  refuseUnending(reviewed, profile.plans.lasts);
  refuseOtherTexts(reviewed, context, { mayBeMissing: true });
  const itemsMax = itemsMaxOf(config, profile.name);
  const whole = proved(reviewed.playbook, context, { itemsMax });
  const playbook = chosenAsIn(reviewed, whole);
  const session = await openWork(context, config, profile, {
    needsKey: false,
    isOffline: true,
  });
  const inputs = isRecord(reviewed.inputs) ? Object.entries(reviewed.inputs) : [];
  const slot = scheduledFor === undefined ? undefined : slotOf(scheduledFor, playbook, whole);
  const job = {
    playbook,
    args: new Map(inputs.map(([name, value]) => [name, plainJson(value)])),
    session: standIn(reviewed, session),
    isOffline: false,
    isElsewhere: true as const,
    time: observedAt,
    again: reviewed,
    ...(reviewed.reused && { reused: reviewed.reused }), // the run compares it with the journal
    runId: slot ? slotRunId(destination, playbook.name, slot) : plannedRunId(reviewed),
    ...(scheduledFor !== undefined && { scheduledFor }),
    signal: new AbortController().signal,
  };
  const planning = await planningOf(job, context);
  const making = recomputed(reviewed, (from) => makePlan({ ...planning, ...from }));
  const { plan, moved, unlike } = await reportingProblems(making, job, context);
  refuseDifferent(id, moved, 'differs from the plan that its playbook gives', context);
  refuseDifferent(id, unlike, 'differs from the plan that its playbook gives', context);
  // Only the planning machine may know the runs beside this one.
  const unfinished = reviewed.unfinished ?? plan.unfinished;
  const doubts = reviewed.doubts ?? plan.doubts;
  const beside = { ...(unfinished && { unfinished }), ...(doubts && { doubts }) };
  return { ...plan, ...beside, id, digest, expiresAt };
}

/** Profiles without their keys: the run checks which key a plan is for. */
function standIn(reviewed: Plan, session: Work): Work {
  const open: OpenAccount = async (name) => {
    const account = await session.open(name);
    const destination = reviewed.accounts?.find(({ profile }) => profile === name);
    if (destination === undefined) return account; // is reported as a difference
    return { ...account, destination: sameAs(reviewed, destination, account.destination) };
  };
  const destination = sameAs(reviewed, reviewed.destination, session.destination);
  return { ...session, destination, open };
}

/** @throws StalePlanError when the profile leads to another account here */
function sameAs({ id }: Plan, planned: Destination, here: Destination): Destination {
  const [kind, host] = placeOf(planned);
  const [kindHere, hostHere] = placeOf(here);
  const isThere =
    kind === kindHere && (host === hostHere || (isEmbedded(planned) && isEmbedded(here)));
  const named = (of: Destination): string => idKey(of.accountId ?? '');
  if (isThere && named(planned) === named(here)) return planned;
  const of = isThere ? idOf(planned) : planned.host;
  const at = isThere ? idOf(here) : here.host;
  throw new StalePlanError(
    `plan ${id} is for ${of}, and profile ${here.profile} leads to ${at} here`,
  );
}

function idOf({ accountId }: Destination): string {
  return accountId === undefined ? 'no account-id' : `account-id ${plainText(accountId, 80)}`;
}
