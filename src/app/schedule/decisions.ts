/** The record of a scheduler: what it ran and what it skipped, in chronological order, one line of JSON each.
 */
import type { Infer } from '../../exchange/api/schema.ts';
import type { endShape, placeOfRecord, scheduleRecord } from './record-shape.ts';

/** The end of a scheduled run, or its state if it is unfinished: it continues, or waits for a resume. */
export type Ended = Infer<typeof endShape>;

/** An event with its time by the machine's clock, and its schedule. */
export type ScheduleRecord = Infer<typeof scheduleRecord>;

/** An event of a scheduler, such as the outcome of an occurrence. */
export type ScheduleEvent = WithoutPlace<ScheduleRecord>;

type WithoutPlace<R> = R extends ScheduleRecord ? Omit<R, keyof typeof placeOfRecord> : never;
