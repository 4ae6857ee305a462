/** The figures of all runs of a state folder. */
import { setImmediate } from 'node:timers/promises';
import { everyName } from '../../engine/journal/run-list.ts';
import type { AllFigures } from '../telemetry/metrics.ts';
import type { RunFigures } from '../telemetry/figures.ts';
import type { Overviews } from './overviews.ts';

const runsPerTurn = 200; // runs between two turns of the event loop

/** Makes the function that reads what changed. Callers of it at the same time share one pass. */
export function figuresReader(stateDir: string, overviews: Overviews): () => Promise<AllFigures> {
  let reading: Promise<AllFigures> | undefined;
  return () => (reading ??= allFigures(stateDir, overviews).finally(() => (reading = undefined)));
}

/** The figures of all runs. @param isLast whether the process ends after this call */
export async function allFigures(
  stateDir: string,
  overviews: Overviews,
  isLast = false,
): Promise<AllFigures> {
  const runs: RunFigures[] = [];
  let damaged = 0;
  const names = await everyName(stateDir);
  for (const [at, run] of names.entries()) {
    if (at % runsPerTurn === runsPerTurn - 1) await setImmediate();
    const found = await overviews.read(run);
    if (found?.kind === 'read') runs.push(found.overview.figures);
    else if (found?.kind === 'damaged' || found?.kind === 'unnamed') damaged += 1;
  }
  overviews.keep(names, isLast);
  return { runs, damaged };
}
