/** JSON output of the schedule commands. */
import { list, optional, record, text, type Infer } from '../../exchange/api/schema.ts';
import { exitCode } from '../../engine/journal/outcome.ts';
import { millis } from '../../engine/journal/shared-schema.ts';
import { occurrence, pauseShape, scheduleRecord } from '../schedule/record-shape.ts';
import { scheduleSchema } from '../schedule/schedule.ts';
import { one } from './common.ts';

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
          paused: optional(pauseShape),
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
  pause: pauseShape,
  schedules: list(text(), { description: 'The ids that it applies to here' }),
});

export const scheduleLogOutput = record({ version: one, records: list(scheduleRecord) });

export type ScheduleNextOutput = Infer<typeof scheduleNextOutput>;
export type ScheduleRunDueOutput = Infer<typeof scheduleRunDueOutput>;
export type ScheduleLogOutput = Infer<typeof scheduleLogOutput>;
export type SchedulePauseOutput = Infer<typeof schedulePauseOutput>;
