/** How the tests of one file ended. */
import type { CheckedFile } from '../../playbook/format.ts';
import type { TestResult } from '../../rehearsal/play.ts';

export interface FileOutcome {
  readonly file: string;
  /** What stood in the way: then there are no results. */
  readonly problems: readonly CheckedFile[];
  readonly results: readonly TestResult[];
}

export type Verdict = 'passed' | 'failed' | 'broken';

export function verdictOf({ differences, broken }: TestResult): Verdict {
  if (broken !== undefined) return 'broken';
  return differences.length === 0 ? 'passed' : 'failed';
}

/** How many tests of each verdict; a file that could not be opened counts as one broken test. */
export function tallyOf(outcomes: readonly FileOutcome[]): Readonly<Record<Verdict, number>> {
  const verdicts = outcomes.flatMap(({ problems, results }): Verdict[] =>
    problems.length > 0 ? ['broken'] : results.map(verdictOf),
  );
  const ofKind = (kind: Verdict): number => verdicts.filter((verdict) => verdict === kind).length;
  return { passed: ofKind('passed'), failed: ofKind('failed'), broken: ofKind('broken') };
}
