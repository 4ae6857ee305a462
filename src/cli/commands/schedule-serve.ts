/** `schedule serve`: keeps to the schedules of this folder until it is told to stop. */
import { exits, type ExitCode } from '../../base/error.ts';
import { count, plainText } from '../../base/text.ts';
import type { ScheduleRecord } from '../../schedule/record.ts';
import type { Schedule } from '../../schedule/schedule.ts';
import { watch } from '../../schedule/watch.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { describeError } from '../exits.ts';
import { stoppable } from '../running/perform.ts';
import { configOf } from '../running/work.ts';
import { schedulesIn, tellLeft } from '../schedule/found.ts';
import { openScheduler, tellRecord } from '../schedule/scheduler.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  const { terminal, clock } = context;
  const { err } = terminal;
  const format = outputOf(context, ['text', 'ndjson']);
  const config = await configOf(context);
  await schedulesIn(given.words, config, context); // a word that names nothing is told at once
  const told = new Set<string>();
  let kept = '';
  return stoppable(context, async (interruption) => {
    const { drain } = interruption;
    const onRecord = (record: ScheduleRecord): void => {
      if (format === 'ndjson') terminal.out.line(JSON.stringify(record));
      else tellRecord(record, context);
    };
    const schedules = async (): Promise<readonly Schedule[]> => {
      const found = await schedulesIn(given.words, config, context);
      tellLeft(found, told, context);
      const now = namesOf(found.schedules);
      if (now !== kept) err.line(`keeping ${now}`);
      kept = now;
      return found.schedules;
    };
    const onError = (error: unknown): void => {
      const { code, message } = describeError(error);
      err.line(`${err.look.paint('bad', 'error')}[${code}] ${plainText(message)}`);
    };
    const scheduler = openScheduler({ config, interruption, onRecord }, context);
    await watch({ scheduler, clock, schedules, onError, drain });
    return interruption.exit() ?? exits.done;
  });
}

function namesOf(schedules: readonly Schedule[]): string {
  if (schedules.length === 0) return 'no schedule: no playbook here has one';
  const names = [...new Set(schedules.map(({ playbook }) => plainText(playbook, 60)))];
  return `${count(schedules.length, 'schedule')} of ${names.join(', ')}`;
}
