/** One repository of playbooks with its state, from which the pages of a desk are made. */
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
import { openStructures, type Structures } from './progress/structures.ts';
import { deskQueue, type DeskQueue } from './desk-queue.ts';
import { deskOrders, type DeskOrders } from './desk-orders.ts';
import { runRows, type RunRows } from './run-rows.ts';
import { scheduleBoard, type ScheduleBoard } from './schedules/board.ts';
import type { DeskServices, QueueService } from './services.ts';

export interface DeskPlace {
  /** The name of the desk, short and unique on its server. */
  readonly name: string;
  readonly folder: string;
  readonly config: Config;
  /** Choices made for the server, which also apply to actions in this repository. */
  readonly choices?: AppChoices;
  /** Limits of profiles, for the checker of playbooks; default: none. */
  readonly limits?: ProfileLimits;
  /** The functions of the verbs; absent when several repositories are served. */
  readonly services?: DeskServices;
  /** Fetches the changes of other machines into the state folder; absent for a local store. */
  readonly sync?: () => Promise<readonly Claim[]>;
  /** The queue of workers; absent without workers, that is, if the state is not in a database. */
  readonly queue?: QueueService;
}

export interface Desk extends Omit<DeskPlace, 'sync' | 'queue'> {
  readonly runs: RunRows;
  /** The orders that the runs recorded. */
  readonly orders: DeskOrders;
  /** Overviews of the runs, each read again when its run changed. */
  readonly overviews: Overviews;
  /** The steps of the playbooks of runs that were shown last. */
  readonly structures: Structures;
  /** Plans that need approvals, saved here or made by workers. */
  readonly plans: PlanRows;
  /** The board of schedules; absent when several repositories are served. */
  readonly board?: ScheduleBoard;
  /** The queue as its pages show it; absent without workers. */
  readonly queue?: DeskQueue;
  has(run: string): boolean;
  /**
   * The entries of a run. @throws UsageError when it does not exist; JournalError when it is
   * damaged
   */
  entries(run: string): Promise<readonly Entry[]>;
  /** Claims of runs that are in progress, as last fetched; none if the state is not shared. */
  readonly claims: () => readonly Claim[];
  /**
   * Fetches the changes of other machines, if the state is shared; a failure is kept as `trouble`.
   */
  fetch(): Promise<void>;
  /** The reason why the shared store cannot be reached now. */
  trouble(): string | undefined;
}

/**
 * How long a claim counts after its lease: a lease may be shorter than the time between two looks
 * at the store, and nothing shows it renewed before.
 */
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
    orders: deskOrders(stateDir, runs),
    overviews,
    structures: openStructures(),
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
