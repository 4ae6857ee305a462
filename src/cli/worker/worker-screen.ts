/** The terminal or the log of a worker, without a person: lines of a job begin with its id. */
import { plainText } from '../../base/text.ts';
import type { AppContext } from '../../app/app-context.ts';
import type { JobScreen, WorkerScreen } from '../../app/worker/shown-jobs.ts';
import type { Job } from '../../stores/queue.ts';
import { argsOf } from '../args/made.ts';
import { printResumed } from '../commands/resume.ts';
import { onTerminal, type Context } from '../context.ts';
import { printError } from '../exits.ts';
import { isLog } from '../screens/log-channel.ts';
import { executeAndReport } from '../running/result.ts';
import { quietly } from './quiet.ts';

export function workerScreen(context: Context): WorkerScreen {
  return {
    notes: (print, secrets) => quietly({ ...context, secrets }, print).note,
    job: (job, secrets) => jobScreen(job, { ...context, secrets }),
  };
}

function jobScreen(job: Job, context: Context): JobScreen {
  const print = (line: string): void => {
    if (line.trim() !== '') context.terminal.err.line(`${plainText(job.id, 64)}  ${line}`);
  };
  const quiet = logging(quietly(context, print), job, context);
  const { terminal, globals } = quiet;
  const shown = (own: AppContext): Context => ({ ...own, terminal, globals });
  return {
    note: quiet.note,
    execute: (running, own) => executeAndReport(running, argsOf(), shown(own)),
    resumed: (run, ended, own) => printResumed(run, ended, shown(own)),
    failed: (error) => printError(error, quiet),
  };
}

/**
 * The terminal of a job with a log, which has records in place of lines: the run is a field of
 * each.
 */
function logging(quiet: Context, job: Job, { terminal: { err }, secrets }: Context): Context {
  if (!isLog(err)) return quiet;
  const own = err.with({ run: plainText(job.id, 64) }, secrets);
  return onTerminal(quiet, { ...quiet.terminal, err: own });
}
