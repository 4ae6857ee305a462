/** `schedule run-due`: looks once, runs what is due, and ends; for cron, a timer, a CI job. */
import type { ExitCode } from '../../base/error.ts';
import type { Ended, ScheduleRecord } from '../../schedule/record.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { stoppable } from '../running/perform.ts';
import { configOf } from '../running/work.ts';
import { lateAs, onlyThese, schedulesIn, tellLeft } from '../schedule/found.ts';
import { gravestExit, openScheduler, tellRecord } from '../schedule/scheduler.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  const { terminal, globals } = context;
  const format = outputOf(context, ['text', 'json']);
  const config = await configOf(context);
  const all = await schedulesIn(given.words, config, context);
  const found = lateAs(given.text('late'), onlyThese(given.texts('schedule'), all));
  tellLeft(found, new Set(), context);
  const records: ScheduleRecord[] = [];
  return stoppable(context, async (interruption) => {
    const onRecord = (record: ScheduleRecord): void => {
      records.push(record);
      if (!globals.isQuiet) tellRecord(record, context);
    };
    const scheduler = openScheduler({ config, interruption, onRecord }, context);
    const ends = await ended(await scheduler.look(found.schedules));
    const exit = interruption.exit() ?? gravestExit([...ends, ...found.left.map(unsound)]);
    if (format === 'json') {
      terminal.out.line(JSON.stringify({ version: 1, records, left: found.left, exit }));
    } else if (records.length === 0 && !globals.isQuiet) {
      terminal.err.line('nothing is due');
    }
    return exit;
  });
}

/** Waits for all of them, also when one has failed: nothing is left under way. */
async function ended(work: readonly Promise<readonly Ended[]>[]): Promise<readonly Ended[]> {
  await Promise.allSettled(work);
  return (await Promise.all(work)).flat();
}

/** A playbook that is not sound is no reason to keep silent. */
function unsound(): { readonly status: 'not-begun'; readonly exit: 3 } {
  return { status: 'not-begun', exit: 3 };
}
