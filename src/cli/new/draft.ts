/** The playbook that answers describe, and a first test of it. */
import { canonicalText } from '../../language/canonical.ts';
import type { WriteFormat } from '../../language/playbook.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';

/** What a new playbook reads, for whom, when, and what it writes. */
export interface Answers {
  readonly name: string;
  readonly operation: OperationName;
  /** Fields of the request. */
  readonly fields: ReadonlyMap<string, string>;
  /** The first day of a time range, counted back from today. */
  readonly days: number;
  readonly account?: string;
  readonly cron?: string;
  readonly timezone: string;
  /** The format of the file with the rows; absent if it writes none. */
  readonly format?: WriteFormat;
}

/** @param file the path of the playbook, for messages */
export function playbookText(answers: Answers, file: string): string {
  const { name, operation, fields, days, account, cron, timezone, format } = answers;
  const { title, window } = operationOf(operation);
  const isTimed = window !== undefined && !fields.has(window.start);
  const given = [...fields].map(([field, value]) => `      ${field}: ${scalar(value)}`);
  const start = isTimed ? [`      ${window.start}: "{{ daysAgo ${days} tz='${timezone}' }}"`] : [];
  const sent = [...given, ...start];
  return canonicalText(
    [
      'playbook: 1',
      `name: ${name}`,
      `description: ${JSON.stringify(`${title}. It only reads.`)}`,
      ...(account === undefined ? [] : ['', `account: ${scalar(account)}`]),
      ...(cron === undefined
        ? []
        : [
            '',
            'schedule:',
            `  - cron: ${JSON.stringify(cron)}`,
            `    timezone: ${scalar(timezone)}`,
          ]),
      '',
      'steps:',
      '  - id: read',
      `    name: ${JSON.stringify(title)}`,
      `    uses: ${operation}`,
      ...(sent.length === 0 ? [] : ['    with:', ...sent]),
      ...(format === undefined
        ? []
        : ['    write:', `      file: "out/${name}-{{ date run.time 'yyyy-MM-dd' }}.${format}"`]),
      '',
    ].join('\n'),
    file,
  );
}

/** @param playbook the name of its file, beside the test */
export function testText(playbook: string, file: string): string {
  return canonicalText(
    `# Expected results of the playbook: \`deskhand test\` runs it on its own sandbox.
playbook-test: 1
playbook: ${scalar(playbook)}

world: { time: 2026-01-31T08:00:00Z }

tests:
  - name: it ends, and writes nothing to the account
    expect:
      outcome: done
      plan: { writes: {} }
`,
    file,
  );
}

/** A text as YAML: in quotes, unless it is clearly a word. */
function scalar(text: string): string {
  const isWord =
    /^[A-Za-z][\w-]*(?:\.(?:ya?ml))?$/.test(text) && !/^(?:true|false|null)$/i.test(text);
  return isWord ? text : JSON.stringify(text);
}
