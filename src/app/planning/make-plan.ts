/** Opens an account and makes a plan of a playbook. */
import type { Millis } from '../../base/clock.ts';
import { ConfigError } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import { randomId } from '../../base/random.ts';
import { secretFinder } from '../../base/secret.ts';
import type { Destination, Entry } from '../../engine/journal/entry.ts';
import { allRuns, type AllRuns } from '../../engine/journal/run-list.ts';
import type { Reused } from '../../engine/journal/reused.ts';
import { readVisibilities } from '../../engine/journal/visibility.ts';
import { frozenIn } from '../../engine/plan/call.ts';
import type { Account } from '../../engine/plan/account.ts';
import { mayWrite } from '../../engine/plan/effect.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { makePlan, type PlanOptions } from '../../engine/plan/planner.ts';
import { UnfitError } from '../../engine/plan/problems.ts';
import { rulesOf } from '../../engine/plan/rules.ts';
import { toJson, type Value } from '../../language/expression/value.ts';
import type { GuardRules } from '../../language/limits.ts';
import type { Playbook } from '../../language/playbook.ts';
import { questionRules } from '../answering/answer-rules.ts';
import type { AppContext } from '../app-context.ts';
import { inputsOf, reportInPlace } from './playbooks.ts';
import { ledgersOf, ledgersToShow, refuseUnnamed } from '../accounts/identities.ts';
import { hereOf } from '../machine/here.ts';
import { plannedRunId } from '../running/run-id.ts';
import { refuseSecretInputs, refuseSecrets } from './secrets.ts';
import type { Work } from '../accounts/work.ts';

/** Everything decided before the first write. */
export interface Prepared {
  readonly playbook: Playbook;
  readonly inputs: Readonly<Record<string, Value>>;
  readonly plan: Plan;
  readonly guards: GuardRules;
  /** Accounts of other profiles used by steps. */
  readonly accounts: readonly Account[];
  /** The run's own account, then the others. */
  readonly destinations: readonly Destination[];
  readonly runId: string;
  /** All runs as they were listed for the plan. */
  readonly beside?: AllRuns;
  /** Whether the values in the plan are used instead of new reads, because reviewers saw them. */
  readonly isFrozen?: true;
}

export interface PlanningJob {
  readonly playbook: Playbook;
  readonly args: ReadonlyMap<string, Json>;
  readonly session: Work;
  readonly isOffline: boolean;
  /** The steps that an earlier run did. */
  readonly reused?: Reused;
  /** The time of the recomputed plan, or of the resumed run. */
  readonly time?: Millis;
  /** The plan that is recomputed: its writes are looked up. */
  readonly again?: Plan;
  /** The run being resumed. */
  readonly runId?: string;
  /**
   * Entries of the resumed run. Its doubts are settled in any case, because orders are checked against the
   * rules before each send.
   */
  readonly earlier?: readonly Entry[];
  /** Whether the reads of the resumed run are made again. */
  readonly rereads?: true;
  /** All runs, for a plan that is only displayed. Its run lists them again, and is refused if they differ. */
  readonly shownBeside?: AllRuns;
  /** All runs, if they were listed for this plan; a run lists them again under its lock. */
  readonly beside?: AllRuns;
  /** Whether the plan is for another machine: what its steps need of that machine is not looked for here. */
  readonly isElsewhere?: true;
  /** The persons who ask for the plan, if it is made for another machine. */
  readonly authors?: readonly string[];
  /** How long the plan is valid, if the caller chose it. */
  readonly lasts?: Millis;
  /** The scheduled time of the run. */
  readonly scheduledFor?: Millis;
  readonly signal: AbortSignal;
}

const nonceLength = 16; // 80 bits

/** @throws InvalidError for invalid inputs */
export async function prepare(job: PlanningJob, context: AppContext): Promise<Prepared> {
  const beside = job.shownBeside ?? (await allRuns(job.session.config.stateDir));
  const planning = await planningOf({ ...job, beside }, context);
  const plan = await reportingProblems(makePlan(planning), job, context);
  refuseSecretAnswers(plan, context);
  if (!job.earlier) questionRules(plan, job.session.config); // a step that nobody can answer
  return preparedFrom(plan, planning, { ...job, beside });
}

/**
 * Refuses a plan whose reads contain a secret: an exchange may return any text, including the key of the
 * request.
 * @throws ConfigError
 */
function refuseSecretAnswers({ reads, reused }: Plan, { secrets }: AppContext): void {
  if (!secretFinder(secrets)(JSON.stringify([reads, reused]))) return;
  throw new ConfigError(
    'a response of the exchange contains a secret of this profile, and plans must not',
    'check it with `deskhand call OPERATION`, and report it to the operator of the exchange',
  );
}

/** Shows problems of a plan at their locations. */
export async function reportingProblems<T>(
  making: Promise<T>,
  { playbook }: PlanningJob,
  context: AppContext,
): Promise<T> {
  try {
    return await making;
  } catch (error) {
    throw error instanceof UnfitError ? reportInPlace(error.problems, playbook, context) : error;
  }
}

export async function preparedFrom(
  plan: Plan,
  { playbook, inputs, guards, run: runId }: PlanOptions,
  { session, isOffline, earlier, beside }: PlanningJob,
): Promise<Prepared> {
  const accounts = await Promise.all(
    (plan.accounts ?? []).map((other) => session.open(other.profile)),
  );
  const destinations = [session, ...accounts].map((account) => account.destination);
  if (mayWrite(plan)) {
    const book = await session.book(beside);
    for (const each of destinations) book.note(each);
    for (const each of destinations) book.refuseConflict(each, !isOffline);
    if (!earlier) refuseUnnamed(destinations, session.config);
  }
  const prepared = { playbook, inputs, plan, guards, accounts, destinations, runId };
  return { ...prepared, ...(beside && { beside }) };
}

/** Everything that a plan is computed from. @throws InvalidError for invalid inputs */
export async function planningOf(job: PlanningJob, context: AppContext): Promise<PlanOptions> {
  const { playbook, args, session, isOffline, scheduledFor, signal } = job;
  const { exchange, destination, profile, terms } = session;
  const { stateDir } = session.config;
  const observedAt =
    job.time ?? (isOffline ? context.clock.now() : await exchange.serverTime(signal));
  // Secrets are refused before inputs are read: an error could contain a part of one, which no mask finds.
  if (!job.earlier) refuseSecrets(playbook, Object.fromEntries(args), session.secrets);
  const inputs = inputsOf(playbook, args, { time: observedAt, scheduledFor }, context);
  // A default may contain a secret with escapes of YAML, which the text of the playbook does not show.
  if (!job.earlier) refuseSecretInputs(inputs, session.secrets);
  const beside = job.beside ?? job.shownBeside ?? (await allRuns(stateDir));
  const book = await session.book(beside);
  const nonce = job.again?.nonce ?? randomId(nonceLength);
  const planned = { playbook, destination, inputs: toJson(inputs), observedAt, nonce };
  const lasts = job.lasts ?? profile.plans.lasts;
  const run = job.runId ?? plannedRunId(planned);
  const { shownBeside: runs } = job;
  const ledgers = await (runs
    ? ledgersToShow(stateDir, playbook, book, { runs, whole: run, keeps: !isOffline })
    : ledgersOf(stateDir, playbook, book, job.earlier, beside));
  book.refuseConflict(destination, false);
  return {
    playbook,
    inputs,
    destination,
    exchange,
    ...(terms && !job.earlier && { terms }),
    ledger: ledgers.ledger(destination),
    ...(!job.earlier && {
      placed: ledgers.placed,
      unfinished: ledgers.unfinished,
      doubts: ledgers.doubts,
      aside: ledgers.aside,
    }),
    ...(job.earlier && { earlier: job.earlier }),
    ...(job.rereads && { rereads: job.rereads }),
    ...(job.reused && { reused: job.reused }),
    learned: (accounts) => readVisibilities(stateDir, accounts),
    news: (account) => book.newsOf(account),
    guards: rulesOf(playbook, inputs, profile.guards),
    isOffline,
    observedAt,
    scheduledFor,
    run,
    nonce,
    ...(await originOf(job, context)),
    ...(lasts !== undefined && { lasts }),
    ...(job.again && { madeAt: job.again.observedAt }),
    frozen: frozenIn(job.earlier ?? []),
    signal,
    open: async (other) => {
      const account = await session.open(other);
      book.note(account.destination);
      book.refuseConflict(account.destination, false);
      return { ...account, ledger: ledgers.ledger(account.destination) };
    },
    programs: profile.programs,
    ...(!isOffline && !job.earlier && !job.isElsewhere && { here: hereOf(session, context) }),
  };
}

/** The authors of the playbook and the plan, and the commit, for approvers. */
async function originOf(
  { playbook, session, again, authors: asking, isOffline, earlier }: PlanningJob,
  context: AppContext,
): Promise<{ readonly origin?: Pick<Plan, 'authors' | 'commit'> }> {
  // Offline no program is started; a resumed run already has its plan.
  if (isOffline || earlier) return {};
  const { authorsOf, commitHere, unreadCheckoutHere, personHere } =
    await import('../machine/git.ts');
  const files = [playbook.file, ...playbook.includes.map(({ file }) => file)];
  const [written, made, commit] = await Promise.all([
    authorsOf(files, session.profile.approvers?.signers, context),
    again?.authors ?? asking ?? personHere(context), // the person running a plan is not its author
    commitHere(context),
  ]);
  const unread = commit === undefined ? await unreadCheckoutHere(context) : undefined;
  if (unread !== undefined) {
    const { because, hint } = unread;
    const message = `the plan has neither the authors of its playbook nor a commit: ${because}`;
    context.note({ kind: 'warning', message, hint });
  }
  const authors = [...new Set([...written, ...made])].sort();
  return { origin: { authors, ...(commit !== undefined && { commit }) } };
}
