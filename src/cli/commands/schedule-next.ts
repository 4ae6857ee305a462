/** `schedule next`: the next occurrences of all schedules, in order. */
import type { Millis } from '../../base/clock.ts';
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import type { Schedule } from '../../app/schedule/schedule.ts';
import { shownTime } from '../../app/schedule/slot.ts';
import { occurrencesAfter } from '../../app/schedule/occurrences.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { configOf } from '../../app/config/opened.ts';
import type { ScheduleNextOutput } from '../../app/documents/schedule-documents.ts';
import { noneScheduled, schedulesNamed, printLeft } from '../schedule/found.ts';
import { columns } from '../../report/terminal/columns.ts';
import { zonedTime } from '../screens/schedule.ts';

const usualCount = 10;
const countMost = 1_000; // a longer list is not useful

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { terminal, clock } = context;
  const { out } = terminal;
  const format = outputOf(context, ['text', 'json']);
  const many = countIn(args.text('count'));
  const found = await schedulesNamed(args.positionals, await configOf(context), context);
  const times = found.schedules
    .flatMap((schedule) => firstOf(schedule, clock.now(), many))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, many);
  if (format === 'json') {
    const data = times.map(({ schedule, at, occurrence }) => {
      const { id, playbook, file, profile } = schedule;
      return { schedule: id, playbook, file, profile, at, scheduledFor: occurrence };
    });
    out.json({ version: 1, times: data, left: found.left } satisfies ScheduleNextOutput);
  } else if (times.length === 0) {
    if (found.left.length === 0) out.line(noneScheduled(found));
  } else {
    const rows = times.map(({ schedule, at, occurrence }) => [
      shownTime(at),
      zonedTime(occurrence, schedule.timezone),
      out.theme.paint('strong', plainText(schedule.playbook, 60)),
      schedule.only.length === 0 ? '' : `only ${plainText(schedule.only.join(', '), 80)}`,
    ]);
    out.line(columns(rows, out.theme, { indent: 0 }).join('\n'));
  }
  if (format === 'text') printLeft(found, new Set(), context);
  return found.left.length === 0 ? exits.done : exits.invalid;
}

interface Time {
  readonly schedule: Schedule;
  /** The time when the run starts. */
  readonly at: Millis;
  /** The scheduled time of the occurrence. */
  readonly occurrence: Millis;
}

function firstOf(schedule: Schedule, now: Millis, many: number): readonly Time[] {
  const times: Time[] = [];
  for (const occurrence of occurrencesAfter(schedule, now - schedule.delayMs)) {
    times.push({ schedule, at: occurrence + schedule.delayMs, occurrence });
    if (times.length === many) break;
  }
  return times;
}

function countIn(text: string | undefined): number {
  if (text === undefined) return usualCount;
  if (/^\d{1,4}$/.test(text) && Number(text) > 0 && Number(text) <= countMost) return Number(text);
  throw new UsageError(
    `--count is a whole number from 1 to ${countMost}, not ${JSON.stringify(text)}`,
  );
}
