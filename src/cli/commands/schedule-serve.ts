/** `schedule serve`: runs the schedules of this folder until it is stopped. */
import { exits, type ExitCode } from '../../base/error.ts';
import { count, plainText, spoken } from '../../base/text.ts';
import type { ScheduleRecord } from '../../schedule/record.ts';
import type { Schedule } from '../../schedule/schedule.ts';
import { watch, type NextRun } from '../../schedule/watch.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { describeError } from '../exits.ts';
import { zonedTime } from '../screens/schedule.ts';
import { stoppable } from '../session/execute.ts';
import { configOf } from '../session/config.ts';
import { schedulesIn, printLeft } from '../schedule/found.ts';
import { openScheduler, printRecord } from '../schedule/scheduler.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { terminal, clock } = context;
  const { err } = terminal;
  const format = outputOf(context, ['text', 'ndjson']);
  const config = await configOf(context);
  await schedulesIn(args.positionals, config, context); // an unknown name is reported immediately
  const printed = new Set<string>();
  let kept = '';
  return stoppable(context, async (interruption) => {
    const { drain } = interruption;
    const onRecord = (record: ScheduleRecord): void => {
      if (format === 'ndjson') terminal.out.json(record);
      else printRecord(record, context);
    };
    const schedules = async (): Promise<readonly Schedule[]> => {
      const found = await schedulesIn(args.positionals, config, context);
      printLeft(found, printed, context);
      const now = namesOf(found.schedules);
      if (now !== kept) err.line(`watching ${now}`);
      kept = now;
      return found.schedules;
    };
    const onError = (error: unknown): void => {
      const { code, message } = describeError(error);
      err.line(`${err.theme.paint('bad', 'error')}[${code}] ${plainText(message)}`);
    };
    const scheduler = await openScheduler({ config, interruption, onRecord }, context);
    const onNext = (next: NextRun | undefined): void => {
      if (next === undefined || format === 'ndjson') return;
      const { schedule, at } = next;
      const when = `${zonedTime(at, schedule.timezone)}, in ${spoken(at - clock.now())}`;
      err.line(`next ${plainText(schedule.playbook, 60)} at ${when}`);
    };
    await watch({ scheduler, clock, schedules, onNext, onError, drain });
    return interruption.exit() ?? exits.done;
  });
}

function namesOf(schedules: readonly Schedule[]): string {
  if (schedules.length === 0) return 'no playbook here has a schedule';
  const names = [...new Set(schedules.map(({ playbook }) => plainText(playbook, 60)))];
  return `${count(schedules.length, 'schedule')} of ${names.join(', ')}`;
}
