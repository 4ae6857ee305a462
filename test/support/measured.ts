/** A reporter that writes how long files of tests took, for the decks: `npm run test:all` has it. */
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const least = 1; // second

export default class Measured implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], _: unknown, reason: string): void {
    if (reason !== 'passed') return;
    const root = join(import.meta.dirname, '..', '..');
    const taken = modules
      .map((each) => [
        relative(root, each.moduleId),
        Math.round(each.diagnostic().duration / 1_000),
      ])
      .filter(([, length]) => Number(length) >= least)
      .toSorted((a, b) => Number(b[1]) - Number(a[1]) || String(a[0]).localeCompare(String(b[0])));
    const text = JSON.stringify(Object.fromEntries(taken), undefined, 2);
    writeFileSync(join(import.meta.dirname, 'durations.json'), `${text}\n`);
  }
}
