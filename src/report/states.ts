/** States of runs, steps, actions and orders for people: the word and the tone of each. */
import type { Tone } from '../base/palette.ts';

/** A state as words: `in doubt`, `partially filled`. */
export function stateWord(state: string): string {
  return state === 'doubt' ? 'in doubt' : state.replaceAll('_', ' ').replaceAll('-', ' ');
}

/** The tone of a state, which has a color and a sign. */
export function toneOf(state: string): Tone {
  return tones.get(state) ?? 'good';
}

const tones: ReadonlyMap<string, Tone> = new Map([
  ['refused', 'bad'],
  ['failed', 'bad'],
  ['stopped', 'bad'],
  ['damaged', 'bad'],
  ['missed', 'bad'],
  ['cancelled', 'warn'],
  ['doubt', 'doubt'],
  ['open', 'warn'],
  ['interrupted', 'warn'],
  ['unfinished', 'warn'],
  ['paused', 'warn'],
  ['skipped', 'idle'],
  ['not-sent', 'idle'],
  ['not-begun', 'idle'],
  ['left', 'idle'],
]);

/** The target of an account, as every screen, page and comment shows it first. */
export function targetWord(target: string): string {
  return target.toUpperCase();
}
