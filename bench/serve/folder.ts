/** A repository with many earlier runs. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { minute, systemClock } from '../../src/base/clock.ts';
import { markPath } from '../../src/engine/journal/high-water.ts';
import { ladderText, onlyStart, recordRun } from '../growth/records.ts';
import { deskhand } from '../processes/desk.ts';

export interface Repository {
  readonly folder: string;
  readonly stateDir: string;
  readonly env: NodeJS.ProcessEnv;
  /** The start of its first run, by which others are recorded. */
  readonly model: ReturnType<typeof onlyStart>;
}

/** @param orders of each run, whose journal has three entries for each */
export async function repositoryWith(
  parent: string,
  { runs, orders }: { readonly runs: number; readonly orders: number },
): Promise<Repository> {
  const folder = mkdtempSync(join(parent, 'repository-'));
  const stateDir = join(folder, 'state');
  mkdirSync(stateDir, { mode: 0o700 });
  writeFileSync(join(folder, 'ladder.yaml'), ladderText(orders));
  const env = { ...process.env, DESKHAND_STATE_DIR: stateDir };
  execFileSync(process.execPath, [deskhand, '-q', 'run', 'ladder.yaml'], {
    cwd: folder,
    env,
    stdio: 'ignore',
  });
  const model = onlyStart(stateDir);
  for (let run = readdirSync(join(stateDir, 'runs')).length; run < runs; run++) {
    await recordRun(stateDir, model, {
      run: `r-${String(run).padStart(6, '0')}`,
      orders,
      from: 10_001 + run * orders,
      at: model.at - (runs - run) * minute,
    });
  }
  return { folder, stateDir, env, model };
}

/** Adds some runs that begin now, and removes as many of the oldest, as a day and its prune do. */
export async function exchangeRuns(
  { stateDir, model }: Repository,
  { runs, orders }: { readonly runs: number; readonly orders: number },
): Promise<void> {
  const now = systemClock.now();
  const oldest = readdirSync(join(stateDir, 'runs'))
    .filter((name) => name.startsWith('r-'))
    .toSorted()
    .slice(0, runs);
  for (const run of oldest) {
    rmSync(join(stateDir, 'runs', run), { recursive: true });
    rmSync(markPath(stateDir, run), { force: true });
  }
  for (let run = 0; run < runs; run++) {
    const from = 10_001 + (now % 1_000_000_000) + run * orders;
    await recordRun(stateDir, model, { run: `s-${now}-${run}`, orders, from, at: now });
  }
}
