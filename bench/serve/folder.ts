/** A repository with many earlier runs. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { minute } from '../../src/base/clock.ts';
import { ladderText, onlyStart, recordRun } from '../growth/records.ts';
import { deskhand } from '../processes/desk.ts';

export interface Repository {
  readonly folder: string;
  readonly stateDir: string;
  readonly env: NodeJS.ProcessEnv;
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
  return { folder, stateDir, env };
}
