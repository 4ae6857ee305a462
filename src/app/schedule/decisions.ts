/** What a scheduler did and did not do, in chronological order: one line of JSON each. */
import type { Millis } from '../../base/clock.ts';
import type { ExitCode } from '../../base/error.ts';
import type { Left } from './decide.ts';

/** The outcome of an occurrence. */
export type ScheduleEvent =
  /** The occurrence was claimed; its run starts now. */
  | { readonly kind: 'taken'; readonly occurrence: Millis }
  /** Its run ended, did not, or could not start. A later one of the same occurrence replaces it. */
  | ({ readonly kind: 'ended'; readonly occurrence: Millis } & Ended)
  /** Another process had claimed it. */
  | { readonly kind: 'gone'; readonly occurrence: Millis; readonly message: string }
  /** Skipped occurrences. */
  | ({ readonly kind: 'left' } & Left)
  /** Its record could not be read: it counts from now, like a new schedule. */
  | { readonly kind: 'forgotten' }
  /** A person paused or resumed a schedule, by its id, or all of a playbook, by its name. */
  | {
      readonly kind: 'paused' | 'resumed';
      readonly name: string;
      readonly who: string;
      readonly why: string;
    }
  /** The machine was suspended, or its clock was set: by so much, forward or back. */
  | { readonly kind: 'clock'; readonly ms: Millis }
  /** A notice could not be delivered. */
  | { readonly kind: 'unheard'; readonly message: string };

/** How a scheduled run ended, or what it is: an unfinished one continues, or waits for a resume. */
export interface Ended {
  readonly status: 'done' | 'stopped' | 'doubt' | 'interrupted' | 'unfinished' | 'not-begun';
  readonly exit: ExitCode;
  readonly run?: string;
  /** A message for people if it was not done. */
  readonly message?: string;
  readonly hint?: string;
  /** What it needs to start. */
  readonly awaits?: 'approval';
  /** Its process did not record its end: it was killed, crashed, or lost the run. */
  readonly cause?: 'crash';
}

/** An event with its time by the machine's clock, and its schedule. */
export type ScheduleRecord = ScheduleEvent & {
  readonly version: 1;
  readonly at: Millis;
  /** The machine, if several share the record. */
  readonly host?: string;
  /** Absent if it belongs to no schedule. */
  readonly schedule?: string;
  readonly playbook?: string;
  readonly profile?: string;
};
