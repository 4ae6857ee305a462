/** `resume`: settles doubts, then continues from the journal. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { shellWord } from '../../base/text.ts';
import type { Config } from '../../app/config/load.ts';
import { readPlan } from '../../engine/plan/file.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import type { ToApprove } from '../../app/approval/consent.ts';
import { ofResumedRun, type NoteRecord } from '../../app/running/begun.ts';
import { configOf } from '../../app/config/opened.ts';
import { beginningOf } from '../../app/running/beside.ts';
import { refuseContinuing } from '../../app/running/queued.ts';
import { begunRun, resumeRun, type BegunRun, type Resumed } from '../../app/running/resume.ts';
import { isDatabase } from '../../stores/settings.ts';
import { askToSend } from '../approval/ask.ts';
import { isQueued } from '../args/queued.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { executeAndReport, printEnd, type RunToReport } from '../running/result.ts';
import { runFormats } from '../running/screen.ts';
import { noteLines } from '../../report/terminal/plan-screen.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  outputOf(context, runFormats);
  return ofResumedRun(async (note) => {
    if (!isQueued(args)) return resumed(note, context, args);
    const { queueing } = await import('../../app/queue/unanswered.ts');
    const command = `deskhand resume ${shellWord(args.positionals[0] ?? '')} --queue`;
    return queueing(command, context, (own) => resumed(note, own, args));
  }, context);
}

async function resumed(note: NoteRecord, context: Context, args: Args): Promise<ExitCode> {
  const { err } = context.terminal;
  const runId = args.positionals[0] ?? '';
  const config = await configOf(context);
  const begun = await begunRun(runId, note, config, context).catch(async (error: unknown) => {
    throw args.isOn('queue') ? await notBegun(error, runId, config, context) : error;
  });
  if (isQueued(args)) return queued(begun, config, args, context);
  const file = args.text('plan');
  const plan = file === undefined ? undefined : () => readPlan(file);
  const given = { approved: args.text('approve'), plan };
  const ports = {
    present: (plan: Plan): void => {
      if (!context.globals.isQuiet) for (const line of noteLines(plan, err.theme)) err.line(line);
    },
    ask: (what: ToApprove) => askToSend(what, context),
    execute: (running: RunToReport) => executeAndReport(running, args, context),
  };
  const ended = await resumeRun(begun, given, ports, config, context);
  return printResumed(runId, ended, context);
}

/** Prints the outcome of resuming, unless the execution showed it already. */
export async function printResumed(
  runId: string,
  ended: Resumed<ExitCode>,
  context: Context,
): Promise<ExitCode> {
  const { err } = context.terminal;
  switch (ended.kind) {
    case 'done':
      err.line(`${runId} is done; there is nothing to resume`);
      await printEnd(ended.entries, context);
      return exits.done;
    case 'import':
      err.line(`${runId} ${ended.isRecorded ? importDone : importLost}`);
      return ended.isRecorded ? exits.done : exits.stopped;
    case 'executed':
      return ended.result;
  }
}

const importDone = 'is done: the import is recorded';
const importLost = 'recorded nothing: import it again';

/** The error for a queued plan whose run never began: it has nothing to resume. */
async function notBegun(
  error: unknown,
  run: string,
  config: Config,
  context: Context,
): Promise<unknown> {
  if (!(error instanceof UsageError) || !isDatabase(config.state)) return error;
  const { neverBegun } = await import('../worker/enqueue.ts');
  return (await neverBegun(run, config, context)) ?? error;
}

/** Queues the rest of a run for any worker that has the keys of its accounts. */
async function queued(
  begun: BegunRun,
  config: Config,
  args: Args,
  context: Context,
): Promise<ExitCode> {
  const { queueRest } = await import('../worker/enqueue.ts');
  await refuseContinuing(begun, config, context);
  const { plan } = begun.started;
  const rest = { ...beginningOf(begun.started), ...(plan !== undefined && { plan }) };
  return queueRest(rest, config, args, context);
}
