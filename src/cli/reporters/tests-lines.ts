/** Test results for a person: a line for each, with the differences of failed ones. */
import { count, plainText, spoken } from '../../base/text.ts';
import type { Difference, TestResult } from '../../rehearsal/tests/play.ts';
import { columns } from '../../report/terminal/columns.ts';
import type { Theme } from '../../report/terminal/theme.ts';
import { tallyOf, verdictOf, type FileOutcome } from './tests-outcome.ts';

/** The lines of one test that has ended. */
export function testLines(file: string, result: TestResult, theme: Theme): string[] {
  const { paint, sign } = theme;
  const { name, tookMs, differences, broken } = result;
  const isGood = verdictOf(result) === 'passed';
  const mark = isGood ? sign('good') : sign('bad');
  const where = paint('faint', plainText(file, 120));
  const head = `${mark} ${plainText(name, 120)}  ${where}  ${paint('faint', spoken(tookMs))}`;
  const trouble =
    broken === undefined
      ? []
      : [`    ${plainText(file, 120)}:${broken.at.start.line}  ${plainText(broken.message)}`];
  return [head, ...trouble, ...differences.flatMap((each) => differenceLines(each, theme))];
}

function differenceLines({ what, at, expected, got }: Difference, theme: Theme): string[] {
  const { paint } = theme;
  const place = paint('faint', `${plainText(at.file, 120)}:${at.start.line}`);
  return [
    `    ${paint('strong', plainText(what, 160))}  ${place}`,
    ...columns(
      [
        [paint('good', 'expected'), plainText(expected)],
        [paint('bad', 'got'), plainText(got)],
      ],
      theme,
      { indent: 6 },
    ),
  ];
}

/** The last line, with the totals of all tests. */
export function tallyLine(outcomes: readonly FileOutcome[], theme: Theme): string {
  const { sign } = theme;
  const { passed, failed, broken } = tallyOf(outcomes);
  const counts = [
    ...(passed > 0 ? [`${passed} passed`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(broken > 0 ? [`${broken} could not be run`] : []),
  ];
  const isGood = failed + broken === 0;
  const mark = isGood ? sign('good') : sign('bad');
  const all = count(passed + failed + broken, 'test');
  return `${mark} ${all} in ${count(outcomes.length, 'file')}: ${counts.join(', ')}. All on the sandbox.`;
}
