/** The playbook that answers describe, and a first test of it. Nothing is sent. */
import { isDecimalText } from '../../base/decimal.ts';
import { canonicalText } from '../../language/canonical.ts';
import type { WriteFormat } from '../../language/playbook.ts';
import { keyedWriteOf } from '../../exchange/api/meant-order.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import type { Write } from './writes.ts';

/** The answers that a new playbook is made from: its reads or writes, its account, its schedule. */
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
  /** The format of the file with the rows; absent if the playbook writes none. */
  readonly format?: WriteFormat;
  /** The write of the playbook; absent if it only reads. */
  readonly write?: Write;
}

/** @param file the path of the playbook, for messages */
export function playbookText(answers: Answers, file: string): string {
  const { name, operation, fields, days, account, cron, timezone, format, write } = answers;
  const { title, window } = operationOf(operation);
  const isTimed = window !== undefined && !fields.has(window.start);
  const given = [...fields].map(([field, value]) => `      ${field}: ${scalar(value)}`);
  const start = isTimed ? [`      ${window.start}: "{{ daysAgo ${days} tz='${timezone}' }}"`] : [];
  const sent = [...given, ...start];
  return canonicalText(
    [
      'playbook: 1',
      `name: ${name}`,
      `description: ${JSON.stringify(`${title}. ${write ? 'It writes: review its plan.' : 'It only reads.'}`)}`,
      ...(account === undefined ? [] : ['', `account: ${scalar(account)}`]),
      ...(cron === undefined
        ? []
        : [
            '',
            'schedule:',
            `  - cron: ${JSON.stringify(cron)}`,
            `    timezone: ${scalar(timezone)}`,
          ]),
      ...(write === undefined ? [] : ['', 'guards:', ...[...write.guards].map(guardLine)]),
      '',
      'steps:',
      `  - id: ${write?.id ?? 'read'}`,
      `    name: ${JSON.stringify(title)}`,
      `    uses: ${operation}`,
      ...(write?.oncePer === undefined ? [] : [`    once-per: ${write.oncePer}`]),
      ...(sent.length === 0 ? [] : ['    with:', ...sent]),
      ...(format === undefined
        ? []
        : ['    write:', `      file: "out/${name}-{{ date run.time 'yyyy-MM-dd' }}.${format}"`]),
      '',
    ].join('\n'),
    file,
  );
}

/** Symbols are a list, all other limits are numbers. */
function guardLine([key, limit]: readonly [string, string]): string {
  if (key === 'symbols') return `  symbols: [${scalar(limit)}]`;
  return `  ${key}: ${isDecimalText(limit) ? limit : scalar(limit)}`;
}

/** @param playbook the name of its file, beside the test */
export function testText(answers: Answers, playbook: string, file: string): string {
  const { write } = answers;
  return canonicalText(
    [
      '# Expected results of the playbook: `deskhand test` runs it on its own sandbox.',
      'playbook-test: 1',
      `playbook: ${scalar(playbook)}`,
      '',
      ...worldLines(answers),
      '',
      'tests:',
      ...(write === undefined
        ? [
            '  - name: it ends, and writes nothing to the account',
            '    expect:',
            '      outcome: done',
            '      plan: { writes: {} }',
          ]
        : writeLines(answers, write)),
      '',
    ].join('\n'),
    file,
  );
}

/** A world with an account that takes the order, and a market at its price. */
function worldLines({ operation, fields }: Answers): readonly string[] {
  const keyed = keyedWriteOf(operation);
  if (keyed === undefined) return ['world: { time: 2026-01-31T08:00:00Z }'];
  const { line, symbol, price } = keyed.fields;
  const category = typeof line === 'string' ? fields.get(line) : line.always;
  const [named = '', at] = [fields.get(symbol), fields.get(price)];
  const isHedge = fields.has(keyed.checked.mode?.field ?? '');
  return [
    'world:',
    '  time: 2026-01-31T08:00:00Z',
    `  account: ${isHedge ? 'hedge' : 'oneway'} # its position mode`,
    ...(at === undefined
      ? []
      : [
          '  scenario:',
          '    market:',
          `      - { category: ${scalar(category ?? '')}, symbol: ${scalar(named)}, price: ${scalar(at)}, mark: ${scalar(at)} }`,
        ]),
  ];
}

/** The lines of the writes; only an order and an account are written once. */
function writeLines({ operation, fields }: Answers, write: Write): readonly string[] {
  const { ends, sets } = operationOf(operation);
  const planned = [...fields].map(([field, value]) => `${field}: ${JSON.stringify(value)}`);
  const plan = `      plan: { writes: { ${write.id}: { ${planned.join(', ')} } } }`;
  if (ends !== undefined) return ['  - name: it cancels one order', '    expect:', plan];
  if (sets !== undefined) {
    return [
      '  - name: it sets the value, and has nothing to do a second time',
      '    expect: { outcome: done }',
      '    again: { outcome: done, plan: { writes: {} } }',
    ];
  }
  const isOnce = write.oncePer === 'playbook';
  return [
    `  - name: it writes what the plan shows${isOnce ? ', once' : ''}`,
    '    expect:',
    '      outcome: done',
    plan,
    ...(isOnce ? ['    again: { outcome: done, plan: { writes: {} } }'] : []),
  ];
}

/** A text as YAML: in quotes, unless it is clearly a word. */
function scalar(text: string): string {
  const isWord =
    /^[A-Za-z][\w-]*(?:\.(?:ya?ml))?$/.test(text) && !/^(?:true|false|null)$/i.test(text);
  return isWord ? text : JSON.stringify(text);
}
