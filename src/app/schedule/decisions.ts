/** The record of a scheduler: what it ran and what it skipped, in chronological order, one line of JSON each.
 */
import type { Millis } from '../../base/clock.ts';
import type { ExitCode } from '../../base/error.ts';
import type { Left } from './decide.ts';

/** An event of a scheduler, such as the outcome of an occurrence. */
export type ScheduleEvent =
  /** The occurrence was claimed; its run starts now. */
  | { readonly kind: 'taken'; readonly occurrence: Millis }
  /**
   * The run of the occurrence ended, did not end, or could not start. A later record of the occurrence
   * replaces it.
   */
  | ({ readonly kind: 'ended'; readonly occurrence: Millis } & Ended)
  /** Another process had claimed the occurrence. */
  | { readonly kind: 'gone'; readonly occurrence: Millis; readonly message: string }
  /** Skipped occurrences. */
  | ({ readonly kind: 'left' } & Left)
  /** The record of the schedule could not be read: it counts from now, like a new schedule. */
  | { readonly kind: 'forgotten' }
  /** A person paused or resumed a schedule, by its id, or all schedules of a playbook, by its name. */
  | {
      readonly kind: 'paused' | 'resumed';
      readonly name: string;
      readonly who: string;
      readonly why: string;
    }
  /**
   * The machine was suspended, or its clock was set: the milliseconds that its clock moved, forward or back.
   */
  | { readonly kind: 'clock'; readonly ms: Millis }
  /** A notice could not be delivered. */
  | { readonly kind: 'unheard'; readonly message: string };

/** The end of a scheduled run, or its state if it is unfinished: it continues, or waits for a resume. */
export interface Ended {
  readonly status: 'done' | 'stopped' | 'doubt' | 'interrupted' | 'unfinished' | 'not-begun';
  readonly exit: ExitCode;
  readonly run?: string;
  /** A message for people if it was not done. */
  readonly message?: string;
  readonly hint?: string;
  /** The approval that the run needs to start. */
  readonly awaits?: 'approval';
  /**
   * The cause if the run's process did not record its end: the process was killed, crashed, or lost the run.
   */
  readonly cause?: 'crash';
}

/** An event with its time by the machine's clock, and its schedule. */
export type ScheduleRecord = ScheduleEvent & {
  readonly version: 1;
  readonly at: Millis;
  /** The name of the machine, if several share the record. */
  readonly host?: string;
  /** The id of the schedule; absent for an event that belongs to no schedule. */
  readonly schedule?: string;
  readonly playbook?: string;
  readonly profile?: string;
};
