/** Checks and runs schedules until it is stopped: the scheduler of `schedule serve` and of `serve`. */
import type { Config } from '../config/load.ts';
import type { ScheduleRecord } from './decisions.ts';
import type { Schedule } from './schedule.ts';
import { watch, type NextRun } from './watch.ts';
import type { AppContext } from '../app-context.ts';
import type { Interruption } from '../machine/interrupt.ts';
import type { Scheduled } from './found.ts';
import { openScheduler, type RunPlace } from './open-scheduler.ts';

export interface Keeping {
  readonly config: Config;
  readonly interruption: Interruption;
  /** Reads the playbooks again, before every check. */
  readonly find: () => Promise<Scheduled>;
  /** Called with the schedules of each check. */
  readonly onSchedules?: (schedules: readonly Schedule[]) => void;
  readonly onRecord: (record: ScheduleRecord) => void;
  readonly onNext?: (next: NextRun | undefined) => void;
  /** Called with the playbooks of each check, also when nothing is skipped. */
  readonly onFound: (found: Scheduled) => void;
  /** Called when a check failed; the next check may succeed. */
  readonly onError: (error: unknown) => void;
  readonly runs: RunPlace;
}

/** Resolves when the scheduler was stopped and its runs have ended; runs in other processes continue. */
export async function keepSchedules(keeping: Keeping, context: AppContext): Promise<void> {
  const { config, interruption, find, onSchedules, onRecord, onNext, runs } = keeping;
  const own: AppContext = { ...context, hasOtherWork: true };
  const options = { config, interruption, onRecord, runs };
  const scheduler = await openScheduler(options, own);
  await watch({
    scheduler,
    clock: context.clock,
    schedules: async () => {
      const found = await find();
      keeping.onFound(found);
      onSchedules?.(found.schedules);
      return found.schedules;
    },
    ...(onNext && { onNext }),
    onError: keeping.onError,
    drain: interruption.drain,
  });
}
