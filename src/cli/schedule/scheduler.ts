/** The scheduler of the command line: its actions are shown, and a person is notified if necessary. */
import { plainText } from '../../base/text.ts';
import { exits, type ExitCode } from '../../base/error.ts';
import type { Config } from '../../app/config/load.ts';
import { profileNamed } from '../../app/config/load.ts';
import type { StartDue } from '../../app/schedule/elsewhere.ts';
import type { Ended, ScheduleRecord } from '../../app/schedule/record.ts';
import type { Schedule } from '../../app/schedule/schedule.ts';
import { schedulerOf, type Scheduler } from '../../app/schedule/scheduler.ts';
import type { Context } from '../context.ts';
import type { Interruption } from '../../app/machine/interrupt.ts';
import { recordText } from '../screens/schedule.ts';
import { timeWords } from '../screens/timed.ts';
import { standingOf, standingOfOccurrence } from '../../app/running/occurrence.ts';
import { sharedPaces } from '../../app/store/database.ts';
import { notify, type Send } from '../../app/running/notify.ts';
import { storeOf } from '../../app/store/state.ts';
import { missingKey } from '../../app/worker/served.ts';
import { fire } from './fire.ts';
import { noticeFor } from './notices.ts';
import { placeIn } from './place.ts';

export interface Scheduling {
  readonly config: Config;
  readonly interruption: Interruption;
  /** Receives every record, in order. */
  readonly onRecord: (record: ScheduleRecord) => void;
  /** Sends a notification; default: to its recipient. */
  readonly send?: Send;
  /** The folder for reports of runs in this process; default: none are written. */
  readonly reports?: string;
  /** Starts what is due in another process; default: it runs in this one. */
  readonly start?: StartDue;
}

/** A scheduler that starts real runs. */
export async function openScheduler(options: Scheduling, context: Context): Promise<Scheduler> {
  const { config, interruption, onRecord, send, start, reports } = options;
  const { clock } = context;
  const store = await storeOf(config, context);
  const isShared = store.coordination !== undefined;
  const paces = await sharedPaces(config, context);
  const own: Context = { ...context, ...(isShared && { store }), ...(paces && { paces }) };
  const recorded = { stateDir: config.stateDir, store };
  const scheduler = schedulerOf({
    place: placeIn(store, config),
    clock,
    drain: interruption.drain,
    ...(isShared && { isServed: servedHere(config, context) }),
    ...(start === undefined
      ? {
          fire: (schedule, occurrence) =>
            fire(schedule, occurrence, { interruption, reports }, own),
        }
      : { start }),
    standing: {
      ofRun: async (run) => standingOf(run, recorded, context),
      ofOccurrence: async (schedule, occurrence) =>
        standingOfOccurrence(schedule, occurrence, recorded, context),
    },
    report: async (record, schedule) => {
      onRecord(record);
      if (schedule === undefined) return;
      const profile = profileNamed(config, schedule.profile);
      const notice = await noticeFor(record, schedule, profile, config.stateDir);
      if (notice === undefined) return;
      for (const { message } of await notify(notice, profile, context, send)) {
        await scheduler.record({ kind: 'unheard', message }, schedule);
      }
    },
  });
  return scheduler;
}

/** Schedules without a key here are left to other machines, and reported once. */
function servedHere(
  config: Config,
  { terminal: { env, err } }: Context,
): (schedule: Schedule) => Promise<boolean> {
  const reported = new Set<string>();
  return async ({ profile: name, playbook }) => {
    const profile = profileNamed(config, name);
    if (profile.baseUrl === undefined) return true; // the embedded exchange
    const missing = await missingKey(profile, env);
    if (missing === undefined) return true;
    const text = `${plainText(playbook, 60)} is left to schedulers with its key: ${plainText(missing.message)}`;
    if (!reported.has(text)) err.line(`${err.theme.paint('warn', '!')} ${text}`);
    reported.add(text);
    return false;
  };
}

/** One progress line per record. */
export function printRecord(record: ScheduleRecord, { terminal }: Context): void {
  const { err } = terminal;
  err.line(`${timeWords(record.at, err.theme)} ${recordText(record, err.theme)}`);
}

/**
 * The most severe exit code: doubts take precedence over failures. An invalid playbook does not
 * exit with 3 if another one ran.
 */
export function gravestExit(all: readonly Ended[]): ExitCode {
  const hasRun = all.some(({ status, exit }) => status !== 'not-begun' && exit !== exits.invalid);
  const gravest = gravestOf(all);
  return gravest === exits.invalid && hasRun ? exits.stopped : gravest;
}

function gravestOf(all: readonly Ended[]): ExitCode {
  const codes = all.map(({ exit }) => exit);
  if (codes.includes(exits.inDoubt)) return exits.inDoubt;
  return (
    codes.find((code) => code !== exits.done && code !== exits.heldBack) ??
    codes.find((code) => code !== exits.done) ??
    exits.done
  );
}
