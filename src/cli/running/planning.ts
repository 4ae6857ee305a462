/** From a playbook to a plan on an open account. */
import type { Millis } from '../../base/clock.ts';
import type { Json } from '../../base/json.ts';
import { randomId } from '../../base/random.ts';
import type { Entry } from '../../journal/entry.ts';
import { readLedger } from '../../journal/ledger.ts';
import { readVisibilities } from '../../journal/visibility.ts';
import type { Account } from '../../plan/account.ts';
import type { Plan } from '../../plan/plan.ts';
import { makePlan } from '../../plan/planner.ts';
import { UnfitError } from '../../plan/problems.ts';
import { rulesOf } from '../../plan/rules.ts';
import { toJson, type Value } from '../../playbook/expression/value.ts';
import type { GuardRules } from '../../playbook/limits.ts';
import type { Playbook } from '../../playbook/playbook.ts';
import type { Context } from '../context.ts';
import { authorsOf, commitHere, personHere } from '../git.ts';
import { inputsOf, toldInPlace } from '../given/playbooks.ts';
import { plannedRunId } from './run-id.ts';
import type { Work } from './work.ts';

/** Everything that was decided before the first write. */
export interface Prepared {
  readonly playbook: Playbook;
  readonly inputs: Readonly<Record<string, Value>>;
  readonly plan: Plan;
  readonly guards: GuardRules;
  /** Accounts of other profiles that steps name. */
  readonly accounts: readonly Account[];
  readonly runId: string;
}

export interface PlanningJob {
  readonly playbook: Playbook;
  readonly given: ReadonlyMap<string, Json>;
  readonly session: Work;
  readonly stateDir: string;
  readonly isOffline: boolean;
  /** The time of the plan that is made again, or of the run that is resumed. */
  readonly time?: Millis;
  /** The plan that is made again: its writes are looked for. */
  readonly again?: Plan;
  /** The run that is resumed. */
  readonly runId?: string;
  /**
   * Entries of the run that is resumed. Doubts are settled whatever has changed since: orders are
   * held against the terms before each send.
   */
  readonly earlier?: readonly Entry[];
  /** How long the plan may be run, when a person said so. */
  readonly lasts?: Millis;
  /** The time of its schedule it is for. */
  readonly scheduledFor?: Millis;
  readonly signal: AbortSignal;
}

const nonceLength = 16; // 80 bits

/** @throws InvalidError for inputs that cannot be used */
export async function prepare(job: PlanningJob, context: Context): Promise<Prepared> {
  const { playbook, given, session, stateDir, isOffline, scheduledFor, signal } = job;
  const { exchange, destination, profile, terms } = session;
  const observedAt =
    job.time ?? (isOffline ? context.clock.now() : await exchange.serverTime(signal));
  const inputs = inputsOf(playbook, given, { time: observedAt, scheduledFor }, context);
  const guards = rulesOf(playbook, inputs, profile.guards);
  const ledger = await readLedger(stateDir, playbook.name);
  const { name, file, digest, text } = playbook;
  const named = { name, file, digest, text };
  const nonce = job.again?.nonce ?? randomId(nonceLength);
  const planned = { playbook: named, destination, inputs: toJson(inputs), observedAt, nonce };
  const runId = job.runId ?? plannedRunId(planned);
  const lasts = job.lasts ?? profile.plans.lasts;
  const making = makePlan({
    playbook,
    inputs,
    destination,
    exchange,
    ...(terms && !job.earlier && { terms }),
    ledger,
    ...(job.earlier && { earlier: job.earlier }),
    learned: (accounts) => readVisibilities(stateDir, accounts),
    guards,
    isOffline,
    observedAt,
    scheduledFor,
    run: runId,
    nonce,
    ...(await originOf(job, context)),
    ...(lasts !== undefined && { lasts }),
    ...(job.again && { madeAt: job.again.observedAt }),
    signal,
    open: (name) => session.open(name),
    programs: profile.programs,
  });
  const plan = await making.catch((error: unknown) => {
    throw error instanceof UnfitError ? toldInPlace(error.problems, playbook, context) : error;
  });
  const accounts = await Promise.all(
    (plan.accounts ?? []).map((other) => session.open(other.profile)),
  );
  return { playbook, inputs, plan, guards, accounts, runId };
}

/** Who wrote the playbook and makes the plan, and at which commit, for those who approve it. */
async function originOf(
  { playbook, session, again, isOffline, earlier }: PlanningJob,
  { terminal: { env } }: Context,
): Promise<{ readonly origin?: Pick<Plan, 'authors' | 'commit'> }> {
  if (again !== undefined) return { origin: again };
  // Offline nothing is started; a run that goes on has its plan behind it.
  if (isOffline || earlier) return {};
  const files = [playbook.file, ...playbook.includes.map(({ file }) => file)];
  const [written, made, commit] = await Promise.all([
    authorsOf(files, session.profile.approval?.signers, env),
    personHere(env),
    commitHere(env),
  ]);
  const authors = [...new Set([...written, ...made])].sort();
  return { origin: { authors, ...(commit !== undefined && { commit }) } };
}
