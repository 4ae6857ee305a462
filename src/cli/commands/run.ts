/** `run`: plans, confirms and executes; or runs exactly a reviewed plan. */
import { UsageError, type ExitCode } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import type { Config } from '../../app/config/load.ts';
import { holdsPlan, planIn } from '../../engine/plan/file.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import type { ToApprove } from '../../app/approval/consent.ts';
import { chosenSteps } from '../../app/planning/chosen.ts';
import { configOf, profileOf } from '../../app/config/opened.ts';
import { isPlanId, planNamed } from '../../app/planning/plan-named.ts';
import { loadBytes } from '../../app/planning/playbooks.ts';
import { refuseOther } from '../../app/planning/reviewed.ts';
import { jobOfPlan, runJob, type RunJob } from '../../app/running/run.ts';
import type { Beside } from '../../app/running/set-aside.ts';
import { askToSend } from '../approval/ask.ts';
import { userName } from '../../app/machine/person.ts';
import { choiceIn } from '../args/choice.ts';
import { readArgument } from '../args/named-file.ts';
import { givenInputs } from '../args/playbook-argument.ts';
import { isQueued } from '../args/queued.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { executeAndReport, type RunToReport } from '../running/result.ts';
import { runFormats } from '../running/screen.ts';
import { noteLines, planText } from '../../report/terminal/plan-screen.ts';
import { totalLines } from '../../report/terminal/plan-totals.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  outputOf(context, runFormats);
  if (isQueued(args)) return (await import('../worker/enqueue.ts')).queuePlan(context, args);
  const config = await configOf(context);
  const beside = besideIn(args);
  const job = { ...(await jobOf(args, config, context)), ...(beside && { beside }) };
  const ports = {
    present: (plan: Plan, isAsked: boolean): void => show(plan, isAsked, context),
    ask: (what: ToApprove) => askToSend(what, context),
    execute: (running: RunToReport) => executeAndReport(running, args, context),
  };
  return runJob(job, ports, config, context);
}

/** The reason of `--new`. @throws UsageError for one of --new and --reason without the other */
function besideIn(args: Args): Beside | undefined {
  const reason = args.text('reason')?.trim() ?? '';
  if (!args.isOn('new')) {
    if (args.text('reason') !== undefined) throw new UsageError('--reason is for --new');
    return undefined;
  }
  if (reason === '') {
    throw new UsageError(
      '--new needs --reason: why the playbook runs beside a run that did not end',
      'such as --reason "its orders were cancelled by hand"',
    );
  }
  return { who: userName(), reason: plainText(reason) };
}

async function jobOf(args: Args, config: Config, context: Context): Promise<RunJob> {
  const path = args.positionals[0] ?? '';
  const name = path === '-' ? 'stdin' : path;
  const approved = args.text('approve');
  const approval = approved === undefined ? {} : { approved };
  if (isPlanId(path)) {
    return {
      ...plannedJob(await planNamed(path, config, context), args, config, context),
      ...approval,
    };
  }
  const bytes = await readArgument(path, context.terminal);
  if (holdsPlan(bytes)) {
    return { ...plannedJob(planIn(bytes, name), args, config, context), ...approval };
  }
  if (approved !== undefined) {
    const reviewed = await planNamed(approved, config, context);
    refuseOther(reviewed, bytes, name);
    return { ...plannedJob(reviewed, args, config, context), approved };
  }
  const choice = choiceIn(args);
  const asked = chosenSteps(loadBytes(bytes, path, config, context), choice);
  const values = await givenInputs(asked.playbook, args, context);
  const { reuse } = choice;
  return {
    ...asked,
    ...(reuse && { reuse }),
    args: values,
    profile: profileOf(context, config, asked.playbook.account),
  };
}

/**
 * The job of a reviewed plan. It contains the playbook, inputs and account: none of them can be
 * given again.
 */
function plannedJob(
  reviewed: Plan,
  args: Args,
  config: Config,
  context: Context,
): Omit<RunJob, 'approved' | 'beside'> {
  const flags = ['var', 'var-file', 'only', 'from', 'of', 'scheduled-for'];
  const extra = flags.find((flag) => args.texts(flag).length > 0 || args.text(flag));
  if (extra !== undefined) {
    throw new UsageError(`--${extra} cannot change a plan`, 'make a new plan with it');
  }
  return jobOfPlan(reviewed, config, context);
}

/** Shows a plan: as a whole if a person decides on it, otherwise only the totals. */
function show(plan: Plan, isAsked: boolean, { terminal, globals }: Context): void {
  const { err, canAsk } = terminal;
  const lines = isAsked
    ? planText(plan, { isFull: false }, err.theme)
    : [...noteLines(plan, err.theme), ...totalLines(plan, err.theme)];
  if (!globals.isQuiet || (isAsked && canAsk)) err.line(`${lines.join('\n')}\n`);
}
