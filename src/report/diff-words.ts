/** The words of a comparison of two runs, for the terminal and for pages. */
import { count } from '../base/text.ts';
import type { DiffPart, RunDiff, StepDurations } from './run-diff.ts';

/** The names of the parts of a comparison, in the order in which they are shown. */
export const partNames: Readonly<Record<DiffPart, string>> = {
  run: 'Run',
  inputs: 'Inputs',
  steps: 'Steps',
  orders: 'Orders',
  writes: 'Other writes',
  files: 'Files',
  outputs: 'Outputs',
};

const second = 1_000; // ms

/** Whether the durations of a step differ by a second or more, which is worth a line. */
export function isSlower({ was, is }: StepDurations): boolean {
  return was !== undefined && is !== undefined && Math.abs(was - is) >= second;
}

/** How much differs: `6 differences, and the duration of 1 step; what is not shown is the same in both`. */
export function differenceWords({
  differences,
  durations,
}: Pick<RunDiff, 'differences' | 'durations'>): string {
  const slow = durations.filter(isSlower).length;
  const times = slow === 0 ? '' : `, and the duration of ${count(slow, 'step')}`;
  return `${count(differences.length, 'difference')}${times}; what is not shown is the same in both`;
}
