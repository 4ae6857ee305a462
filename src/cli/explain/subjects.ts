/** What holds for every export, by subject. */
import { operationNames, operationOf } from '../../contract/operations/index.ts';
import { spoken } from '../../base/text.ts';

export interface Subject {
  readonly title: string;
  /** Paragraphs, one line each. */
  readonly says: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export const subjects = {
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
