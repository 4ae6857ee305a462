/** Tests as JUnit XML, which every build server reads. */
import { plainText } from '../../base/text.ts';
import { codeFrames, type CheckedFile } from '../../language/format.ts';
import type { TestResult } from '../../rehearsal/tests/play.ts';
import { attributes, element } from '../xml.ts';
import { tallyOf, verdictOf, type FileOutcome } from './tests-outcome.ts';

export function junitXml(outcomes: readonly FileOutcome[]): string {
  const { failed, broken, passed } = tallyOf(outcomes);
  const totals = { tests: passed + failed + broken, failures: failed, errors: broken };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'deskhand', ...totals, time: seconds(outcomes) })}>`,
    ...outcomes.flatMap(suite),
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(outcome: FileOutcome): string[] {
  const { file, problems, results } = outcome;
  const { failed, broken, passed } = tallyOf([outcome]);
  const totals = { tests: passed + failed + broken, failures: failed, errors: broken };
  const time = seconds([outcome]);
  const cases = problems.length > 0 ? unopened(file, problems) : results.flatMap(testCase(file));
  return [
    `  <testsuite${attributes({ name: file, ...totals, skipped: 0, time })}>`,
    ...cases.map((line) => `    ${line}`),
    '  </testsuite>',
  ];
}

/** A file that could not be opened is reported as one test, so that no one misses it. */
function unopened(file: string, problems: readonly CheckedFile[]): string[] {
  const frames = problems.flatMap(({ text, problems: found }) =>
    codeFrames(found, text, { color: false }),
  );
  const message = problems.flatMap((each) => each.problems)[0]?.message ?? '';
  return [
    `<testcase${attributes({ classname: file, name: 'the file can be read', time: '0.000' })}>`,
    ...element('error', { message, type: 'invalid' }, frames.join('\n\n')),
    '</testcase>',
  ];
}

function testCase(file: string): (result: TestResult) => string[] {
  return (result) => {
    const { name, at, tookMs, differences, broken } = result;
    const time = inSeconds(tookMs);
    const head = attributes({ classname: file, name, file, line: at.start.line, time });
    if (verdictOf(result) === 'passed') return [`<testcase${head}/>`];
    const [first] = differences;
    const words = first && `${first.what}: expected ${first.expected}, got ${first.got}`;
    const lines =
      broken === undefined
        ? element('failure', { message: words ?? '', type: 'expectation' }, body(result))
        : element('error', { message: broken.message, type: 'broken' }, body(result));
    return [`<testcase${head}>`, ...lines, '</testcase>'];
  };
}

function body({ differences, broken }: TestResult): string {
  const lines = differences.map(
    ({ what, at, expected, got }) =>
      `${at.file}:${at.start.line} ${what}\n  expected ${plainText(expected)}\n  got      ${plainText(got)}`,
  );
  const why = broken ? [`${broken.at.file}:${broken.at.start.line} ${broken.message}`] : [];
  return [...why, ...lines].join('\n');
}

function seconds(outcomes: readonly FileOutcome[]): string {
  const all = outcomes.flatMap(({ results }) => results);
  return inSeconds(all.reduce((sum, { tookMs }) => sum + tookMs, 0));
}

function inSeconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
