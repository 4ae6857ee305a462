/** How a run ended, for an embedding program. The statuses are those of a report, and the exit codes those of the command line. */
import { exits, InternalError, type DeskhandError, type ExitCode } from '../../base/error.ts';
import type { RunReport } from '../running/report.ts';
import type { Notice } from './notice.ts';

interface Noted {
  /** What a person should know in addition, such as a notification that was not sent. */
  readonly notices: readonly Notice[];
}

export type RunOutcome =
  /** Every step is done, or was skipped as the playbook says. */
  | (Noted & { readonly status: 'done'; readonly exit: 0; readonly report: RunReport })
  /**
   * The run started and stopped; every outcome is known. The report is absent if the run was ended
   * by an error of this machine, such as a full disk: then there is the error.
   */
  | (Noted & {
      readonly status: 'stopped';
      readonly exit: 1 | 2 | 3 | 4 | 5;
      readonly run: string;
      readonly report?: RunReport;
      readonly error?: DeskhandError;
    })
  /**
   * The outcome of at least one request is not known. Resume the run: it looks the request up, and
   * sends it again only if it provably was not executed.
   */
  | (Noted & {
      readonly status: 'doubt';
      readonly exit: 6;
      readonly run: string;
      readonly report?: RunReport;
      readonly error?: DeskhandError;
    })
  /** Interrupted by its signal, or because its events were no longer read; resume it to continue. */
  | (Noted & {
      readonly status: 'interrupted';
      readonly exit: 130;
      /** Absent if it was interrupted before the run started: nothing was sent. */
      readonly run?: string;
      readonly report?: RunReport;
    })
  /**
   * Not started, or not continued: nothing was sent now. Its exit code is 6 if an earlier request of
   * the run is still in doubt.
   */
  | (Noted & {
      readonly status: 'refused';
      readonly exit: ExitCode;
      readonly error: DeskhandError;
    });

/** What is known at the end. */
export interface End {
  /** Once an entry of this attempt was written. */
  readonly run: string | undefined;
  readonly exit: ExitCode;
  readonly report?: RunReport;
  readonly error?: DeskhandError;
  readonly notices: readonly Notice[];
}

/** The outcome by its exit code. */
export function outcomeOf({ run, exit, report, error, notices }: End): RunOutcome {
  if (exit === exits.interrupted || exit === exits.terminated) {
    const known = { ...(run && { run }), ...(report && { report }) };
    return { status: 'interrupted', exit: exits.interrupted, notices, ...known };
  }
  if (run === undefined) {
    if (error === undefined) throw new InternalError('a run that did not start has no error');
    return { status: 'refused', exit, error, notices };
  }
  const found = { run, notices, ...(report && { report }), ...(error && { error }) };
  switch (exit) {
    case 0:
      if (report === undefined) throw new InternalError('a run that is done has no report');
      return { status: 'done', exit, report, notices };
    case 6:
      return { status: 'doubt', exit, ...found };
    case 10:
      throw new InternalError('a run has no exit code 10');
    default:
      return { status: 'stopped', exit, ...found };
  }
}
