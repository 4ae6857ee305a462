/** Shows the jobs of a worker on its terminal or in its log. */
import type { ExitCode } from '../../base/error.ts';
import type { Job } from '../../stores/queue.ts';
import type { AppContext } from '../app-context.ts';
import type { Resumed } from '../running/resume.ts';
import type { RunPorts } from '../running/run.ts';

type Note = AppContext['note'];
type Secrets = AppContext['secrets'];

/** The screen of a worker. Secrets of a job are found while it is worked on; later output masks them, too. */
export interface WorkerScreen {
  /** Notes about a plan, as texts without colors. */
  readonly notes: (print: (text: string) => void, secrets: Secrets) => Note;
  readonly job: (job: Job, secrets: Secrets) => JobScreen;
}

/** The screen of one run. */
export interface JobScreen {
  readonly note: Note;
  /** Executes the run, and shows its end. */
  readonly execute: (
    running: Parameters<RunPorts<ExitCode>['execute']>[0],
    context: AppContext,
  ) => Promise<ExitCode>;
  /** Shows the end of a run that was resumed. */
  readonly resumed: (
    run: string,
    ended: Resumed<ExitCode>,
    context: AppContext,
  ) => Promise<ExitCode>;
  /** Shows an error that does not end the job. */
  readonly failed: (error: unknown) => void;
}
