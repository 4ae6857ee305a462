/** `schedule run-due`: checks once, runs what is due, and exits; for cron, a timer, a CI job. */
import type { Millis } from '../../base/clock.ts';
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import { occurrencesOf, type PastRange } from '../../app/schedule/backfill.ts';
import type { Scheduled } from '../../app/schedule/found.ts';
import type { Scheduler } from '../../app/schedule/scheduler.ts';
import type { Ended, ScheduleRecord } from '../../app/schedule/decisions.ts';
import { momentOf } from '../args/moment.ts';
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
    const past = pastIn(args, await scheduler.now());
    const work = past
      ? backfills(found, past, scheduler, context)
      : scheduler.look(found.schedules);
    const ends = await ended(await work);
    const exit = interruption.exit() ?? gravestExit([...ends, ...found.left.map(unsound)]);
    if (format === 'json') {
      const output: ScheduleRunDueOutput = { version: 1, records, left: found.left, exit };
      terminal.out.json(output);
    } else if (records.length === 0 && !globals.isQuiet) {
      terminal.err.line(past ? 'no occurrence of this time is left to run' : 'nothing is due');
    }
    return exit;
  });
}

/** The past range of `--from` and `--to`. @throws UsageError */
function pastIn(args: Args, now: Millis): (PastRange & { readonly now: Millis }) | undefined {
  const [from, to] = [momentOf(args, 'from'), momentOf(args, 'to')];
  if (from === undefined) {
    if (to !== undefined) throw new UsageError('--to requires --from');
    return undefined;
  }
  return { from, to: to ?? now, now };
}

/** Runs the occurrences of a past range, schedules side by side. */
async function backfills(
  { schedules }: Scheduled,
  range: PastRange & { readonly now: Millis },
  scheduler: Scheduler,
  { terminal }: Context,
): Promise<readonly Promise<readonly Ended[]>[]> {
  return occurrencesOf(schedules, range, range.now).map(async ([schedule, occurrences]) => {
    const ends = await scheduler.backfill(schedule, occurrences);
    if (ends !== undefined) return ends;
    const name = plainText(schedule.playbook, 60);
    terminal.err.line(`${name} is run by another process: wait for it, then run this again`);
    return [{ status: 'not-begun' as const, exit: exits.heldBack }];
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
