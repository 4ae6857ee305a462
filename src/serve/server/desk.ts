/** One repository of playbooks with its state: what the pages of a desk are made from. */
import { second, systemClock, type Clock, type Millis } from '../../base/clock.ts';
import { messageOf } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import type { Config } from '../../app/config/load.ts';
import type { AppChoices } from '../../app/app-context.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { openOverviews, type Overviews } from '../../report/overview/overviews.ts';
import type { ProfileLimits } from '../../language/load.ts';
import type { Claim } from '../../stores/store.ts';
import { planRows, type PlanRows } from './approvals/plan-row.ts';
import { deskQueue, type DeskQueue } from './desk-queue.ts';
import { runRows, type RunRows } from './run-rows.ts';
import { scheduleBoard, type ScheduleBoard } from './schedules/board.ts';
import type { DeskServices, QueueService } from './services.ts';

export interface DeskPlace {
  /** Short and unique among the desks of a server. */
  readonly name: string;
  readonly folder: string;
  readonly config: Config;
  /** What was chosen for the server: it applies to what is done in this repository, too. */
  readonly choices?: AppChoices;
  /** Limits of profiles, for the checker of playbooks; default: none. */
  readonly limits?: ProfileLimits;
  /** Absent when several repositories are served. */
  readonly services?: DeskServices;
  /** Fetches what other machines did into the state folder; absent for a local store. */
  readonly sync?: () => Promise<readonly Claim[]>;
  /** Absent without workers: the state is not in a database. */
  readonly queue?: QueueService;
}

export interface Desk extends Omit<DeskPlace, 'sync' | 'queue'> {
  readonly runs: RunRows;
  /** What is known of each run, read when it changed. */
  readonly overviews: Overviews;
  /** Plans that need approvals, saved here or made by workers. */
  readonly plans: PlanRows;
  /** Absent when several repositories are served. */
  readonly board?: ScheduleBoard;
  /** Absent without workers. */
  readonly queue?: DeskQueue;
  has(run: string): boolean;
  /** @throws UsageError when the run does not exist; JournalError when it is damaged */
  entries(run: string): Promise<readonly Entry[]>;
  /** Claims of runs that are executed now, as last fetched; none if the state is not shared. */
  readonly claims: () => readonly Claim[];
  /** Fetches what other machines did, if the state is shared; a failure is kept as `trouble`. */
  fetch(): Promise<void>;
  /** Why the shared store cannot be reached now. */
  trouble(): string | undefined;
}

/** A lease may be shorter than the time between two looks at the store: nothing shows it renewed before. */
const claimGrace: Millis = 10 * second;

export function openDesk({ sync, queue, ...place }: DeskPlace, clock: Clock = systemClock): Desk {
  const { stateDir } = place.config;
  const overviews = openOverviews(stateDir);
  let fetched: readonly Claim[] = [];
  const claims = (): readonly Claim[] =>
    fetched.filter(({ until }) => until + claimGrace > clock.now());
  const runs = runRows(stateDir, place.name, overviews, claims);
  const { services } = place;
  const hasApprovals = [...place.config.profiles.values()].some(({ approval }) => approval);
  const shared = queue && deskQueue(place.name, queue, { clock, hasApprovals });
  let trouble: string | undefined;
  return {
    ...place,
    runs,
    overviews,
    plans: planRows(place, (run) => runs.row(run) !== undefined, shared?.plans),
    ...(services && { board: scheduleBoard(services.schedules) }),
    ...(shared && { queue: shared }),
    claims,
    has: (run) => runs.row(run) !== undefined,
    entries: (run) => overviews.entries(run),
    fetch: async () => {
      try {
        const found = (await sync?.()) ?? [];
        const now = clock.now();
        fetched = found.filter(({ until, damage }) => damage === undefined && until > now);
        trouble = undefined;
      } catch (error) {
        trouble = plainText(messageOf(error), 300);
      }
    },
    trouble: () => trouble,
  };
}
