/** General topics about playbooks and exports. */
import { spoken } from '../../base/text.ts';
import { operationNames, operationOf } from '../../exchange/api/operations/index.ts';
import { numberGuardList } from '../../language/number-guards.ts';

export interface Subject {
  readonly title: string;
  /** The description of the topic: paragraphs, one line each. */
  readonly description: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export const subjects = {
  inputs: {
    title: 'Inputs of a playbook, and the files that give them',
    description: [
      'An input has a type and its limits; without a default it is required. Values are from --var, then --var-file, then DESKHAND_VAR_name in the environment, then the default.',
      '--var-file FILE reads several inputs from a mapping in YAML or JSON. --var-file NAME=FILE reads one, whose value is the whole file: YAML, JSON, or CSV for a list of records. Problems name the line and the column.',
      'The first row of a CSV file names fields. Cells are texts that their type reads exactly; an empty cell is absent.',
    ],
    rows: [
      ['string', 'pattern: "^[a-z]+$"'],
      ['integer, decimal', 'minimum, maximum; a decimal keeps its digits'],
      ['boolean', 'true or false'],
      ['time', '2026-01-31, 2026-01-31T08:00:00+08:00 or Unix milliseconds'],
      ['duration', '90s, 2h, 7d'],
      ['enum', 'values: [buy, sell]'],
      ['list, map', 'items: { type: decimal }; as a,b or JSON with --var'],
      ['record', 'fields: { name: { type: string }, since: { type: time, optional: true } }'],
    ],
  },
  expressions: {
    title: 'Expressions between {{ and }}',
    description: [
      'A path such as {{ inputs.legs.0 }}, or a helper with its arguments: {{ mul row.size row.price }}. Calls nest in parentheses; options are written name=value. The text around an expression must be quoted. A value that is a single expression keeps its type; an expression inside a longer text must be a single value.',
      'Types are checked before the run. A path to a missing value is an error unless default handles it. Conditions must be true or false, arithmetic is exact, and responses are never evaluated as expressions. In a plan a value may be known only after a step.',
      "A time is what a helper gives, or a text such as 2026-11-01 or 2026-11-01T08:00:00+08:00. tz= is an offset or the name of a time zone: {{ startOfMonth tz='Europe/Berlin' }}. Ranges include both ends; {{ before … }} makes the end exclusive.",
      '`deskhand explain` lists the helpers; `deskhand explain ladder` shows one, with an example.',
    ],
    rows: [
      ['inputs, run', 'everywhere; run has id, playbook, time and scheduled-for'],
      ['let.NAME', 'below it; that of a step in the same step'],
      ['steps.ID.outputs, .response', 'after that step; after write also .file and .rows'],
      ['each.key, .value, .index', 'under for-each'],
      ['response', 'in outputs, expect and until'],
      ['row', 'in columns, where and group-by; with joined in a table'],
      ['rows', 'in expect of a step with write'],
      ['failure', 'in on-failure: step, code and message'],
      ['secrets', 'in notify/webhook, and in env of shell/run'],
      ['this, @index, @first, @last', 'in {{#each}} of a page’s text'],
    ],
  },
  items: {
    title: 'Items of a step: for-each, matrix and their failures',
    description: [
      'for-each runs a step once for each member of a list or map. for-each: { matrix: { desk: "{{ inputs.desks }}", line: [USDT-FUTURES, COIN-FUTURES] } } runs it once for each combination of the values, the first list slowest; exclude: [{ desk: bravo, line: COIN-FUTURES }] leaves out every combination that has all values of an entry.',
      'The key of an item identifies it in the journal, in the plan and in the id of its order. Without key: it is the value of a single text or number, the key of a map, or desk=alpha,line=USDT-FUTURES in a matrix.',
      'With on-error: partial the items that succeeded are the result of the step: later steps use their outputs and rows, and steps.ID.failed lists the others. The run ends with the exit code of a failure. If no item succeeded, or one is in doubt, it stops. max-failures: 3 starts no other item after the third failure.',
    ],
    rows: [
      ['each.key, each.value, each.index', 'the item; of a matrix each.value.desk'],
      ['steps.ID.outputs, .response', 'after the step: maps from item to value'],
      ['steps.ID.failed', 'after on-error: partial: a list of key, value, code and message'],
      ['on-error', 'stop, continue (readers need the step, or give a default), or partial'],
    ],
  },
  let: {
    title: 'Values with a name',
    description: [
      'let at the top names values for everything below the inputs, let in a step for its other keys except for-each: let: { half: "{{ div inputs.budget 2 }}" } is let.half. Each may use those above it; in a step also steps and each.',
      'A value is evaluated when it is first needed, for a step once for each item. required ends a plan with a message, coalesce takes the first value that is present.',
    ],
    rows: [
      ['at the top', 'inputs, run, and values above it'],
      [
        'in a step',
        'also steps, each, and the values of the top; the step waits for the steps that they read',
      ],
      ['in a plan', 'those of the top that are known, with --full or as JSON'],
    ],
  },
  guards: {
    title: 'Limits that block writes',
    description: [
      'Set them in a profile of deskhand.yaml, in a file that it names, or in a playbook, which can only tighten them. validate checks known values, plan checks everything, and they are checked again before each send with prices that are at most a few seconds old. An order whose value is unknown, because its mark price is missing, 0 or old, is blocked.',
      'The value of an order is the maximum in dollars (USDT, USDC and USD count equally): its size in the base coin times the highest price at which it may execute. For a limit order to buy that is its limit. For any other order it is the highest of its limit, the mark price, and the best bid (of a sell) or ask (of a buy): a sell limit below the market executes at the market price. Take-profit and stop-loss presets close what the order opened and are not counted.',
      'Every write that a run sent, or may have sent, counts once: also after a retry, after a resume, and in nested playbooks. A write that was refused, or certainly not executed, does not count.',
      'A blocked plan exits with code 5, and nothing is sent. The usage of each limit is in the plan, on the last screen and in the report.',
    ],
    rows: [
      ['in a profile', 'in a playbook', 'blocks'],
      ...numberGuardList.map(({ profileKey, key, blocks }) => [profileKey, key, blocks]),
      ['symbols', 'symbols', 'orders of other symbols'],
      ['operations', 'operations', 'other operations that write'],
      ['accounts', 'accounts', 'writes to other profiles, or keys by fingerprint'],
      [
        'hours',
        'hours',
        'writes outside these hours of the exchange’s clock: mon-fri 09:00-17:30 Europe/London',
      ],
      [
        'doubts',
        'doubts',
        'block: a run while another playbook has a write in doubt on its account and symbol; the default on live, where a profile may say show',
      ],
    ],
  },
  exports: {
    title: 'Export all rows of a read to one file',
    description: [
      'A step with write, and the verb export, read every window and every page of a list and write one complete file with a manifest. If the rows cannot be read completely, there is an error and no file.',
      'A file gets its name after all of it is on the disk. An existing file is replaced if its own manifest proves that it is an earlier export, and kept otherwise; overwrite: true replaces any file, overwrite: false none. Nothing is appended: a file is replaced completely or not at all.',
      "write: { file, since: last }, or export --since last, adds the rows since the last run: the manifests of the files say what is covered. The last day is read again (overlap: 3d), for rows that the exchange lists late; a changed row replaces the old one. A name with {{ date row.cTime 'yyyy-MM' }} has a file for each month. A file that was edited is an error, a missing one is read again, and what the exchange no longer keeps is reported.",
      'Continue a crashed run with `deskhand resume RUN`: pages that were read are not requested again, and the file is identical to that of an uninterrupted run.',
    ],
    rows: [
      ['deskhand export order/list-history startTime=2026-09-01 --file orders.csv', 'write a file'],
      ['deskhand export order/list-history --since last --file orders.csv', 'add the rows since'],
      ['deskhand verify orders.csv', 'verify it against its manifest'],
      ['deskhand explain formats', 'extensions, and how numbers are written'],
      ['deskhand explain spans', 'how time ranges are split, and how far back they reach'],
      ['deskhand explain manifest', 'the fields of the manifest'],
    ],
  },
  formats: {
    title: 'The formats of an export, by file extension',
    description: [
      'Values are written exactly as the exchange sent them. columns selects and renames, sort sorts any number of rows, unique refuses duplicate rows. csv: { bom: true, delimiter: ";" } starts a CSV file with a byte order mark and separates fields by a semicolon.',
      'Without columns, a table has every field of the API, also those that no row has. Types are those of the API, of what a helper returns, or of columns: { amount: { value: "{{ row.amount }}", type: "decimal(38,8)" } }. A number that its Parquet type does not hold is an error. Any other value is null there; in a workbook the whole column is then text. The manifest names such columns.',
    ],
    rows: [
      [
        '.csv',
        'RFC 4180; text that a spreadsheet would evaluate gets a leading quote, numbers do not',
      ],
      ['.ndjson', 'one JSON object per line'],
      ['.json', 'one JSON list, one row per line'],
      ['.csv.gz, .ndjson.gz, .json.gz', 'the same, compressed'],
      ['.parquet', 'decimals as DECIMAL(38,18), times as TIMESTAMP, ids as text'],
      [
        '.xlsx',
        'a column is numbers of up to 15 digits, dates or texts throughout; at most 1,048,575 rows in a sheet; sheets: desk makes a sheet of each value of a column',
      ],
    ],
  },
  spans: {
    title: 'How a time range is read',
    description: [
      'export, write, a step that reads a list, and call --page all use the same range: from startTime, or the oldest data kept, to endTime, or now. Both ends are included, as the exchange counts them. What was read is shown on the screen, in the JSON and in the manifest. Without --page all, call sends the times as they were typed.',
      'Files that follow one another share no row if one ends a millisecond before the next begins: endTime: "{{ before (startOfDay) }}". A date as endTime is the last millisecond before it: startTime=2026-09-01 endTime=2026-09-02 is one day.',
      'A range longer than the operation allows is split into windows without gaps, both bounds included, oldest first. Rows are merged by id, so a row on a boundary appears once.',
      'Data before the look-back is not available: the first window begins ten seconds inside the look-back, by the exchange’s clock at the moment of sending, and the manifest records the clamp. A range that ends in the future ends at the start of the export.',
      'A window with more rows than the exchange returns is halved and read again. So is each full page of tax/list-p2p and market/list-fills, because no page proves that rows below its last id are all the others. A range that begins in the future is refused.',
    ],
    rows: [['operation', 'span', 'look-back'], ...timed()],
  },
  manifest: {
    title: 'NAME.manifest.json, the proof of an exported file',
    description: [
      'It is written with the file and gets its name right after it. `deskhand verify FILE` checks both; schemas/manifest.schema.json describes it.',
    ],
    rows: [
      ['rows, bytes, sha256', 'of the file'],
      ['operation, input', 'the operation and its input, without times and pages'],
      ['asked, covered', 'the requested range, and the completed windows'],
      ['clamps', 'bounds that were not available: not kept by the exchange, or not over yet'],
      ['pages, duplicatesDropped', 'pages read, duplicate rows dropped'],
      ['exchangeTime, contract', 'the exchange’s clock at the start, the digest of the API'],
      ['columns, types, csv, unique, sort', 'how the rows were written; unique identifies a row'],
      ['exceptions', 'columns with values that are not of their type'],
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
