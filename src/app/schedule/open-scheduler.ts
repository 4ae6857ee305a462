/** A scheduler that starts real runs: its actions are reported, and a person is notified if necessary. */
import { plainText } from '../../base/text.ts';
import { exits, type ExitCode } from '../../base/error.ts';
import type { Config } from '../config/load.ts';
import { profileNamed } from '../config/load.ts';
import type { StartDue } from './elsewhere.ts';
import type { Ended, ScheduleRecord } from './decisions.ts';
import type { Schedule } from './schedule.ts';
import { schedulerOf, type Scheduler } from './scheduler.ts';
import type { AppContext } from '../app-context.ts';
import type { Interruption } from '../machine/interrupt.ts';
import { standingOf, standingOfOccurrence } from '../running/occurrence.ts';
import { sharedPaces } from '../store/database.ts';
import { notify, type Send } from '../running/notify.ts';
import { storeOf } from '../store/synchronized.ts';
import { missingKey } from '../worker/served.ts';
import { fire, type ScheduleScreen } from './fire.ts';
import { noticeFor } from './notices.ts';
import { placeIn } from './shared-place.ts';

export interface Scheduling {
  readonly config: Config;
  readonly interruption: Interruption;
  /** Receives every record, in order. */
  readonly onRecord: (record: ScheduleRecord) => void;
  /** Sends a notification. Default: to its recipient, over the network. */
  readonly send?: Send;
  readonly runs: RunPlace;
}

/** The place where due runs are executed. */
export type RunPlace =
  /** Runs are executed in this process, on a screen. */
  | { readonly kind: 'here'; readonly screen: ScheduleScreen }
  /** Each run is executed in another process. */
  | { readonly kind: 'elsewhere'; readonly start: StartDue };

/** A scheduler that starts real runs. */
export async function openScheduler(options: Scheduling, context: AppContext): Promise<Scheduler> {
  const { config, interruption, onRecord, send, runs } = options;
  const { clock } = context;
  const store = await storeOf(config, context);
  const isShared = store.coordination !== undefined;
  const paces = await sharedPaces(config, context);
  const own: AppContext = { ...context, ...(isShared && { store }), ...(paces && { paces }) };
  const recorded = { stateDir: config.stateDir, store };
  const scheduler = schedulerOf({
    place: placeIn(store, config),
    clock,
    drain: interruption.drain,
    ...(isShared && { isServed: servedHere(config, context) }),
    ...(runs.kind === 'elsewhere'
      ? { start: runs.start }
      : {
          fire: (schedule, occurrence) =>
            fire(schedule, occurrence, { interruption, screen: runs.screen }, own),
        }),
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

/**
 * Whether this machine can run a schedule. Schedules without a key here are left to other machines, which is
 * reported once.
 */
function servedHere(
  config: Config,
  { env, note }: AppContext,
): (schedule: Schedule) => Promise<boolean> {
  const reported = new Set<string>();
  return async ({ profile: name, playbook }) => {
    const profile = profileNamed(config, name);
    if (profile.baseUrl === undefined) return true; // the embedded exchange
    const missing = await missingKey(profile, env);
    if (missing === undefined) return true;
    const text = `${plainText(playbook, 60)} is left to schedulers with its key: ${plainText(missing.message)}`;
    if (!reported.has(text)) note({ kind: 'remark', message: text });
    reported.add(text);
    return false;
  };
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
