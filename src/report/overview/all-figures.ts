/** The figures of all runs of a state folder. */
import { setImmediate } from 'node:timers/promises';
import { everyName } from '../../engine/journal/run-list.ts';
import { FiguresSum } from '../telemetry/figures-sum.ts';
import type { AllFigures } from '../telemetry/metrics.ts';
import type { FigureBlock } from './figure-blocks.ts';
import type { Overviews } from './overviews.ts';

const runsPerTurn = 200; // runs between two turns of the event loop
const aloneMax = 1_000; // runs that blocks may have by now

/** Makes the function that reads what changed. Callers of it at the same time share one pass. */
export function figuresReader(stateDir: string, overviews: Overviews): () => Promise<AllFigures> {
  const figures = new FiguresOfRuns(stateDir, overviews);
  let reading: Promise<AllFigures> | undefined;
  return () => (reading ??= figures.read().finally(() => (reading = undefined)));
}

/** The figures of all runs, for a process that ends after this call. */
export function allFigures(stateDir: string, overviews: Overviews): Promise<AllFigures> {
  return new FiguresOfRuns(stateDir, overviews).read(true);
}

class FiguresOfRuns {
  readonly #stateDir: string;
  readonly #overviews: Overviews;
  #blocks: readonly FigureBlock[] | undefined;
  /** Number of runs that were in no block, when the blocks were read. */
  #alone: number | undefined;

  constructor(stateDir: string, overviews: Overviews) {
    this.#stateDir = stateDir;
    this.#overviews = overviews;
  }

  /** @param isLast whether the process ends after this call */
  async read(isLast = false): Promise<AllFigures> {
    const sum = new FiguresSum();
    const known = new Set<string>();
    const blocks = this.#blocks ?? (await this.#readBlocks());
    this.#blocks = blocks;
    for (const block of blocks) {
      if (!(await this.#isUnchanged(block, known))) continue;
      sum.addAll(block.sum);
      for (const run of block.runs) known.add(run);
    }
    const names = await everyName(this.#stateDir);
    const others = names.filter((run) => !known.has(run));
    let damaged = 0;
    for (const [at, run] of others.entries()) {
      if (at % runsPerTurn === runsPerTurn - 1) await setImmediate();
      const found = await this.#overviews.read(run);
      if (found?.kind === 'read') sum.add(found.overview.figures);
      else if (found?.kind === 'damaged' || found?.kind === 'unnamed') damaged += 1;
    }
    this.#overviews.keep(names, isLast);
    this.#alone ??= others.length;
    if (others.length > this.#alone + aloneMax) {
      this.#blocks = undefined;
      this.#alone = undefined;
    }
    return { sum, damaged };
  }

  async #readBlocks(): Promise<readonly FigureBlock[]> {
    const blocks: FigureBlock[] = [];
    for (const block of this.#overviews.figureBlocks()) {
      if (block !== undefined) blocks.push(block);
      await setImmediate();
    }
    return blocks;
  }

  /** Whether all runs of a block are unchanged, and in no earlier block. */
  async #isUnchanged(
    { runs, stampOf }: FigureBlock,
    before: ReadonlySet<string>,
  ): Promise<boolean> {
    for (const [at, run] of runs.entries()) {
      if (at % runsPerTurn === runsPerTurn - 1) await setImmediate();
      if (before.has(run) || !this.#overviews.hasStamps(run, at, stampOf)) return false;
    }
    return true;
  }
}
