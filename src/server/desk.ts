/** One repository of playbooks with its state: what the pages of a desk are made from. */
import { messageOf } from '../base/error.ts';
import { plainText } from '../base/text.ts';
import type { Config } from '../config/load.ts';
import type { Entry } from '../journal/entry.ts';
import { readRun } from '../journal/runs.ts';
import type { ProfileLimits } from '../playbook/load.ts';
import type { Claim } from '../state-store/store.ts';
import { planRows, type PlanRows } from './approvals/plan-row.ts';
import { runRows, type RunRows } from './run-rows.ts';
import { scheduleBoard, type ScheduleBoard } from './schedules/board.ts';
import type { DeskServices } from './services.ts';

export interface DeskPlace {
  /** Short and unique among the desks of a server. */
  readonly name: string;
  readonly folder: string;
  readonly config: Config;
  /** Global flags for commands that the server starts, such as `--config`. */
  readonly flags?: readonly string[];
  /** Limits of profiles, for the checker of playbooks; default: none. */
  readonly limits?: ProfileLimits;
  /** Absent when several repositories are served. */
  readonly services?: DeskServices;
  /** Fetches what other machines did into the state folder; absent for a local store. */
  readonly sync?: () => Promise<readonly Claim[]>;
}

export interface Desk extends Omit<DeskPlace, 'sync'> {
  readonly runs: RunRows;
  /** Saved plans that need approvals. */
  readonly plans: PlanRows;
  /** Absent when several repositories are served. */
  readonly board?: ScheduleBoard;
  has(run: string): boolean;
  /** @throws UsageError when the run does not exist; JournalError when it is damaged */
  entries(run: string): Promise<readonly Entry[]>;
  /** Fetches what other machines did, if the state is shared; a failure is kept as `trouble`. */
  fetch(): Promise<void>;
  /** Why the shared store cannot be reached now. */
  trouble(): string | undefined;
}

export function openDesk({ sync, ...place }: DeskPlace): Desk {
  const { stateDir } = place.config;
  const runs = runRows(stateDir, place.name);
  const { services } = place;
  let trouble: string | undefined;
  return {
    ...place,
    runs,
    plans: planRows(place, (run) => runs.row(run) !== undefined),
    ...(services && { board: scheduleBoard(services.schedules) }),
    has: (run) => runs.row(run) !== undefined,
    entries: (run) => readRun(stateDir, run),
    fetch: async () => {
      try {
        await sync?.();
        trouble = undefined;
      } catch (error) {
        trouble = plainText(messageOf(error), 300);
      }
    },
    trouble: () => trouble,
  };
}
