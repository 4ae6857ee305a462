/** States of runs together: their tones by urgency, and in words. */
import { stateWord } from '../../../report/states.ts';
import { liveTone } from './pill.tsx';

/** Tones by how much they matter to a person. */
const tones = ['doubt', 'bad', 'warn', 'running', 'good', 'idle'] as const;
type ShownTone = (typeof tones)[number];

export type States = readonly { readonly state: string; readonly n: number }[];

/** How many have each tone, the most urgent first. */
export function byTone(
  states: States,
): readonly { readonly tone: ShownTone; readonly n: number }[] {
  return tones.flatMap((tone) => {
    const own = states.filter(({ state }) => liveTone(state) === tone);
    return own.length === 0 ? [] : [{ tone, n: own.reduce((sum, { n }) => sum + n, 0) }];
  });
}

/** `12 done, 1 stopped` */
export function statesText(states: States): string {
  return states.map(({ state, n }) => `${n} ${stateWord(state)}`).join(', ');
}
