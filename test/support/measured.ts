/** How long files of tests took: a reporter that stores it for the decks, and one that names what is in no deck. */
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { seconds } from './decks.ts';

const least = 1; // second
const long = 5; // seconds: on a busy machine a file takes several times as long
const root = join(import.meta.dirname, '..', '..');

export default class Measured implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], _: unknown, reason: string): void {
    if (reason !== 'passed') return;
    const taken = durationsOf(modules)
      .map(([file, duration]) => [file, Math.round(duration)] as const)
      .filter(([, length]) => length >= least)
      .toSorted(([a, of], [b, and]) => and - of || a.localeCompare(b));
    const text = JSON.stringify(Object.fromEntries(taken), undefined, 2);
    writeFileSync(join(import.meta.dirname, 'durations.json'), `${text}\n`);
  }
}

export function sayWhatIsInNoDeck(modules: readonly TestModule[]): void {
  const files = durationsOf(modules)
    .filter(([file, duration]) => duration >= long && !seconds.has(file))
    .map(([file, duration]) => `  ${duration.toFixed()} s  ${file}`);
  if (files.length === 0) return;
  console.log(`In no deck, and long (CONTRIBUTING.md says how to measure):\n${files.join('\n')}`);
}

/** The duration of each file, in seconds. */
function durationsOf(modules: readonly TestModule[]): readonly (readonly [string, number])[] {
  return modules.map((each) => [relative(root, each.moduleId), each.diagnostic().duration / 1_000]);
}
