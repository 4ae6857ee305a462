/** Runs in progress whose entries are kept in memory, so that only new lines are read. */
import type { Entry } from '../../engine/journal/entry.ts';
import { growingRun, type GrowingRun } from '../../engine/journal/growing-run.ts';
import { readRun } from '../../engine/journal/runs.ts';

const followedMax = 16;

export class FollowedRuns {
  readonly #stateDir: string;
  readonly #runs = new Map<string, GrowingRun>();

  constructor(stateDir: string) {
    this.#stateDir = stateDir;
  }

  has(run: string): boolean {
    return this.#runs.has(run);
  }

  /** The entries of a run; of a followed one only new lines are read. @throws as `readRun` */
  entries(run: string): Promise<readonly Entry[]> {
    return this.#runs.get(run)?.entries() ?? readRun(this.#stateDir, run);
  }

  /** Follows a run that changed; the one that has not changed for the longest time is forgotten. */
  follow(run: string): void {
    const growing = this.#runs.get(run) ?? growingRun(this.#stateDir, run);
    this.#runs.delete(run);
    this.#runs.set(run, growing); // the last one that changed is last
    const [oldest] = this.#runs.keys();
    if (oldest !== undefined && this.#runs.size > followedMax) this.#runs.delete(oldest);
  }

  forget(run: string): void {
    this.#runs.delete(run);
  }

  keepOnly(runs: ReadonlySet<string>): void {
    for (const run of this.#runs.keys()) if (!runs.has(run)) this.#runs.delete(run);
  }
}
