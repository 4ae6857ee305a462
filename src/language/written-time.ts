/** Times as people write them: `2026-01-31`, `2026-01-31T08:00:00+08:00`, Unix milliseconds. */
import { isInSeconds, momentIn, type Millis } from '../base/clock.ts';

/** How to write a time, for messages. */
export const timeHint = 'write 2026-01-31, 2026-01-31T08:00:00+08:00 or Unix milliseconds';

/** The moment of a text; a date is its midnight in UTC. Undefined for any other text. */
export function writtenMoment(text: string): Millis | undefined {
  return /^\d{1,16}$/.test(text) ? Number(text) : momentIn(text);
}

/** The time of a text without an offset from UTC, represented as UTC: `2026-01-31T08:00`, or a date. */
export function writtenLocal(text: string): Millis | undefined {
  if (dateOnly.test(text)) return momentIn(text);
  return /T[\d:.]+$/.test(text) ? momentIn(`${text}Z`) : undefined;
}

/** Whether a text is a time, at least in a zone. */
export function isWrittenTime(text: string): boolean {
  if (isInSeconds(text)) return false;
  return writtenMoment(text) !== undefined || writtenLocal(text) !== undefined;
}

const dateOnly = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The moment of a text in a field of an operation, where both bounds of a range are included. A date as
 * endTime is the last millisecond before it, so that ranges from date to date share no row.
 */
export function fieldMoment(field: string, text: string): Millis | undefined {
  const moment = writtenMoment(text);
  return moment !== undefined && field === 'endTime' && dateOnly.test(text) ? moment - 1 : moment;
}
