/** Runs of an embedding program, through the same path as the command line; loaded at its first call. */
import { exits, UsageError } from '../../base/error.ts';
import { redactor } from '../../base/secret.ts';
import { plainText } from '../../base/text.ts';
import type { Config } from '../config/load.ts';
import { reportingOpenSecretFiles } from '../config/secret-file.ts';
import { readRun } from '../../engine/journal/runs.ts';
import { planIn, readPlan, sealedText } from '../../engine/plan/file.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { summaryOf } from '../../report/summary.ts';
import { notApprovedYet, type ToApprove } from '../approval/consent.ts';
import { ofBegunRun } from '../running/begun.ts';
import { chosenSteps } from '../planning/chosen.ts';
import { configOf, profileOf } from '../config/opened.ts';
import { folderOf, type AppContext } from '../app-context.ts';
import { executeRun } from '../running/execute.ts';
import type { ExecutedRun } from '../running/running.ts';
import type { RunObserver } from '../running/observer.ts';
import { isPlanId, planNamed } from '../planning/plan-named.ts';
import { loadBytes, pathFrom } from '../planning/playbooks.ts';
import { begunRun, resumeRun } from '../running/resume.ts';
import { jobOfPlan, runJob, type RunJob, type RunPorts } from '../running/run.ts';
import { reportObject, type RunReport } from '../running/report.ts';
import type { Beside } from '../running/set-aside.ts';
import { checkOptions, type CheckedFunction } from './check-options.ts';
import { contextOf } from './surroundings.ts';
import { safeError } from './safe-error.ts';
import { playbookOf } from './given.ts';
import { choiceOf, inputsGiven } from './inputs.ts';
import { noticeOf, type Notice } from './notice.ts';
import { outcomeOf, type RunOutcome } from './run-outcome.ts';
import type { AccountOptions, ResumeOptions, RunOptions } from './options.ts';
import type { RunControl } from './progress.ts';

/** Runs a plan or a playbook. */
export function started(options: RunOptions, control: RunControl): Promise<RunOutcome> {
  return followed('run', options, control, async (context, observe) => {
    const config = await configOf(context);
    const job = await jobOf(options, config, context);
    const { approve: approved } = options;
    const beside = besideIn(options);
    const given = {
      ...job,
      ...(approved !== undefined && { approved }),
      ...(beside !== undefined && { beside }),
    };
    return endOf(await runJob(given, portsOf(observe, context), config, context));
  });
}

/** Reads the option `beside`. @throws UsageError if it does not say who and why */
function besideIn({ beside }: RunOptions): Beside | undefined {
  if (beside === undefined) return undefined;
  const [who, reason] = [beside.who, beside.reason].map((text: unknown) =>
    typeof text === 'string' ? plainText(text.trim()) : '',
  );
  if (who && reason) return { who, reason };
  throw new UsageError(
    'the option beside of run must say who decided it, and why',
    "such as { who: 'ann', reason: 'its orders were cancelled by hand' }",
  );
}

/** Continues a run. */
export function resumed(options: ResumeOptions, control: RunControl): Promise<RunOutcome> {
  return followed('resume', options, control, (context, observe) =>
    ofBegunRun(async (note) => {
      const { run, approve: approved, planFile } = options;
      const config = await configOf(context);
      const begun = await begunRun(run, note, config, context);
      const plan =
        planFile === undefined ? undefined : () => readPlan(pathFrom(folderOf(context), planFile));
      const ports = portsOf(observe, context);
      const ended = await resumeRun(begun, { approved, plan }, ports, config, context);
      if (ended.kind === 'executed') return endOf(ended.result);
      return recordedEnd(run, config);
    }),
  );
}

async function jobOf(
  options: RunOptions,
  config: Config,
  context: AppContext,
): Promise<Omit<RunJob, 'approved' | 'beside'>> {
  if (options.plan !== undefined) {
    return jobOfPlan(await planOf(options.plan, config, context), config, context);
  }
  const { bytes, file } = await playbookOf(options.playbook, folderOf(context));
  const whole = loadBytes(bytes, file, config, context);
  const chosen = chosenSteps(whole, choiceOf(options));
  const profile = profileOf(context, config, whole.account);
  return { ...chosen, args: inputsGiven(options), profile };
}

/** The given plan, verified as if it were read from its file. */
async function planOf(plan: Plan | string, config: Config, context: AppContext): Promise<Plan> {
  if (typeof plan !== 'string') return planIn(Buffer.from(sealedText(plan)), 'given');
  if (isPlanId(plan)) return planNamed(plan, config, context);
  return readPlan(pathFrom(folderOf(context), plan));
}

type Observe = (drain: AbortSignal) => Promise<RunObserver>;

/** The ports of a run without a person to ask: an approval is given in advance, or the run is refused. */
function portsOf(observe: Observe, context: AppContext): RunPorts<ExecutedRun> {
  return {
    present: () => undefined,
    ask: (what: ToApprove) => Promise.reject(notApprovedYet(what)),
    execute: (job) => executeRun({ ...job, observe }, context),
  };
}

interface Ended {
  readonly exit: RunOutcome['exit'];
  readonly report: RunReport;
}

function endOf({ summary, result, exit }: ExecutedRun): Ended {
  return { exit, report: reportObject(summary, result) };
}

/** The recorded end of a run that had ended before. */
async function recordedEnd(run: string, { stateDir }: Config): Promise<Ended> {
  const entries = await readRun(stateDir, run);
  const last = entries.at(-1);
  const ending =
    last?.kind === 'finished'
      ? last
      : ({ status: 'stopped', exit: exits.stopped, outputs: null } as const);
  return { exit: ending.exit, report: reportObject(summaryOf(entries), ending) };
}

/** Does the work, feeds its events to readers, and turns its end or its error into an outcome. */
async function followed(
  name: CheckedFunction,
  options: AccountOptions,
  { feed, stop }: RunControl,
  work: (context: AppContext, observe: Observe) => Promise<Ended>,
): Promise<RunOutcome> {
  const secrets: AppContext['secrets'] = [];
  const notices: Notice[] = [];
  let run: string | undefined;
  const observe: Observe = async () => ({
    recall: ([first]) => {
      if (first?.kind === 'started') run = first.run;
    },
    show: (entry) => {
      if (entry.kind === 'started') run = entry.run;
      feed.push(entry);
    },
    close: async () => undefined,
  });
  try {
    checkOptions(name, options);
    const context = contextOf({ ...options, signal: stop }, secrets, (note) => {
      const notice = noticeOf(note, redactor(secrets));
      if (notice === undefined) return;
      notices.push(notice);
      feed.push(notice);
    });
    const { exit, report } = await reportingOpenSecretFiles(
      (file) => context.note({ kind: 'warning', ...file }),
      () => work(context, observe),
    );
    return outcomeOf({ run: report.run, exit, report, notices });
  } catch (error) {
    const safe = safeError(error, { secrets });
    return outcomeOf({ run, exit: safe.exit, error: safe, notices });
  }
}
