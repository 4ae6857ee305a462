/** `schedule run-due`: checks once, runs what is due, and exits; for cron, a timer, a CI job. */
import type { ExitCode } from '../../base/error.ts';
import type { Ended, ScheduleRecord } from '../../app/schedule/decisions.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { stoppable } from '../../app/machine/interrupt.ts';
import { configOf } from '../../app/config/opened.ts';
import type { ScheduleRunDueOutput } from '../../app/documents/schedule-documents.ts';
import { lateAs, onlyThese, schedulesNamed, printLeft } from '../schedule/found.ts';
import { gravestExit, openScheduler } from '../../app/schedule/open-scheduler.ts';
import { printRecord, scheduleScreen } from '../schedule/screen.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { terminal, globals } = context;
  const format = outputOf(context, ['text', 'json']);
  const config = await configOf(context);
  const all = await schedulesNamed(args.positionals, config, context);
  const found = lateAs(args.text('late'), onlyThese(args.texts('schedule'), all));
  printLeft(found, new Set(), context);
  const records: ScheduleRecord[] = [];
  return stoppable(context, async (interruption) => {
    const onRecord = (record: ScheduleRecord): void => {
      records.push(record);
      if (!globals.isQuiet) printRecord(record, context);
    };
    const runs = { kind: 'here', screen: scheduleScreen(context, args.text('report')) } as const;
    const scheduler = await openScheduler({ config, interruption, onRecord, runs }, context);
    const ends = await ended(await scheduler.look(found.schedules));
    const exit = interruption.exit() ?? gravestExit([...ends, ...found.left.map(unsound)]);
    if (format === 'json') {
      const output: ScheduleRunDueOutput = { version: 1, records, left: found.left, exit };
      terminal.out.json(output);
    } else if (records.length === 0 && !globals.isQuiet) {
      terminal.err.line('nothing is due');
    }
    return exit;
  });
}

/** Waits for all scheduled runs, even after a failure: nothing is left in progress. */
async function ended(work: readonly Promise<readonly Ended[]>[]): Promise<readonly Ended[]> {
  await Promise.allSettled(work);
  return (await Promise.all(work)).flat();
}

/** The outcome that reports invalid playbooks, too. */
function unsound(): { readonly status: 'not-begun'; readonly exit: 3 } {
  return { status: 'not-begun', exit: 3 };
}
