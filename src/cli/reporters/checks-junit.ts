/** Validated playbooks as JUnit XML: one test per file. */
import { count } from '../../base/text.ts';
import { codeFrames, type CheckedFile } from '../../language/format.ts';
import { attributes, element } from '../xml.ts';

export function problemsAsJunit(files: readonly CheckedFile[]): string {
  const failures = files.filter(({ problems }) => errorsOf(problems).length > 0).length;
  const totals = { tests: files.length, failures, errors: 0 };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'deskhand validate', ...totals })}>`,
    `  <testsuite${attributes({ name: 'deskhand validate', ...totals, skipped: 0, time: '0.000' })}>`,
    ...files.flatMap(testCase).map((line) => `    ${line}`),
    '  </testsuite>',
    '</testsuites>',
  ].join('\n');
}

function testCase({ file, text, problems }: CheckedFile): string[] {
  const head = attributes({ classname: file, name: 'is a valid playbook', file, time: '0.000' });
  const frames = codeFrames(problems, text, { color: false }).join('\n\n');
  const errors = errorsOf(problems);
  const [first] = errors;
  if (first === undefined) {
    if (problems.length === 0) return [`<testcase${head}/>`];
    return [`<testcase${head}>`, ...element('system-out', {}, frames), '</testcase>'];
  }
  const message = `${count(errors.length, 'error')}, first line ${first.at.start.line}: ${first.message}`;
  return [
    `<testcase${head}>`,
    ...element('failure', { message, type: first.code }, frames),
    '</testcase>',
  ];
}

function errorsOf(problems: CheckedFile['problems']): CheckedFile['problems'] {
  return problems.filter(({ level }) => level === 'error');
}
