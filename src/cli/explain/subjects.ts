/** What holds for every playbook, and for every export, by subject. */
import { spoken } from '../../base/text.ts';
import { operationNames, operationOf } from '../../contract/operations/index.ts';

export interface Subject {
  readonly title: string;
  /** Paragraphs, one line each. */
  readonly says: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export const subjects = {
  expressions: {
    title: 'What stands between {{ and }}',
    says: [
      'A path such as {{ inputs.legs.0 }}, or a helper with its arguments: {{ mul row.size row.price }}. Calls nest in parentheses, options are written name=value. The text around it is quoted. A value that is one whole expression keeps its type; within a longer text only single values may stand.',
      'Types are checked before the run. A path that ends in nothing is an error, unless default answers for it. Nothing is true by accident, arithmetic is exact, and what the exchange answered is never read as an expression. In a plan a value may be known only after a step.',
      'deskhand explain lists the helpers; deskhand explain ladder shows one, with an example.',
    ],
    rows: [
      ['inputs, run', 'everywhere; run has id, playbook, time and scheduled-for'],
      ['steps.ID.outputs, .response', 'after that step; after write also .file and .rows'],
      ['each.key, .value, .index', 'under for-each'],
      ['response', 'in outputs, expect and until'],
      ['row', 'in columns, where and group-by; joined beside it in a table'],
      ['rows', 'in expect of a step with write'],
      ['failure', 'in on-failure: step, code and message'],
      ['secrets', 'in notify/webhook, and in env of shell/run'],
      ['this, @index, @first, @last', 'in {{#each}} of a page’s text'],
    ],
  },
  guards: {
    title: 'Limits that hold writes back',
    says: [
      'They stand in a profile of deskhand.yaml, or in a file that it names, and in a playbook, which can only tighten them. validate holds them against what is known by then, plan against everything, and they are looked at once more before each write is sent. What cannot be told, such as the worth of an order without a mark price, is held back.',
      'What is held back ends with exit code 5, and nothing of it is sent. What was used of each limit stands in the plan, on the last screen and in the report.',
    ],
    rows: [
      ['in a profile', 'in a playbook', 'holds back'],
      ['writes', 'max-writes', 'more writes than that in one run'],
      ['notional', 'max-notional', 'orders worth more, all together'],
      ['order', 'max-order-notional', 'an order worth more'],
      ['distance', 'max-distance', 'a price farther from the mark: 5% or 0.05'],
      ['leverage', 'max-leverage', 'higher leverage'],
      ['symbols', 'symbols', 'orders in any other'],
      ['operations', 'operations', 'writes by any other'],
      ['accounts', 'accounts', 'writes to any other profile, or key by its fingerprint'],
      ['hours', 'hours', 'writes at any other time: mon-fri 09:00-17:30 Europe/London'],
    ],
  },
  exports: {
    title: 'All rows of a read as one file',
    says: [
      'A step with write, and deskhand export, read every window and every page of a list and leave one file that is whole, with a manifest beside it. When the rows cannot be had whole there is an error and no file.',
      'A file takes its name only when all of it is on the disk. What stood there is replaced when its own manifest proves it an earlier export, and stays otherwise; overwrite: true replaces anything, overwrite: false nothing. Nothing is ever appended: a file is replaced whole or not at all.',
      'A run that died goes on with deskhand resume RUN: pages that were read are not asked for again, and the file is byte for byte that of a run nobody disturbed.',
    ],
    rows: [
      ['deskhand export order/list-history startTime=2026-09-01 --file orders.csv', 'write one'],
      ['deskhand verify orders.csv', 'hold it against its manifest'],
      ['deskhand explain formats', 'endings, and what becomes of numbers'],
      ['deskhand explain spans', 'how spans are cut, and how far back they reach'],
      ['deskhand explain manifest', 'what is told beside the file'],
    ],
  },
  formats: {
    title: 'The formats of an export, by the ending of its name',
    says: [
      'Values go into the file as the exchange sent them, digit by digit. columns chooses and renames, sort orders any number of rows, unique refuses a second row of one name.',
    ],
    rows: [
      ['.csv', 'RFC 4180; texts that a spreadsheet would run get a quote in front, numbers never'],
      ['.ndjson', 'a JSON object a line'],
      ['.json', 'one JSON list, a row a line'],
      ['.csv.gz, .ndjson.gz, .json.gz', 'the same, packed'],
      ['.parquet', 'decimals as DECIMAL with every digit, times as TIMESTAMP, ids as text'],
      ['.xlsx', 'number cells where all 15 digits survive, text otherwise; 1,048,575 rows at most'],
    ],
  },
  spans: {
    title: 'How a span of time is read',
    says: [
      'A span longer than an operation takes is cut into windows without a gap, both bounds included, oldest first. Their rows are put together by id, so that a row on an edge is there once.',
      'What lies before the look-back cannot be had: at the moment of sending, by the exchange’s clock and ten seconds inside it, the first window begins where its data does, and the manifest names the clamp. A span that is not over ends when the export began.',
      'A window that holds more than is given out is halved and read again.',
    ],
    rows: [['operation', 'span', 'look-back'], ...timed()],
  },
  manifest: {
    title: 'NAME.manifest.json, the proof beside an exported file',
    says: [
      'It is written with the file and takes its name right after it. deskhand verify FILE reads both again; schemas/manifest.schema.json describes it.',
    ],
    rows: [
      ['rows, bytes, sha256', 'of the file'],
      ['operation, input', 'what was asked, beside times and pages'],
      ['asked, covered', 'the span asked for, and the windows read to their end'],
      ['clamps', 'bounds that could not be reached: not kept any more, or not over yet'],
      ['pages, duplicatesDropped', 'pages read, rows that came again'],
      ['exchangeTime, contract', 'the exchange’s clock at the start, the digest of the contract'],
      ['columns, unique, sort', 'how the rows were written; unique names a row'],
    ],
  },
} as const satisfies Readonly<Record<string, Subject>>;

export type SubjectName = keyof typeof subjects;

export function isSubject(word: string): word is SubjectName {
  return Object.hasOwn(subjects, word);
}

function timed(): (readonly string[])[] {
  return operationNames.flatMap((name) => {
    const { window } = operationOf(name);
    if (window === undefined) return [];
    const { span, lookBack } = window;
    return [[name, spoken(span), lookBack === undefined ? 'any' : spoken(lookBack)]];
  });
}
