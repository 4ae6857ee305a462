/** `schedule list`: every schedule, when it is due next, and what became of its last time. */
import type { Millis } from '../../base/clock.ts';
import { exits, type ExitCode } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import { stateFiles } from '../../schedule/files.ts';
import type { ScheduleRecord } from '../../schedule/record.ts';
import type { Schedule } from '../../schedule/schedule.ts';
import { shownTime } from '../../schedule/slot.ts';
import { storeIn } from '../../schedule/store.ts';
import { tickAfter } from '../../schedule/ticks.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { configOf } from '../running/work.ts';
import { noneScheduled, schedulesIn, tellLeft } from '../schedule/found.ts';
import { columns } from '../screens/columns.ts';
import type { Look } from '../screens/look.ts';
import { endText, leftText, timesOf, zonedTime } from '../screens/schedule.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  const { terminal, clock } = context;
  const { out } = terminal;
  const format = outputOf(context, ['text', 'json']);
  const config = await configOf(context);
  const found = await schedulesIn(given.words, config, context);
  const store = storeIn(config.stateDir, stateFiles, clock);
  const records = await store.records();
  const rows = await Promise.all(
    found.schedules.map(async (schedule): Promise<Row> => {
      const standing = await store.standing(schedule.id);
      const tick = tickAfter(schedule, clock.now() - schedule.delayMs);
      const last = records.findLast((record) => saysWhatBecame(record, schedule));
      const waiting = typeof standing === 'object' ? standing.waiting : [];
      return { schedule, next: tick, waiting, last };
    }),
  );
  if (format === 'json') {
    out.line(JSON.stringify({ version: 1, schedules: rows.map(dataOf), left: found.left }));
  } else {
    for (const line of textOf(rows, out.look)) out.line(line);
    if (rows.length === 0 && found.left.length === 0) out.line(noneScheduled(found));
    tellLeft(found, new Set(), context);
  }
  return found.left.length === 0 ? exits.done : exits.invalid;
}

interface Row {
  readonly schedule: Schedule;
  readonly next: number | undefined;
  /** Times that are due and not begun. */
  readonly waiting: readonly Millis[];
  /** What became of its last time. */
  readonly last: ScheduleRecord | undefined;
}

function saysWhatBecame(record: ScheduleRecord, { id }: Schedule): boolean {
  return record.schedule === id && ['taken', 'ended', 'left'].includes(record.kind);
}

function dataOf({ schedule, next, waiting, last }: Row): object {
  return {
    ...schedule,
    ...(next !== undefined && { next: next + schedule.delayMs, nextFor: next }),
    waiting,
    ...(last && { last }),
  };
}

function textOf(rows: readonly Row[], look: Look): string[] {
  const { paint } = look;
  return rows.flatMap(({ schedule, next, waiting, last }) => {
    const { id, file, profile, timezone, writes, missed, overlap } = schedule;
    const due =
      next === undefined ? 'never again' : `${zonedTime(next, timezone)} (${shownTime(next)})`;
    const lines: (readonly string[])[] = [
      [paint('faint', 'when'), timesOf(schedule)],
      [paint('faint', 'next'), due],
      [paint('faint', 'last'), lastText(last, look)],
      [
        paint('faint', 'rules'),
        `${writes ? 'writes' : 'only reads'}; missed: ${missed}; overlap: ${overlap}`,
      ],
    ];
    if (waiting.length > 0) {
      lines.push([paint('faint', 'waits'), waiting.map(shownTime).join(', ')]);
    }
    const head = `${paint('strong', plainText(schedule.playbook, 60))}  ${id}  ${plainText(file, 120)} on ${profile}`;
    return [head, ...columns(lines, look, { indent: 2 })];
  });
}

function lastText(last: ScheduleRecord | undefined, look: Look): string {
  switch (last?.kind) {
    case 'ended':
      return `${endText(last, look)} ${shownTime(last.tick)} ${last.run ?? ''}`.trimEnd();
    case 'taken':
      return `${shownTime(last.tick)} goes on, or its process died: see «deskhand runs list»`;
    case 'left':
      return leftText(last);
    default:
      return 'none yet';
  }
}
