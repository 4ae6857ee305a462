/** `schedule list`: every schedule with its next and last occurrence. */
import type { Millis } from '../../base/clock.ts';
import { exits, type ExitCode } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import type { ScheduleRecord } from '../../app/schedule/decisions.ts';
import type { Schedule } from '../../app/schedule/schedule.ts';
import { shownTime } from '../../app/schedule/slot.ts';
import { leftText } from '../../app/schedule/skipped-words.ts';
import { storeIn } from '../../app/schedule/stored.ts';
import { occurrenceAfter } from '../../app/schedule/occurrences.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { configOf } from '../../app/config/opened.ts';
import { noneScheduled, schedulesNamed, printLeft } from '../schedule/found.ts';
import { openPause, pausesIn, type Pause } from '../../app/schedule/pause.ts';
import { placeOf } from '../../app/schedule/shared-place.ts';
import { columns } from '../../report/terminal/columns.ts';
import type { Theme } from '../../report/terminal/theme.ts';
import { endText, pauseText, timesOf, zonedTime } from '../screens/schedule.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { terminal, clock } = context;
  const { out } = terminal;
  const format = outputOf(context, ['text', 'json']);
  const config = await configOf(context);
  const found = await schedulesNamed(args.positionals, config, context);
  const place = await placeOf(config, context);
  const store = storeIn(place, clock);
  const { pauses } = await pausesIn(place);
  const records = await store.records();
  const rows = await Promise.all(
    found.schedules.map(async (schedule): Promise<Row> => {
      const { standing } = await store.standing(schedule.id);
      const occurrence = occurrenceAfter(schedule, clock.now() - schedule.delayMs);
      const last = records.findLast((record) => saysWhatBecame(record, schedule));
      const waiting = typeof standing === 'object' ? standing.waiting : [];
      const paused = openPause(pauses, schedule);
      return { schedule, next: occurrence, waiting, last, ...(paused && { paused }) };
    }),
  );
  if (format === 'json') {
    out.json({ version: 1, schedules: rows.map(dataOf), left: found.left });
  } else {
    for (const line of textOf(rows, out.theme)) out.line(line);
    if (rows.length === 0 && found.left.length === 0) out.line(noneScheduled(found));
    printLeft(found, new Set(), context);
  }
  return found.left.length === 0 ? exits.done : exits.invalid;
}

interface Row {
  readonly schedule: Schedule;
  readonly next: number | undefined;
  /** Occurrences that are due and have not started. */
  readonly waiting: readonly Millis[];
  /** The outcome of the last occurrence. */
  readonly last: ScheduleRecord | undefined;
  readonly paused?: Pause;
}

function saysWhatBecame(record: ScheduleRecord, { id }: Schedule): boolean {
  return record.schedule === id && ['taken', 'ended', 'left'].includes(record.kind);
}

function dataOf({ schedule, next, waiting, last, paused }: Row): object {
  return {
    ...schedule,
    ...(next !== undefined && { next: next + schedule.delayMs, nextFor: next }),
    waiting,
    ...(last && { last }),
    ...(paused && { paused }),
  };
}

function textOf(rows: readonly Row[], theme: Theme): string[] {
  const { paint } = theme;
  return rows.flatMap(({ schedule, next, waiting, last, paused }) => {
    const { id, file, profile, timezone, writes, missed, overlap } = schedule;
    const due =
      next === undefined ? 'never again' : `${zonedTime(next, timezone)} (${shownTime(next)})`;
    const lines: (readonly string[])[] = [
      [paint('faint', 'when'), timesOf(schedule)],
      [paint('faint', 'next'), due],
      ...(paused === undefined ? [] : [[paint('warn', 'paused'), pauseText(paused)]]),
      [paint('faint', 'last'), lastText(last, theme)],
      [
        paint('faint', 'rules'),
        `${writes ? 'writes' : 'only reads'}; missed: ${missed}; overlap: ${overlap}`,
      ],
    ];
    if (waiting.length > 0) {
      lines.push([paint('faint', 'waits'), waiting.map(shownTime).join(', ')]);
    }
    const head = `${paint('strong', plainText(schedule.playbook, 60))}  ${id}  ${plainText(file, 120)} on ${profile}`;
    return [head, ...columns(lines, theme, { indent: 2 })];
  });
}

function lastText(last: ScheduleRecord | undefined, theme: Theme): string {
  switch (last?.kind) {
    case 'ended':
      return `${endText(last, theme)} ${shownTime(last.occurrence)} ${last.run ?? ''}`.trimEnd();
    case 'taken':
      return `${shownTime(last.occurrence)} is running, or its process crashed: see \`deskhand runs list\``;
    case 'left':
      return leftText(last);
    default:
      return 'none yet';
  }
}
