/** The functions of the verbs that the command line gives the server for a desk. They work in the
 * folder of the process, so a server of several repositories has none.
 */
import type { JobStop } from '../../app/queue/cancel.ts';
import type { ControlRequest } from '../../app/config/control.ts';
import type { Millis } from '../../base/clock.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import type { Pause } from '../../app/schedule/pause.ts';
import type { SchedulePlace } from '../../app/schedule/place.ts';
import type { Schedule } from '../../app/schedule/schedule.ts';

export interface DeskServices {
  readonly schedules: ScheduleService;
  /** Doctor's findings about a profile, with small reads at its exchange. */
  readonly findings: (profile: string) => Promise<readonly Finding[]>;
  readonly sandbox: SandboxService;
}

export interface ScheduleService {
  /** Whether this server starts the scheduled runs that are due. */
  readonly isKept: boolean;
  /** Reads the schedules of the playbooks again. */
  readonly find: () => Promise<FoundSchedules>;
  /** Returns the place where schedulers keep their records. */
  readonly place: () => Promise<SchedulePlace>;
  /** Pauses a schedule. @throws UsageError as the verbs do */
  readonly pause: (asked: Asked) => Promise<Pause>;
  readonly resume: (asked: Asked) => Promise<Pause>;
}

/** The request of a person: a schedule or a playbook by its name, the person, and the reason. */
interface Asked {
  readonly name: string;
  readonly who: string;
  readonly why: string;
}

export interface FoundSchedules {
  readonly schedules: readonly Schedule[];
  /** Files whose schedules are skipped, with the reason. */
  readonly left: readonly { readonly file: string; readonly because: string }[];
}

/** One check of doctor. */
export interface Finding {
  readonly what: string;
  readonly status: 'ok' | 'warning' | 'failure' | 'unknown';
  readonly message: string;
  readonly fix?: string;
}

export interface SandboxService {
  /** Whether a sandbox runs here, or has a stored world. */
  readonly exists: () => boolean;
  /** The sandbox in words: `the sandbox of this folder`. */
  readonly words: () => Promise<string>;
  /** Sends one request to the sandbox's control interface. @throws UsageError when it refuses */
  readonly control: (request: ControlRequest) => Promise<unknown>;
  /**
   * Starts a new world.
   * @returns where the files of the earlier world are kept, if it was stored
   */
  readonly reset: () => Promise<string | undefined>;
}

/**
 * The queue of a shared store, whose workers serve this desk. Every function throws StoreError.
 */
export interface QueueService {
  readonly read: () => Promise<QueueState>;
  /** Stops a job as `runs cancel` does, in the name of a person. */
  readonly stop: (job: string, who: string) => Promise<JobStop>;
  /** A plan of this machine or of the store. @throws as the verbs do when there is none */
  readonly plan: (id: string) => Promise<Plan>;
  /** Ends the connections of the queue. */
  readonly close: () => Promise<void>;
}

export interface QueueState {
  /** Jobs that have not ended, in the order of queueing. */
  readonly jobs: readonly QueuedJob[];
  /** The profiles of each live worker. */
  readonly workers: readonly (readonly string[])[];
  /** Ids of the newest plans that workers made, for any machine. */
  readonly plans: readonly string[];
}

export interface QueuedJob {
  /** The id of the job, which is the id of its run; for a plan, any id. */
  readonly id: string;
  readonly kind: 'plan' | 'run' | 'resume';
  readonly playbook: string;
  readonly profiles: readonly string[];
  /** The person who queued the job. */
  readonly by: string;
  readonly age: Millis;
  /** The worker that has the job now; absent while the job is queued. */
  readonly worker?: string;
  /** The person who asked for the job's end. */
  readonly stoppedBy?: string;
  /** The reason why no live worker can take the job. */
  readonly unserved?: string;
  /** What a job that a worker could take waits for. */
  readonly waits?: string;
}
