/** Test results for programs: one object at the end, or annotations for GitHub Actions. */
import { problemsAsGithub, problemsAsJson } from '../../language/format.ts';
import type { SourceRange } from '../../language/source-range.ts';
import type { TestResult } from '../../rehearsal/tests/play.ts';
import type { TestOutput } from '../../app/documents/playbooks.ts';
import { workflowCommand } from '../../report/terminal/annotation.ts';
import { tallyOf, verdictOf, type FileOutcome } from './tests-outcome.ts';

const version = 1;

export function testsObject(outcomes: readonly FileOutcome[]): TestOutput {
  return {
    version,
    ...tallyOf(outcomes),
    files: outcomes.map(({ file, problems, results }) => ({
      file,
      ...(problems.length > 0 && { problems: problemsAsJson(problems) }),
      tests: results.map(resultObject),
    })),
  };
}

function resultObject(result: TestResult): TestOutput['files'][number]['tests'][number] {
  const { name, at, tookMs, differences, broken } = result;
  return {
    name,
    line: at.start.line,
    verdict: verdictOf(result),
    tookMs: Math.round(tookMs),
    ...(broken && { broken: { ...place(broken.at), message: broken.message } }),
    differences: differences.map(({ what, at: where, expected, got }) => ({
      what,
      ...place(where),
      expected,
      got,
    })),
  };
}

function place({ start }: SourceRange): { readonly line: number; readonly column: number } {
  return { line: start.line, column: start.column };
}

export function testsAsGithub(outcomes: readonly FileOutcome[]): string[] {
  return outcomes.flatMap(({ problems, results }) => [
    ...(problems.length > 0 ? [problemsAsGithub(problems)] : []),
    ...results.flatMap(({ name, differences, broken }) => [
      ...(broken ? [annotation(broken.at, name, broken.message)] : []),
      ...differences.map(({ what, at, expected, got }) =>
        annotation(at, name, `${what}: expected ${expected}, got ${got}`),
      ),
    ]),
  ]);
}

function annotation({ file, start }: SourceRange, title: string, message: string): string {
  return workflowCommand('error', { file, line: start.line, title, message });
}
