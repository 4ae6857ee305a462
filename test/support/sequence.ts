/** In which order files of tests are begun: so that no core waits at the end for a long one. */
import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { seconds } from './decks.ts';

const root = join(import.meta.dirname, '..', '..');

/** One project after the other, as a process serves a single one; in each, what takes long first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const weigh = ({ moduleId }: TestSpecification): number =>
      (seconds.get(relative(root, moduleId)) ?? 0) * 1e9 + statSync(moduleId).size;
    return files.toSorted(
      (a, b) =>
        a.project.name.localeCompare(b.project.name) || // "inside" last: its files are short
        weigh(b) - weigh(a),
    );
  }
}
