/** What planning and running need from the program around them: the command line, or another one. */
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
  /** Receives what a person should know, in addition to results and errors. */
  readonly note: (note: Note) => void;
  /** Whether a person is there to answer. */
  readonly canAsk?: () => boolean;
  /** Opens the transport to an exchange; default: HTTP. */
  readonly reach?: Reach;
  /** Aborted to stop the work in order; default: by signals. */
  readonly stop?: AbortSignal;
  /** Listens for signals of the process; absent in a process that belongs to another program. */
  readonly onSignal?: OnSignal;
  /** Whether the process does nothing else: settings of V8 for it may change. */
  readonly isOwnProcess?: true;
  /** Whether the process continues beside its runs: a signal for one of them would end it. */
  readonly hasOtherWork?: true;
  /** Whether another machine may have sent requests of its accounts until now. */
  readonly startsFull?: true;
  /** The shared state of the project, opened once for many commands; default: for each. */
  readonly store?: StateStore;
  /** The queue of that state, opened once for many commands; default: for each. */
  readonly jobs?: Jobs;
  /** Sends traces of runs; absent unless the environment names a collector. */
  readonly traces?: TraceExporter;
  /** Rate limits that machines share, opened once for many commands; default: for each. */
  readonly paces?: SharedPaces;
  /** Whether this process executes queued runs: nobody is at its machine. */
  readonly isWorker?: true;
  /** How long a store without an answer is asked again; default: 10 seconds, of a worker none. */
  readonly patience?: Millis;
  /** Keys given by value, by the name of their profile. */
  readonly credentials?: ReadonlyMap<string, Credentials>;
  /** Signed records about its plan that came with a job, or that the store has. */
  readonly kept?: readonly SignedFile[];
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

/** The folder of the work. */
export function folderOf({ folder }: Pick<AppContext, 'folder'>): string {
  return folder ?? process.cwd();
}
