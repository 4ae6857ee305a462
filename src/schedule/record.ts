/** What a scheduler did and did not do, in the order it happened: one line of JSON each. */
import type { Millis } from '../base/clock.ts';
import type { ExitCode } from '../base/error.ts';
import type { Left } from './decide.ts';

/** One outcome of an occurrence. */
export type ScheduleEvent =
  /** The time was taken; its run begins now. */
  | { readonly kind: 'taken'; readonly occurrence: Millis }
  /** Its run ended, or could not begin: then `run` is absent or names one that is there. */
  | ({ readonly kind: 'ended'; readonly occurrence: Millis } & Ended)
  /** Another process had taken it. */
  | { readonly kind: 'gone'; readonly occurrence: Millis; readonly message: string }
  /** Times that are not run. */
  | ({ readonly kind: 'left' } & Left)
  /** What was known of it could not be read: it counts from now, as if it were new. */
  | { readonly kind: 'forgotten' }
  /** The machine slept, or its clock was set: by so much, ahead or back. */
  | { readonly kind: 'clock'; readonly ms: Millis }
  /** Someone was to be reported and was not. */
  | { readonly kind: 'unheard'; readonly message: string };

/** How a run on a schedule ended. */
export interface Ended {
  readonly status: 'done' | 'stopped' | 'doubt' | 'interrupted' | 'not-begun';
  readonly exit: ExitCode;
  readonly run?: string;
  /** What a person should know, when it is not done. */
  readonly message?: string;
  readonly hint?: string;
}

/** An event with its time by the machine's clock, and whose it is. */
export type ScheduleRecord = ScheduleEvent & {
  readonly version: 1;
  readonly at: Millis;
  /** Absent where it is of no schedule. */
  readonly schedule?: string;
  readonly playbook?: string;
  readonly profile?: string;
};
