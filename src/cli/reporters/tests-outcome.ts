/** The outcome of the tests of one file. */
import type { CheckedFile } from '../../language/format.ts';
import type { TestResult } from '../../rehearsal/tests/play.ts';

export interface FileOutcome {
  readonly file: string;
  /** Problems that prevented the tests, so there are no results. */
  readonly problems: readonly CheckedFile[];
  readonly results: readonly TestResult[];
}

export type TestVerdict = 'passed' | 'failed' | 'broken';

export function verdictOf({ differences, broken }: TestResult): TestVerdict {
  if (broken !== undefined) return 'broken';
  return differences.length === 0 ? 'passed' : 'failed';
}

/** Number of tests per verdict; a file that could not be opened counts as one broken test. */
export function tallyOf(outcomes: readonly FileOutcome[]): Readonly<Record<TestVerdict, number>> {
  const verdicts = outcomes.flatMap(({ problems, results }): TestVerdict[] =>
    problems.length > 0 ? ['broken'] : results.map(verdictOf),
  );
  const ofKind = (kind: TestVerdict): number =>
    verdicts.filter((verdict) => verdict === kind).length;
  return { passed: ofKind('passed'), failed: ofKind('failed'), broken: ofKind('broken') };
}
