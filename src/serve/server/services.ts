/** What the command line gives the server for a desk: the functions of its verbs. They work in the
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
  /** Whether this server starts what is due. */
  readonly isKept: boolean;
  /** Reads the playbooks again. */
  readonly find: () => Promise<FoundSchedules>;
  /** Where schedulers keep their records. */
  readonly place: () => Promise<SchedulePlace>;
  /** @throws UsageError as the verbs do */
  readonly pause: (asked: Asked) => Promise<Pause>;
  readonly resume: (asked: Asked) => Promise<Pause>;
}

/** A schedule or a playbook by its name, the person, and the reason. */
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
  /** Whether one runs here, or has a stored world. */
  readonly exists: () => boolean;
  /** Which one it is: `the sandbox of this folder`. */
  readonly words: () => Promise<string>;
  /** One request to its control interface. @throws UsageError when it refuses */
  readonly control: (request: ControlRequest) => Promise<unknown>;
  /** @returns where the files of the earlier world are kept, if it was stored */
  readonly reset: () => Promise<string | undefined>;
}

/** The queue of a shared store: what workers do for this desk. Every function throws StoreError. */
export interface QueueService {
  readonly read: () => Promise<QueueState>;
  /** As `runs cancel`, in the name of a person. */
  readonly stop: (job: string, who: string) => Promise<JobStop>;
  /** A plan of this machine or of the store. @throws as the verbs do when there is none */
  readonly plan: (id: string) => Promise<Plan>;
  /** Ends its connections. */
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
  /** The id of its run; of a plan, any. */
  readonly id: string;
  readonly kind: 'plan' | 'run' | 'resume';
  readonly playbook: string;
  readonly profiles: readonly string[];
  /** Who queued it. */
  readonly by: string;
  readonly age: Millis;
  /** The worker that has it now; absent while it is queued. */
  readonly worker?: string;
  /** Who asked for its end. */
  readonly stoppedBy?: string;
  /** Why no live worker can take it. */
  readonly unserved?: string;
  /** What it waits for otherwise. */
  readonly waits?: string;
}
