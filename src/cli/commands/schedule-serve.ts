/** `schedule serve`: runs the schedules of this folder until it is stopped. */
import process from 'node:process';
import { exits, type ExitCode } from '../../base/error.ts';
import { count, listed, plainText, spoken } from '../../base/text.ts';
import type { ScheduleRecord } from '../../app/schedule/decisions.ts';
import type { Schedule } from '../../app/schedule/schedule.ts';
import type { NextRun } from '../../app/schedule/watch.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { zonedTime } from '../screens/schedule.ts';
import { stoppable } from '../../app/machine/interrupt.ts';
import { configOf } from '../../app/config/opened.ts';
import { schedulesNamed } from '../schedule/found.ts';
import { keepSchedules } from '../../app/schedule/keeping.ts';
import { keepingScreen, printRecord, scheduleScreen } from '../schedule/screen.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { terminal, clock } = context;
  const { err } = terminal;
  const format = outputOf(context, ['text', 'ndjson']);
  const config = await configOf(context);
  const find = () => schedulesNamed(args.positionals, config, context);
  await find(); // an unknown name is reported immediately
  let kept = '';
  return stoppable(context, async (interruption) => {
    await keepSchedules(
      {
        config,
        interruption,
        find,
        runs: { kind: 'here', screen: scheduleScreen(context) },
        ...keepingScreen(context),
        onSchedules: (schedules) => {
          const now = watchingWords(schedules, args.positionals);
          if (now !== kept) err.line(now);
          kept = now;
        },
        onRecord: (record: ScheduleRecord): void => {
          if (format === 'ndjson') terminal.out.json(record);
          else printRecord(record, context);
        },
        onNext: (next: NextRun | undefined): void => {
          if (next === undefined || format === 'ndjson') return;
          const { schedule, at } = next;
          const when = `${zonedTime(at, schedule.timezone)}, in ${spoken(at - clock.now())}`;
          err.line(`next ${plainText(schedule.playbook, 60)} at ${when}`);
        },
      },
      context,
    );
    return interruption.exit() ?? exits.done;
  });
}

/**
 * The words that describe the watched schedules.
 * @param files as named; none: those of this folder
 */
function watchingWords(schedules: readonly Schedule[], files: readonly string[]): string {
  if (schedules.length === 0) {
    const named = plainText(listed(files), 200);
    const where = files.length === 0 ? `in ${plainText(process.cwd(), 200)}` : `among ${named}`;
    return `no playbook ${where} has a schedule, so nothing runs: add \`schedule:\` to one; it is read within a minute`;
  }
  const names = [...new Set(schedules.map(({ playbook }) => plainText(playbook, 60)))];
  return `watching ${count(schedules.length, 'schedule')} of ${names.join(', ')}`;
}
