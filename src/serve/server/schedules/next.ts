/** The next occurrence of each schedule of a desk. */
import { choice, optional, record, text, truth, type Infer } from '../../../exchange/api/schema.ts';
import type { Millis } from '../../../base/clock.ts';
import { plainText } from '../../../base/text.ts';
import { openPause } from '../../../app/schedule/pause.ts';
import { occurrenceAfter } from '../../../app/schedule/occurrences.ts';
import type { Desk } from '../desk.ts';
import { moment } from '../shapes.ts';

export const nextOccurrence = record({
  desk: text(),
  schedule: text({ description: 'Its id' }),
  playbook: text(),
  cron: text(),
  timezone: text(),
  at: optional(moment('When it begins; absent if it is never due again')),
  missed: choice(['skip', 'once', 'all']),
  isPaused: truth,
});

type NextOccurrence = Infer<typeof nextOccurrence>;

/** The next occurrences; none while the schedules cannot be read, which `deskNeeds` reports. */
export async function nextOf(desk: Desk, now: Millis): Promise<readonly NextOccurrence[]> {
  const all = await desk.board?.read().catch(() => undefined);
  return (all?.schedules ?? []).map((schedule) => {
    const { id, playbook, cron, timezone, delayMs, missed } = schedule;
    const occurrence = occurrenceAfter(schedule, now - delayMs);
    return {
      desk: desk.name,
      schedule: id,
      playbook: plainText(playbook, 80),
      cron: plainText(cron, 100),
      timezone: plainText(timezone, 60),
      ...(occurrence !== undefined && { at: occurrence + delayMs }),
      missed,
      isPaused: openPause(all?.pauses ?? [], schedule) !== undefined,
    };
  });
}
