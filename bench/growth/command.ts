/** What a command line costs in a folder with its own state. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { deskhand } from '../processes/desk.ts';
import { spentBy } from '../processes/spent.ts';
import type { Cost } from './curve.ts';

export function command(place: string, words: readonly string[]): Promise<Cost> {
  return spentBy(deskhand, words, { cwd: place, env: envOf(place) });
}

export function envOf(place: string): NodeJS.ProcessEnv {
  const state = join(place, 'state');
  mkdirSync(state, { recursive: true });
  return { ...process.env, DESKHAND_STATE_DIR: state };
}
