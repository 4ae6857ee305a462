/** `run`: plan, ask, send; or exactly the plan that was reviewed. */
import { UsageError, type ExitCode } from '../../base/error.ts';
import { isRecord, plainJson, type Json } from '../../base/json.ts';
import { nearWord } from '../../base/text.ts';
import type { Config } from '../../config/load.ts';
import type { Profile } from '../../config/profile.ts';
import { readPlan, savePlan } from '../../plan/file.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Playbook } from '../../playbook/playbook.ts';
import { approve, refuseBroken } from '../approval.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { givenInputs, loadGiven, proved } from '../playbooks.ts';
import { prepare, type Prepared } from '../planning.ts';
import { performAndTell } from '../outcome.ts';
import { isPlan, planNamed, preparedAgain, refuseChanged } from '../reviewed.ts';
import { runFormats, stoppable } from '../running.ts';
import { planText, totalLines } from '../screens/plan.ts';
import { configOf, openWork, profileOf, type Work } from '../work.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  outputOf(context, runFormats);
  const config = await configOf(context);
  const job = await jobOf(given, config, context);
  const session = await openWork(context, config, job.profile, { needsKey: true });
  const { stateDir } = config;
  return stoppable(context, async (interruption) => {
    try {
      const prepared = await preparedFor(job, session, stateDir, interruption.drain, context);
      refuseBroken(prepared.plan);
      await ask(job.reviewed ?? prepared.plan, job, stateDir, context);
      return await performAndTell(
        {
          prepared,
          session,
          stateDir,
          interruption,
          ...(job.reviewed && { planId: job.reviewed.id }),
        },
        given,
        context,
      );
    } finally {
      await session.close();
    }
  });
}

interface Job {
  readonly playbook: Playbook;
  readonly given: ReadonlyMap<string, Json>;
  readonly profile: Profile;
  /** The plan that was looked at before. */
  readonly reviewed?: Plan;
  readonly approved?: string;
}

async function jobOf(given: Given, config: Config, context: Context): Promise<Job> {
  const path = given.words[0] ?? '';
  const approved = given.text('approve');
  const approval = approved === undefined ? {} : { approved };
  if (await isPlan(path)) {
    return { ...plannedJob(await readPlan(path), given, config, context), ...approval };
  }
  if (approved !== undefined) {
    const reviewed = await planNamed(approved, config);
    await refuseChanged(reviewed, path);
    return { ...plannedJob(reviewed, given, config, context), approved };
  }
  const whole = await loadGiven(path, context);
  const playbook = onlySteps(whole, given.texts('only'));
  const values = await givenInputs(playbook, given, context);
  return { playbook, given: values, profile: profileOf(context, config, playbook.account) };
}

/** A plan holds its playbook, inputs and account: nothing of them can be given anew. */
function plannedJob(
  reviewed: Plan,
  given: Given,
  config: Config,
  context: Context,
): Omit<Job, 'approved'> {
  const extra = ['var', 'var-file', 'only'].find((flag) => given.texts(flag).length > 0);
  if (extra !== undefined) {
    throw new UsageError(`--${extra} cannot change a plan`, 'make a new plan with it');
  }
  const inputs = isRecord(reviewed.inputs) ? Object.entries(reviewed.inputs) : [];
  return {
    playbook: proved(reviewed.playbook, context),
    given: new Map(inputs.map(([name, value]) => [name, plainJson(value)])),
    profile: profileOf(context, config, reviewed.destination.profile),
    reviewed,
  };
}

function onlySteps(playbook: Playbook, only: readonly string[]): Playbook {
  if (only.length === 0) return playbook;
  const ids = playbook.steps.map(({ id }) => id);
  const unknown = only.find((id) => !ids.includes(id));
  if (unknown !== undefined) {
    const near = nearWord(unknown, ids);
    throw new UsageError(
      `there is no step ${JSON.stringify(unknown)}`,
      near && `did you mean ${near}?`,
    );
  }
  return { ...playbook, steps: playbook.steps.filter(({ id }) => only.includes(id)) };
}

/** A plan made now; when one was reviewed, the very same one or a refusal. */
async function preparedFor(
  { playbook, given, reviewed }: Job,
  session: Work,
  stateDir: string,
  signal: AbortSignal,
  context: Context,
): Promise<Prepared> {
  const job = { playbook, given, session, stateDir, isOffline: false, signal };
  return reviewed === undefined ? prepare(job, context) : preparedAgain(reviewed, job, context);
}

/**
 * What goes to a live account is saved first, so that it can be reviewed, and shown where it is
 * asked; of any other what it adds up to is told.
 */
async function ask(
  plan: Plan,
  { approved }: Job,
  stateDir: string,
  context: Context,
): Promise<void> {
  const { err, canAsk } = context.terminal;
  const isAsked = plan.destination.target === 'live' && approved === undefined;
  if (isAsked) await savePlan(stateDir, plan);
  const lines = isAsked ? planText(plan, { isFull: false }, err.look) : totalLines(plan, err.look);
  if (!context.globals.isQuiet || (isAsked && canAsk)) err.line(`${lines.join('\n')}\n`);
  const { id, destination } = plan;
  await approve({ kind: 'plan', id, destination }, approved, context);
}
