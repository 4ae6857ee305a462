/** Histories of many seeds over one kind of store, until something in one is wrong. */
import process from 'node:process';
import { openStage } from '../jobs/stage.ts';
import { told } from './history.ts';
import type { OpenFleetStore } from './store.ts';

/** The seed of the first history: TOLD_SEED, or 1. */
const firstSeed = Number(process.env['TOLD_SEED'] ?? 1);

const fewest = 6; // histories in which some message names a command that is typed

/** How many histories: TOLD_COUNT, or the share of this run. */
export const countOr = (share: number): number => Number(process.env['TOLD_COUNT'] ?? share);

/** What is wrong in the first history in which something is, with its seed and every command. */
export async function wrongIn(
  count: number,
  open: OpenFleetStore,
  first = firstSeed,
): Promise<readonly string[]> {
  const stage = await openStage();
  let followed = 0;
  try {
    for (let seed = first; seed < first + count; seed++) {
      const { wrong, typed, ...history } = await told(seed, stage, open);
      followed += history.followed;
      if (wrong.length > 0) return [`seed ${seed}`, ...wrong, ...typed];
    }
    return followed > 0 || count < fewest ? [] : ['no command that a message named was typed'];
  } finally {
    await stage.close();
  }
}
