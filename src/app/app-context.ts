/** The surroundings of planning and running, which the command line or another program provides. */
import process from 'node:process';
import type { SignedFile } from '../engine/approval/record.ts';
import type { Clock, Millis } from '../base/clock.ts';
import type { ExitCode } from '../base/error.ts';
import type { Secret } from '../base/secret.ts';
import type { Credentials } from './config/credentials.ts';
import type { Environment } from './config/secrets.ts';
import type { Reach } from './config/opened-profile.ts';
import type { SharedPaces } from '../stores/shared/shared-paces.ts';
import type { StateStore } from '../stores/store.ts';
import type { TraceExporter } from '../report/telemetry/exporter.ts';
import type { Note } from './running/note.ts';
import type { Jobs } from '../stores/job-store.ts';

export interface AppContext {
  readonly env: Environment;
  /** Where files, deskhand.yaml and programs are looked up; default: the folder of the process. */
  readonly folder?: string;
  readonly globals: AppChoices;
  readonly clock: Clock;
  /** Secrets seen so far; error texts are masked with them. */
  readonly secrets: Secret[];
  /** Receives notes that a person should read, in addition to results and errors. */
  readonly note: (note: Note) => void;
  /** Whether a person can answer questions now. */
  readonly canAsk?: () => boolean;
  /** Opens the transport to an exchange. Default: HTTP. */
  readonly reach?: Reach;
  /** The signal that stops the work in order. Default: signals of the process do. */
  readonly stop?: AbortSignal;
  /** Listens for signals of the process; absent in a process that belongs to another program. */
  readonly onSignal?: OnSignal;
  /** Whether the process does nothing else: settings of V8 for it may change. */
  readonly isOwnProcess?: true;
  /** Whether the process continues beside its runs: a signal for one of them would end it. */
  readonly hasOtherWork?: true;
  /**
   * Whether another machine may have just sent requests for the same accounts: the rate limits start used up.
   */
  readonly startsFull?: true;
  /** The shared state of the project, opened once for many commands. Default: each command opens it. */
  readonly store?: StateStore;
  /** The queue of the shared state, opened once for many commands. Default: each command opens it. */
  readonly jobs?: Jobs;
  /** Sends traces of runs; absent unless the environment names a collector. */
  readonly traces?: TraceExporter;
  /** Rate limits that machines share, opened once for many commands. Default: each command opens them. */
  readonly paces?: SharedPaces;
  /** Whether this process executes queued runs: no person is at its machine. */
  readonly isWorker?: true;
  /** How long a store without an answer is asked again. Default: 10 seconds; a worker does not ask again. */
  readonly patience?: Millis;
  /** Contents that a program gives by value, in place of files. */
  readonly given?: GivenFiles;
  /** Keys given by value, by the name of their profile. */
  readonly credentials?: ReadonlyMap<string, Credentials>;
  /** Signed records about the plan that came with a job, or that the store has. */
  readonly kept?: readonly SignedFile[];
}

export interface GivenFiles {
  /** The text of the configuration. */
  readonly config?: string;
  /** The playbook that a plan is compared with, as if a file of that name had this text. */
  readonly playbook?: { readonly file: string; readonly text: string };
}

export interface AppChoices {
  /** The profile that takes precedence over the account of a playbook. */
  readonly profile?: string;
  /** Path of the configuration file; default: the nearest deskhand.yaml. */
  readonly config?: string;
  /** Address of the state store; default: as configured. */
  readonly store?: string;
}

/**
 * Listens for signals until the returned function is called.
 * @param received called at the first signal, with its exit code
 * @param notice for a person, at the first signal
 * @param left what an immediate exit, at the second one, leaves: lines for a person
 */
export type OnSignal = (
  received: (exit: ExitCode) => void,
  notice: string,
  left: () => readonly string[],
) => () => void;

/** The folder in which a command works. */
export function folderOf({ folder }: Pick<AppContext, 'folder'>): string {
  return folder ?? process.cwd();
}
