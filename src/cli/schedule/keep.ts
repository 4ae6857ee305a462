/** Keeps schedules until it is stopped: the scheduler of `schedule serve` and of `serve`. */
import type { Config } from '../../app/config/load.ts';
import type { StartDue } from '../../app/schedule/elsewhere.ts';
import type { ScheduleRecord } from '../../app/schedule/record.ts';
import type { Schedule } from '../../app/schedule/schedule.ts';
import { watch, type NextRun } from '../../app/schedule/watch.ts';
import { plainText } from '../../base/text.ts';
import type { Context } from '../context.ts';
import { describeError } from '../../app/running/describe.ts';
import type { Interruption } from '../../app/machine/interrupt.ts';
import { printLeft, type Scheduled } from './found.ts';
import { openScheduler } from './scheduler.ts';

export interface Keeping {
  readonly config: Config;
  readonly interruption: Interruption;
  /** Reads the playbooks again, before every check. */
  readonly find: () => Promise<Scheduled>;
  /** Called with the schedules of each check. */
  readonly onSchedules?: (schedules: readonly Schedule[]) => void;
  readonly onRecord: (record: ScheduleRecord) => void;
  readonly onNext?: (next: NextRun | undefined) => void;
  /** Starts what is due in another process; default: it runs in this one. */
  readonly start?: StartDue;
}

/** Resolves when it was stopped and its runs have ended; those of other processes continue. */
export async function keepSchedules(keeping: Keeping, context: Context): Promise<void> {
  const { config, interruption, find, onSchedules, onRecord, onNext, start } = keeping;
  const { err } = context.terminal;
  const printed = new Set<string>();
  const own: Context = { ...context, hasOtherWork: true };
  const options = { config, interruption, onRecord, ...(start && { start }) };
  const scheduler = await openScheduler(options, own);
  await watch({
    scheduler,
    clock: context.clock,
    schedules: async () => {
      const found = await find();
      printLeft(found, printed, context);
      onSchedules?.(found.schedules);
      return found.schedules;
    },
    ...(onNext && { onNext }),
    onError: (error) => {
      const { code, message } = describeError(error);
      err.line(`${err.theme.paint('bad', 'error')}[${code}] ${plainText(message)}`);
    },
    drain: interruption.drain,
  });
}
