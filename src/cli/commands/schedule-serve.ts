/** `schedule serve`: runs the schedules of this folder until it is stopped. */
import { exits, type ExitCode } from '../../base/error.ts';
import { count, plainText, spoken } from '../../base/text.ts';
import type { ScheduleRecord } from '../../schedule/record.ts';
import type { Schedule } from '../../schedule/schedule.ts';
import type { NextRun } from '../../schedule/watch.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { zonedTime } from '../screens/schedule.ts';
import { stoppable } from '../../session/machine/interrupt.ts';
import { configOf } from '../../session/config.ts';
import { schedulesIn } from '../schedule/found.ts';
import { keepSchedules } from '../schedule/keep.ts';
import { printRecord } from '../schedule/scheduler.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { terminal, clock } = context;
  const { err } = terminal;
  const format = outputOf(context, ['text', 'ndjson']);
  const config = await configOf(context);
  const find = () => schedulesIn(args.positionals, config, context);
  await find(); // an unknown name is reported immediately
  let kept = '';
  return stoppable(context, async (interruption) => {
    await keepSchedules(
      {
        config,
        interruption,
        find,
        onSchedules: (schedules) => {
          const now = namesOf(schedules);
          if (now !== kept) err.line(`watching ${now}`);
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

function namesOf(schedules: readonly Schedule[]): string {
  if (schedules.length === 0) return 'no playbook here has a schedule';
  const names = [...new Set(schedules.map(({ playbook }) => plainText(playbook, 60)))];
  return `${count(schedules.length, 'schedule')} of ${names.join(', ')}`;
}
