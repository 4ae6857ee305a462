/** The format of a scheduler's record, for its reader and for programs. */
import { shapeCheck } from '../../exchange/api/check.ts';
import {
  choice,
  exactly,
  integer,
  oneOf,
  optional,
  record,
  text,
} from '../../exchange/api/schema.ts';
import { exitCode } from '../../engine/journal/outcome.ts';
import { endStatuses } from '../../engine/journal/end-status.ts';
import { count } from '../../engine/journal/shared-schema.ts';
import { leftReasons } from './decide.ts';

const latest = Date.UTC(9999, 11, 31); // names of later times have another format

/** A time that can be shown. */
export function isMoment(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= latest;
}

const moment = (description: string) => integer({ minimum: 0, maximum: latest, description });

/** The fields of every record: the time of the machine, and the schedule, unless it belongs to none. */
export const placeOfRecord = {
  version: exactly(1),
  at: moment('By the clock of the machine'),
  host: optional(text({ description: 'The machine, if several share the record' })),
  schedule: optional(text()),
  playbook: optional(text()),
  profile: optional(text()),
};

export const occurrence = moment('The time of the schedule');

const end = {
  status: choice([...endStatuses, 'unfinished', 'not-begun']),
  exit: exitCode,
  run: optional(text()),
  /** A message for people if it was not done. */
  message: optional(text()),
  hint: optional(text()),
  awaits: optional(choice(['approval'], { description: 'What it needs to start' })),
  cause: optional(choice(['crash'], { description: 'Its process did not record this itself' })),
};
export const endShape = record(end);

/** A record of a scheduler: an occurrence that it ran or skipped, or another event. */
export const scheduleRecord = oneOf(
  // The occurrence was claimed; its run starts now.
  record({ kind: choice(['taken']), occurrence, ...placeOfRecord }),
  // The run of the occurrence ended, did not end, or could not start. A later record replaces it.
  record({ kind: choice(['ended']), occurrence, ...end, ...placeOfRecord }),
  // Another process had claimed the occurrence.
  record({ kind: choice(['gone']), occurrence, message: text(), ...placeOfRecord }),
  record({
    kind: choice(['left']),
    why: choice(leftReasons),
    from: moment('First of them'),
    to: moment('Last of them'),
    count,
    ...placeOfRecord,
  }),
  // The record of the schedule could not be read: it counts from now, like a new schedule.
  record({ kind: choice(['forgotten']), ...placeOfRecord }),
  record({
    kind: choice(['paused', 'resumed']),
    name: text({ description: 'The id of a schedule, or a playbook: all its schedules' }),
    who: text(),
    why: text(),
    ...placeOfRecord,
  }),
  // The machine was suspended, or its clock was set.
  record({
    kind: choice(['clock']),
    ms: integer({ description: 'How far the clock moved' }),
    ...placeOfRecord,
  }),
  // A notice could not be delivered.
  record({ kind: choice(['unheard']), message: text(), ...placeOfRecord }),
);

/** Whether a stored value is a record of this version or an earlier one: people may edit the file. */
export const isScheduleRecord = shapeCheck(scheduleRecord);

/** A pause of a schedule, or of all schedules of a playbook, also edited ones. */
export const pauseShape = record({
  name: text({ description: 'What was paused: a schedule or a playbook' }),
  at: moment('Since when'),
  who: text(),
  why: text(),
  until: optional(moment('When it ended')),
});
