/** A plan made by a worker that has the key: queued, awaited, and checked as its approver would. */
import type { Millis } from '../../base/clock.ts';
import { exits, DeskhandError, UsageError } from '../../base/error.ts';
import { canonicalJson, type Json } from '../../base/json.ts';
import { listed, plainText, spoken } from '../../base/text.ts';
import type { Secret } from '../../base/secret.ts';
import type { Config } from '../config/load.ts';
import type { Profile } from '../config/profile.ts';
import { CredentialError } from '../config/credential-error.ts';
import { openSecrets } from '../config/secrets.ts';
import { planIn } from '../../engine/plan/file.ts';
import { mayWrite } from '../../engine/plan/effect.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { StalePlanError } from '../../engine/plan/stale.ts';
import { namedAccounts } from '../../language/named-accounts.ts';
import { stepsAsIn } from '../../language/only.ts';
import { toJson } from '../../language/expression/value.ts';
import type { Playbook } from '../../language/playbook.ts';
import type { Job, JobState } from '../../stores/queue.ts';
import { UnreachableError } from '../../stores/store.ts';
import { computedPlan } from '../approval/computed.ts';
import { userName } from '../machine/person.ts';
import { outsideCheckout, refuseOtherTexts } from '../machine/checkout.ts';
import { chosenSteps } from '../planning/chosen.ts';
import { inputsOf } from '../planning/playbooks.ts';
import type { AppContext } from '../app-context.ts';
import { personHere } from '../machine/git.ts';
import { stoppable } from '../machine/interrupt.ts';
import { openJobs } from '../store/jobs.ts';
import type { Jobs } from '../../stores/job-store.ts';
import { lastsIn, type PlanRequest } from '../planning/new-plan.ts';
import { refuseSecrets } from '../planning/secrets.ts';
import { awaitTaken, pollMs, waitsUnserved } from './available.ts';
import { planJob, planResultOf } from './job.ts';
import { patiently, type Patient } from './patience.ts';

/** The screen of a job that waits. */
export interface QueueScreen {
  readonly say: (line: string) => void;
  /** Shows why nobody can take the job now. */
  readonly unserved: (because: string) => void;
}

export interface Queueing {
  /** How long a person waits for the job. Default: until it has ended. */
  readonly wait?: Millis;
  readonly screen: QueueScreen;
}

/**
 * The plan of a worker with the same playbook; needs no key. An interruption cancels the job.
 * @throws the error that the worker reports; DeskhandError with exit 5 when `--wait` is over
 */
export async function planQueued(
  request: PlanRequest,
  queueing: Queueing,
  config: Config,
  context: AppContext,
): Promise<Plan> {
  const { whole, values, profile, choice } = request;
  if (profile.baseUrl === undefined) {
    throw new UsageError(
      `profile ${profile.name} is the exchange of this machine, which no worker reaches`,
      'plan it without --queue',
    );
  }
  refuseElsewhere(whole);
  chosenSteps(whole, choice); // wrong flags are found before anything is queued
  lastsIn(choice, profile);
  const jobs = await openJobs(config, context);
  try {
    refuseSecrets(whole, Object.fromEntries(values), await secretsHere(profile, context));
    const job = await jobFor(request, config, context);
    const plan = await stoppable(context, async ({ drain }) => {
      const ask = patiently({ clock: context.clock, signal: drain, say: queueing.screen.say });
      const ending = await ask(() => jobs.queue.put(job))
        .then(() => ended(job, queueing, { jobs, ask, signal: drain }, context))
        .catch(async (error: unknown) => {
          // A plan sends nothing, so nothing is lost with it.
          await jobs.queue.stop(job.id, userName()).catch(unlessAway);
          throw error;
        });
      return planOf(ending, jobs, ask, queueing.screen);
    });
    refuseOtherAnswer(plan, request, context);
    // A plan that writes nothing is not computed again: the values for this are not kept.
    if (mayWrite(plan)) await computedPlan(plan, config, context);
    return plan;
  } finally {
    await jobs.close();
  }
}

/** Refuses a playbook that a worker cannot find by its path in the checkout. */
function refuseElsewhere({ file, includes }: Playbook): void {
  for (const each of [file, ...includes.map((included) => included.file)]) {
    const why = each === 'stdin' ? 'is not a file' : outsideCheckout(each);
    const isRelative = !each.startsWith('/') && !each.split('/').includes('..');
    if (why === undefined && isRelative) continue;
    throw new UsageError(
      `${plainText(each, 200)} ${why ?? 'is not a path below this folder'}, and a worker plans only files of its checkout`,
      'name a playbook of this repository by its path from here',
    );
  }
}

/** The secrets of the profile and of this command, if they are known here. */
async function secretsHere(
  profile: Profile,
  { secrets, env }: AppContext,
): Promise<readonly Secret[]> {
  try {
    const own = await openSecrets(profile.secrets, env);
    return [...secrets, ...own.all()];
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    return secrets; // a reviewer does not have the file or program
  }
}

async function jobFor(
  { whole, values, profile, choice }: PlanRequest,
  config: Config,
  { env }: AppContext,
): Promise<Job> {
  const [own, ...others] = [whole, ...whole.includes].map(({ file, digest }) => ({ file, digest }));
  const body = {
    files: [own ?? whole, ...others] as const,
    inputs: Object.fromEntries(values),
    ...choice,
    authors: await personHere({ env }),
  };
  const { names } = namedAccounts(whole);
  const profiles = [profile.name, ...names.filter((name) => config.profiles.has(name))];
  return planJob(whole.name, [...new Set(profiles)], body, userName());
}

/**
 * Throws an error again unless the store is unreachable. The job is not cancelled then: the plan
 * that its worker makes is not used.
 */
function unlessAway(error: unknown): void {
  if (!(error instanceof UnreachableError)) throw error;
}

interface Asking {
  readonly jobs: Jobs;
  readonly ask: Patient;
  readonly signal: AbortSignal;
}

/** The end of the job. @throws DeskhandError when it is not done in time; StoppedError */
async function ended(
  job: Job,
  { wait, screen }: Queueing,
  { jobs, ask, signal }: Asking,
  { clock }: AppContext,
): Promise<JobState> {
  const because = await waitsUnserved(job, jobs);
  if (because !== undefined) screen.unserved(because);
  const began = clock.monotonic();
  if (wait !== undefined) {
    await awaitTaken({ job, isOurs: true, wait }, jobs, signal, { clock, say: screen.say });
  }
  for (;;) {
    const state = await ask(() => jobs.queue.find(job.id));
    if (state === undefined) throw new UsageError(`${job.id} is not queued any more`);
    if (state.state === 'ended') return state;
    const left = (wait ?? Infinity) - (clock.monotonic() - began);
    if (left <= 0) throw notDone(state, wait ?? 0);
    await clock.sleep(Math.min(left, pollMs), signal);
  }
}

function notDone({ job: { id }, worker = 'its worker' }: JobState, wait: number): DeskhandError {
  return new DeskhandError(
    `${plainText(worker, 80)} did not finish ${id} within ${spoken(wait)}; it was cancelled`,
    { code: 'job', actor: 'operator', exit: exits.heldBack, hint: 'give it more time with --wait' },
  );
}

const messageMax = 4_000; // characters

/** The plan of a job. @throws the worker's error, after what it printed */
async function planOf(
  { job: { id }, ending, worker = 'a worker' }: JobState,
  jobs: Jobs,
  ask: Patient,
  { say }: QueueScreen,
): Promise<Plan> {
  const { plan, code = 'job', printed } = planResultOf(ending?.result);
  for (const line of printed) say(plainText(line, messageMax));
  if (plan === undefined) {
    const exit = Object.values(exits).find((each) => each === ending?.exit) ?? exits.stopped;
    const message = plainText(ending?.message ?? 'it ended', messageMax);
    const { hint } = ending ?? {};
    throw new DeskhandError(`${plainText(worker, 80)}: ${message}`, {
      code: plainText(code, 40),
      actor: 'operator',
      exit: exit === exits.done ? exits.stopped : exit,
      ...(hint !== undefined && { hint: plainText(hint, messageMax) }),
    });
  }
  const text = await ask(() => jobs.plans.find(plan));
  if (text === undefined) {
    throw new StalePlanError(`the plan ${plainText(plan, 40)} of ${id} is not in the database`);
  }
  const made = planIn(Buffer.from(text), `of ${id}`);
  if (made.id === plan) return made;
  throw new StalePlanError(`the database has another plan under the id ${plainText(plan, 40)}`);
}

/**
 * Refuses a plan of another playbook, other steps or other inputs, because the database proves
 * nothing.
 * @throws StalePlanError
 */
function refuseOtherAnswer(
  plan: Plan,
  { whole, values, profile, choice }: PlanRequest,
  context: AppContext,
): void {
  refuseOtherTexts(plan, context);
  const { playbook: chosen, slot } = chosenSteps(whole, choice);
  const { observedAt: time, scheduledFor } = plan;
  const inputs = inputsOf(chosen, values, { time, scheduledFor }, context);
  const wanted: Readonly<Record<string, Json>> = {
    playbook: chosen.digest,
    profile: profile.name,
    steps: chosen.steps.map(({ id }) => id),
    occurrence: slot?.scheduledFor ?? null,
    inputs: toJson(inputs),
  };
  const found: Readonly<Record<string, Json>> = {
    playbook: plan.playbook.digest,
    profile: plan.destination.profile,
    steps: stepsAsIn(whole, plan).steps.map(({ id }) => id),
    occurrence: scheduledFor ?? null,
    inputs: plan.inputs,
  };
  const names = Object.keys(wanted).filter(
    (name) => canonicalJson(wanted[name] ?? null) !== canonicalJson(found[name] ?? null),
  );
  if (names.length === 0) return;
  throw new StalePlanError(
    `plan ${plan.id} is not the one that was asked for: other ${listed(names)}`,
  );
}
