/** Loads a reviewed plan, verifies that it is unchanged, and compares it with the account again. */
import type { Millis } from '../../base/clock.ts';
import { sha256 } from '../../base/json.ts';
import { count, plainText, shellWord } from '../../base/text.ts';
import type { Exchange } from '../../exchange/api/exchange.ts';
import { locksIn } from '../../engine/journal/lock.ts';
import { readRun, hasBegun } from '../../engine/journal/runs.ts';
import { noteOf, noteWords } from '../../engine/journal/set-aside.ts';
import { madeAgain } from '../../engine/plan/again.ts';
import { moveInitially, type Difference } from '../../engine/plan/moved.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { makePlan, type PlanOptions } from '../../engine/plan/planner.ts';
import { refuseExpired, StalePlanError } from '../../engine/plan/stale.ts';
import type { AppContext } from '../app-context.ts';
import { refuseOtherTexts } from '../machine/checkout.ts';
import {
  planningOf,
  preparedFrom,
  reportingProblems,
  type PlanningJob,
  type Prepared,
} from './make-plan.ts';
import { errorOfContinued } from '../running/begun.ts';
import { plannedRunId } from '../running/run-id.ts';
import { reusedAgain } from './reuse.ts';
import { refuseSuperseded } from './superseded.ts';

/** @throws StalePlanError when the given file is not the playbook of the plan */
export function refuseOther({ id, playbook }: Plan, bytes: Uint8Array, path: string): void {
  if (sha256(bytes) === playbook.digest) return;
  throw new StalePlanError(`${plainText(path, 200)} is not what plan ${id} was made from`);
}

/**
 * Refuses a plan that expired during its review. A person may take any time at the prompt, and the machine
 * may be suspended, so the exchange's clock is read again.
 * @param lasts the profile's limit for the validity of a plan
 * @throws StalePlanError when the plan has expired
 */
export async function refuseOutlived(
  plan: Plan,
  exchange: Exchange,
  signal: AbortSignal,
  lasts: Millis | undefined,
): Promise<void> {
  await exchange.call('market/list-discount-rates', {}, { signal });
  // A single response is enough here, even after a suspension: at worst a valid plan is refused.
  const now = Math.max(await exchange.serverTime(signal), exchange.latestTime?.() ?? 0);
  refuseExpired(plan, now, lasts);
}

/**
 * Refuses a plan whose run was started. A planned run has one permanent id: a started run is resumed, and
 * never started again.
 * @throws StalePlanError, with what a run that is not done sent and has in doubt; JournalError when its
 * record is damaged
 */
export async function refuseUsed(stateDir: string, run: string): Promise<void> {
  if (!(await hasBegun(stateDir, run))) return;
  const note = await noteOf(stateDir, run);
  if (note !== undefined) throw new StalePlanError(`${usedAs(run)}: ${noteWords(note)}`);
  const entries = await readRun(stateDir, run);
  const last = entries.at(-1);
  if (last?.kind === 'finished' && last.status === 'done') {
    throw new StalePlanError(usedAs(run));
  }
  const begun = `this plan was already started as ${run}, but a plan runs only once`;
  if (await isRunningHere(stateDir, run)) {
    throw new StalePlanError(
      `${begun}, and a process of this machine is executing it`,
      `follow it: \`deskhand runs logs -f ${shellWord(run)}\``,
    );
  }
  const hint = `continue it: \`deskhand resume ${shellWord(run)}\``;
  throw errorOfContinued(new StalePlanError(begun, hint), entries);
}

async function isRunningHere(stateDir: string, run: string): Promise<boolean> {
  const locks = await locksIn(stateDir);
  return locks.some(({ life, record }) => life.state === 'alive' && record?.holder === run);
}

function usedAs(run: string): string {
  return `this plan already ran as ${run}, but a plan runs only once`;
}

type ReviewedJob = Omit<PlanningJob, 'time' | 'again'>;

/**
 * Recomputes a plan from its contents and compares it with the exchange now. The run of an occurrence has the
 * id of that occurrence.
 * @throws StalePlanError when it is used, expired, forged, or anything reviewed has changed
 */
export async function preparedAgain(
  reviewed: Plan,
  job: ReviewedJob,
  context: AppContext,
): Promise<Prepared> {
  const { session } = job;
  const { stateDir } = session.config;
  refuseOtherTexts(reviewed, context);
  const runId = job.runId ?? plannedRunId(reviewed);
  await refuseUsed(stateDir, runId);
  const { plan, planning, again } = await comparedNow(reviewed, { ...job, runId }, context);
  const { id, digest, expiresAt } = reviewed;
  await refuseSuperseded(reviewed, runId, { stateDir, book: session.book });
  const own = { ...plan, id, digest, expiresAt };
  const prepared = await preparedFrom(own, planning, again);
  return { ...prepared, isFrozen: true };
}

/**
 * Checks expiry and market again, for the plan of a started run that sent nothing yet.
 * @throws StalePlanError
 */
export async function refuseMoved(
  reviewed: Plan,
  job: ReviewedJob,
  context: AppContext,
): Promise<void> {
  await comparedNow(reviewed, job, context);
}

interface Compared {
  readonly plan: Plan;
  readonly planning: PlanOptions;
  readonly again: PlanningJob;
}

/**
 * Recomputes the plan and compares it with its file and with the exchange.
 * @throws StalePlanError
 */
async function comparedNow(
  reviewed: Plan,
  job: ReviewedJob,
  context: AppContext,
): Promise<Compared> {
  const { session, signal } = job;
  const { plans } = session.profile;
  const now = await session.exchange.serverTime(signal);
  refuseExpired(reviewed, now, plans.lasts);
  const reused = job.reused ?? (await reusedAgain(reviewed, job, context));
  const own = { ...job, ...(reused && { reused }) };
  const again = { ...own, time: reviewed.observedAt, again: reviewed };
  const planning = await planningOf(again, context);
  const room = { move: plans.move ?? moveInitially, now };
  const making = madeAgain(reviewed, (from) => makePlan({ ...planning, ...from }), room);
  const { plan, moved, unlike } = await reportingProblems(making, again, context);
  refuseDifferent(reviewed.id, moved, 'is stale', context);
  refuseDifferent(reviewed.id, unlike, 'differs from the plan that its playbook gives', context);
  return { plan, planning, again };
}

/** @throws StalePlanError */
export function refuseDifferent(
  id: string,
  differences: readonly Difference[],
  how: string,
  context: AppContext,
): void {
  const [first] = differences;
  if (first === undefined) return;
  if (differences.length > 1) context.note({ kind: 'differences', differences });
  const words = `${first.what} was ${plainText(first.was, 200)} and is ${plainText(first.is, 200)}`;
  const rest =
    differences.length === 1 ? '' : `, and ${count(differences.length - 1, 'more difference')}`;
  const reasons = differences.map(({ what, was, is }) => ({
    message: plainText(`${what} was ${plainText(was, 200)} and is ${plainText(is, 200)}`),
  }));
  throw new StalePlanError(`plan ${id} ${how}: ${plainText(words)}${rest}`, undefined, reasons);
}
