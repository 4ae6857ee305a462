/** Resumes a run under the approvals of its plan: the record of the run alone is not trusted. */
import { isDeepStrictEqual } from 'node:util';
import { profileNamed, type Config } from '../config/load.ts';
import { isRecord, type Json } from '../../base/json.ts';
import { plainText } from '../../base/text.ts';
import type { Approval, Entry } from '../../engine/journal/entry.ts';
import { mayHaveSent } from '../../engine/journal/possible.ts';
import { replay } from '../../engine/journal/replay.ts';
import { isWrite } from '../../engine/plan/effect.ts';
import { mayStillAct } from '../../engine/plan/left.ts';
import { moveInitially, type Difference } from '../../engine/plan/moved.ts';
import type { Plan, PlannedAction } from '../../engine/plan/plan.ts';
import { recordDifferences } from '../../engine/plan/reread.ts';
import type { AppContext } from '../app-context.ts';
import { planNamed } from '../planning/plan-named.ts';
import { ApprovalError, RecordError } from '../../engine/approval/approval-error.ts';
import { committedPlans } from './committed.ts';
import { rulesFor } from './asked.ts';
import { approvalsOf } from './signed.ts';
import { recordedPlaybook } from '../../engine/journal/recorded-playbook.ts';
import { destinationsOf } from '../../engine/journal/account.ts';

type Started = Extract<Entry, { readonly kind: 'started' }>;

/** Gives a plan, which is read only when it is needed. */
export type PlanSource = () => Plan | Promise<Plan>;

export interface GoingOn {
  readonly started: Started;
  readonly entries: readonly Entry[];
  /** The plan, recomputed from the journal. */
  readonly plan: Plan;
  /** Gives the plan that the run was started from. Default: the saved plan. */
  readonly source?: PlanSource | undefined;
  /** Compares a plan with the current state of the exchange. @throws StalePlanError */
  readonly refuseMoved: (reviewed: Plan) => Promise<void>;
  /** Plans the rest of the run, and repeats its reads. */
  readonly readAgain: () => Promise<Plan>;
}

/**
 * The rest of a run is sent only as its plan says and with valid approvals of this checkout,
 * because anyone who can push the state could have invented the record. A run that sent nothing yet
 * obeys the expiry and the market limits of its plan.
 * @throws ApprovalError when the plan is missing, contradicts the record, or is not approved;
 * StalePlanError
 */
export async function approvalsAgain(
  { started, entries, plan, source, refuseMoved, readAgain }: GoingOn,
  config: Config,
  context: AppContext,
): Promise<readonly Approval[] | undefined> {
  if (!mayStillAct(plan, replay(entries))) return undefined;
  const { run, plan: id } = started;
  const hasSent = mayHaveSent(entries);
  const [first] = rulesFor(destinationsOf(started), config);
  if (first === undefined) {
    const saved =
      hasSent || id === undefined ? undefined : await savedPlan(id, source, config, context);
    if (saved === undefined) return undefined;
    if (saved.run !== run) throw differs(run, saved.id, 'its run');
    await refuseMoved(saved);
    return undefined;
  }
  if (id === undefined) {
    throw new ApprovalError(
      `run ${run} was started without a plan, and profile ${first.profile} requires approvals`,
      'make a plan of the remaining steps and get it approved',
    );
  }
  const reviewed = await planOf(started, id, source, config, context);
  refuseUnlike(started, reviewed);
  refuseOtherWrites(run, plan, reviewed);
  if (!hasSent) await refuseMoved(reviewed);
  const approvals = await approvalsOf(reviewed, config, context);
  if (config.state.store !== 'local') {
    const { move = moveInitially } = profileNamed(config, started.destination.profile).plans;
    refuseRecorded(run, recordDifferences(plan, await readAgain(), replay(entries), move));
  }
  return approvals;
}

/**
 * Other machines write the record: its reads count only if repeating them leads to the same writes.
 * @throws ApprovalError
 */
function refuseRecorded(run: string, [first]: readonly Difference[]): void {
  if (first === undefined) return;
  const { what, was, is } = first;
  throw new RecordError(
    `what run ${run} recorded cannot be confirmed: ${plainText(`${what} was ${was} and is ${is}`, 300)}; nothing was sent`,
    `see what it sent with \`deskhand runs show ${run} --requests\`, leave it with \`deskhand runs set-aside ${run} --reason WHY\`, and get a plan of the rest approved`,
  );
}

/** @throws ApprovalError when the plan is not here, or more than one */
async function planOf(
  { run }: Started,
  id: string,
  source: PlanSource | undefined,
  config: Config,
  context: AppContext,
): Promise<Plan> {
  const saved = await savedPlan(id, source, config, context);
  if (saved !== undefined) return saved;
  const [plan, ...others] = await committedPlans(id, context);
  if (plan !== undefined && others.length === 0) return plan;
  const what = plan === undefined ? 'is not here' : 'was found with different contents';
  throw new ApprovalError(
    `plan ${plainText(id, 40)} of run ${run} ${what}, and its approvals are valid only for that plan`,
    `name its file: deskhand resume ${run} --plan FILE`,
  );
}

/** The plan that the caller gave, or the one saved next to the runs. */
async function savedPlan(
  id: string,
  source: PlanSource | undefined,
  config: Config,
  context: AppContext,
): Promise<Plan | undefined> {
  if (source !== undefined) return source();
  return planNamed(id, config, context).catch(() => undefined);
}

/** @throws ApprovalError naming the difference between the record of the run and the plan */
function refuseUnlike(started: Started, plan: Plan): void {
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['plan', started.plan, plan.id],
    ['run', started.run, plan.run],
    ['playbook', started.playbook, recordedPlaybook(plan.playbook)],
    ['account', started.destination, plan.destination],
    ['other accounts', started.accounts ?? [], plan.accounts ?? []],
    ['inputs', started.inputs, plan.inputs],
    ['time', started.time, plan.observedAt],
    ['scheduled time', started.scheduledFor, plan.scheduledFor],
    ['values that were read', started.reads ?? [], plan.reads],
    ['reused steps', started.reused, plan.reused],
  ];
  const other = pairs.find(([, was, is]) => !isDeepStrictEqual(was, is));
  if (other === undefined) return;
  throw differs(started.run, plan.id, `its ${other[0]}`);
}

/**
 * Refuses a write that differs from the plan, except in values that only the run reads: those are not in the
 * plan.
 */
function refuseOtherWrites(run: string, now: Plan, reviewed: Plan): void {
  const known = new Map<string, PlannedAction>();
  const isNaming = namesAccounts(reviewed);
  const later = new Set<string>();
  for (const { id, actions } of reviewed.steps) {
    for (const action of actions) {
      known.set(action.address, action);
      if (action.change.kind === 'later') later.add(id);
    }
  }
  for (const { id, actions } of now.steps.filter(isWrite)) {
    for (const { address, change, input, operation, account } of actions) {
      if (change.kind !== 'create' && change.kind !== 'set') continue;
      const was = known.get(address);
      if (was === undefined ? later.has(id) : was.change.kind === 'later') continue;
      const isThere = was?.account === account || (!isNaming && was?.account === undefined);
      const isSame = was?.operation === operation && isThere && fits(was?.input, input);
      if (!isSame) throw differs(run, reviewed.id, address);
    }
  }
}

/**
 * Whether a plan names its accounts. Plans of earlier versions name no account below a nested playbook, and
 * never that of the run.
 */
function namesAccounts({ accounts = [], steps }: Plan): boolean {
  if (accounts.length === 0) return true;
  const calls = steps.flatMap(({ actions }) => actions).filter(({ operation }) => operation);
  return calls.every(({ account }) => account !== undefined);
}

/** Whether a request equals the reviewed one, except for values that were not known at the review. */
function fits(was: Json | undefined, is: Json): boolean {
  if (!isRecord(was) || !isRecord(is)) return isDeepStrictEqual(was, is);
  const fields = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...fields].every((field) => {
    const value = was[field];
    const isLater = isRecord(value) && Object.hasOwn(value, 'known-after');
    return isLater || isDeepStrictEqual(value, is[field]);
  });
}

function differs(run: string, plan: string, what: string): ApprovalError {
  return new ApprovalError(
    `${plainText(what, 120)} in the journal of run ${run} differs from plan ${plan}`,
    'find out who changed the journal; only the plan is approved',
  );
}
