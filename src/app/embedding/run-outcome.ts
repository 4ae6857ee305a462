/** How a run ended, for an embedding program. The statuses are those of a report, and the exit codes those of the command line. */
import { exits, InternalError, type DeskhandError, type ExitCode } from '../../base/error.ts';
import type { RunReport } from '../running/report.ts';
import type { Notice } from './notice.ts';

interface Noted {
  /** Notices that a person should read in addition, such as a notification that was not sent. */
  readonly notices: readonly Notice[];
}

export type RunOutcome =
  /** The run is done: every step is done, or was skipped as the playbook says. */
  | (Noted & { readonly status: 'done'; readonly exit: 0; readonly report: RunReport })
  /**
   * The run started and stopped; every outcome is known. The report is absent if an error of this machine,
   * such as a full disk, ended the run: then the error is present.
   */
  | (Noted & {
      readonly status: 'stopped';
      readonly exit: 1 | 2 | 3 | 4 | 5;
      readonly run: string;
      readonly report?: RunReport;
      readonly error?: DeskhandError;
    })
  /**
   * The outcome of at least one request is not known. Resume the run: it looks the request up, and sends it
   * again only if the request provably was not executed.
   */
  | (Noted & {
      readonly status: 'doubt';
      readonly exit: 6;
      readonly run: string;
      readonly report?: RunReport;
      readonly error?: DeskhandError;
    })
  /**
   * The run was interrupted by its signal, or because its events were no longer read; resume it to continue.
   */
  | (Noted & {
      readonly status: 'interrupted';
      readonly exit: 130;
      /** The id of the run; absent if it was interrupted before the start: nothing was sent. */
      readonly run?: string;
      readonly report?: RunReport;
    })
  /**
   * The run was not started, or not continued: nothing was sent now. The exit code is 6 if an earlier request
   * of the run is still in doubt.
   */
  | (Noted & {
      readonly status: 'refused';
      readonly exit: ExitCode;
      readonly error: DeskhandError;
    });

/** The facts known when a run ends. */
export interface End {
  /** The id of the run, once this attempt wrote an entry. */
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
