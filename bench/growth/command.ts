/** What a command line costs in a folder with its own state. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { deskhand } from '../processes/desk.ts';
import { spentBy } from '../processes/spent.ts';
import type { Cost } from './curve.ts';

/** @param code with which it ends */
export function command(place: string, words: readonly string[], code = 0): Promise<Cost> {
  return spentBy(deskhand, words, { cwd: place, env: envOf(place), code });
}

export function envOf(place: string): NodeJS.ProcessEnv {
  const state = join(place, 'state');
  mkdirSync(state, { recursive: true });
  return { ...process.env, DESKHAND_STATE_DIR: state };
}
