/** The output of a scheduler: its runs, its records, and skipped files. */
import { plainText } from '../../base/text.ts';
import { describeError } from '../../app/running/describe.ts';
import type { ScheduleScreen } from '../../app/schedule/fire.ts';
import type { Keeping } from '../../app/schedule/keeping.ts';
import type { ScheduleRecord } from '../../app/schedule/decisions.ts';
import { onTerminal, type Context } from '../context.ts';
import { printError } from '../exits.ts';
import { recordText } from '../screens/schedule.ts';
import { timeWords } from '../screens/timed.ts';
import { writeReport } from '../running/result.ts';
import { screenFor } from '../running/screen.ts';
import { printLeft } from './found.ts';

/**
 * The screen of a scheduler.
 * @param reports the folder for reports of runs; default: none are written
 */
export function scheduleScreen(context: Context, reports?: string): ScheduleScreen {
  const quiet = quietly(context);
  return {
    note: quiet.note,
    observe: (drain) => screenFor(drain, quiet),
    // A report that cannot be written does not change the outcome of the run.
    ended: async (run) => {
      if (reports === undefined) return;
      await writeReport(reports, run, quiet).catch((error: unknown) => printError(error, quiet));
    },
    failed: (error) => printError(error, quiet),
  };
}

/** A context without prompts, and without the screens of a single run unless requested. */
function quietly(context: Context): Context {
  const { output: _output, jsonInto: _jsonInto, ...globals } = context.globals;
  const quiet = { ...context, globals: { ...globals, isQuiet: !globals.isVerbose } };
  return onTerminal(quiet, { ...context.terminal, canAsk: false });
}

/** Reports skipped files, each reason once, and failed checks. */
export function keepingScreen(context: Context): Pick<Keeping, 'onFound' | 'onError'> {
  const { err } = context.terminal;
  const printed = new Set<string>();
  return {
    onFound: (found) => printLeft(found, printed, context),
    onError: (error) => {
      const { code, message } = describeError(error);
      err.line(`${err.theme.paint('bad', 'error')}[${code}] ${plainText(message)}`);
    },
  };
}

/** Prints one progress line per record. */
export function printRecord(record: ScheduleRecord, { terminal }: Context): void {
  const { err } = terminal;
  err.line(`${timeWords(record.at, err.theme)} ${recordText(record, err.theme)}`);
}
