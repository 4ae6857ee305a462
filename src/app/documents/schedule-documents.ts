/** JSON output of the schedule commands. */
import {
  choice,
  list,
  oneOf,
  optional,
  record,
  text,
  type Infer,
  type Schema,
} from '../../exchange/api/schema.ts';
import { exitCode } from '../../engine/journal/outcome.ts';
import { count, millis } from '../../engine/journal/shared-schema.ts';
import type { ScheduleRecord } from '../schedule/decisions.ts';
import { scheduleSchema } from '../schedule/schedule.ts';
import { one } from './common.ts';

const of = {
  version: one,
  at: millis('By the clock of the machine'),
  host: optional(text({ description: 'The machine, if several share the record' })),
  schedule: optional(text()),
  playbook: optional(text()),
  profile: optional(text()),
};

const occurrence = millis('The time of the schedule');

/** A record of a scheduler: an occurrence that it ran or skipped, or another event. */
export const scheduleRecord: Schema<ScheduleRecord> = oneOf(
  record({ kind: choice(['taken']), occurrence, ...of }),
  record({
    kind: choice(['ended']),
    occurrence,
    status: choice(['done', 'stopped', 'doubt', 'interrupted', 'unfinished', 'not-begun']),
    exit: exitCode,
    run: optional(text()),
    message: optional(text()),
    hint: optional(text()),
    awaits: optional(choice(['approval'], { description: 'What it needs to start' })),
    cause: optional(choice(['crash'], { description: 'Its process did not record this itself' })),
    ...of,
  }),
  record({ kind: choice(['gone']), occurrence, message: text(), ...of }),
  record({
    kind: choice(['left']),
    why: choice(['missed', 'covered', 'overlap', 'too-old', 'paused']),
    from: millis('First of them'),
    to: millis('Last of them'),
    count,
    ...of,
  }),
  record({ kind: choice(['forgotten']), ...of }),
  record({
    kind: choice(['paused', 'resumed']),
    name: text({ description: 'The id of a schedule, or a playbook: all its schedules' }),
    who: text(),
    why: text(),
    ...of,
  }),
  record({ kind: choice(['clock']), ms: millis('How far the clock moved'), ...of }),
  record({ kind: choice(['unheard']), message: text(), ...of }),
);

/** A pause of a schedule, or of all schedules of a playbook. */
const pauseData = record({
  name: text({ description: 'What was paused: a schedule or a playbook' }),
  at: millis('Since when'),
  who: text(),
  why: text(),
  until: optional(millis('When it ended')),
});

/** Playbooks whose schedules were skipped, with the reason. */
const left = list(record({ file: text(), because: text() }));

export const scheduleListOutput = record({
  version: one,
  schedules: list({
    json: {
      ...scheduleSchema.json,
      allOf: [
        record({
          next: optional(millis('When it begins next')),
          nextFor: optional(occurrence),
          waiting: list(occurrence, {
            description: 'Occurrences that are due and have not started',
          }),
          last: optional(scheduleRecord),
          paused: optional(pauseData),
        }).json,
      ],
    },
  }),
  left,
});

export const scheduleNextOutput = record({
  version: one,
  times: list(
    record({
      schedule: text(),
      playbook: text(),
      file: text(),
      profile: text(),
      at: millis('When it begins'),
      scheduledFor: occurrence,
    }),
  ),
  left,
});

export const scheduleRunDueOutput = record({
  version: one,
  records: list(scheduleRecord),
  left,
  exit: exitCode,
});

export const schedulePauseOutput = record({
  version: one,
  pause: pauseData,
  schedules: list(text(), { description: 'The ids that it applies to here' }),
});

export const scheduleLogOutput = record({ version: one, records: list(scheduleRecord) });

export type ScheduleNextOutput = Infer<typeof scheduleNextOutput>;
export type ScheduleRunDueOutput = Infer<typeof scheduleRunDueOutput>;
export type ScheduleLogOutput = Infer<typeof scheduleLogOutput>;
export type SchedulePauseOutput = Infer<typeof schedulePauseOutput>;
