/** Tables and charts are typed from the rows they are made of: what cannot be is reported before a run. */
import { expect, test } from 'vitest';
import { loadPlaybook } from '../../src/language/load.ts';

const head = `playbook: 1
name: test
steps:
  - id: volume
    uses: agent/list-trade-volume
    write: { file: out/volume.csv, columns: { uid: "{{ row.uid }}", volume: "{{ row.volumn }}" } }
  - id: bills
    uses: futures/list-bills
    with: { productType: USDT-FUTURES }
    write: { file: out/bills.csv }
  - id: order
    uses: futures/set-all-leverage
    with: { productType: USDT-FUTURES, leverage: "5" }
`; // the next line is the 14th

const problemsIn = (steps: string): string[] =>
  loadPlaybook(head + steps, 'tables.yaml').problems.map(
    ({ code, at, message, hint }) =>
      `${code}@${at.start.line} ${message}${hint === undefined ? '' : ` | ${hint}`}`,
  );

const table = (fields: string, more = ''): string =>
  `  - id: made\n    uses: report/table\n    with: { ${fields} }\n${more}`;

const chart = (fields: string): string =>
  `  - id: drawn\n    uses: report/chart\n    with: { ${fields} }\n`;

const page = (part: string): string =>
  `  - id: page\n    uses: report/page\n    with: { file: a.html, parts: [${part}] }\n`;

test.each([
  [
    'a table',
    table(
      'from: volume, group-by: { uid: "{{ row.uid }}" }, columns: { all: { sum: "{{ row.volume }}" } }',
    ),
  ],
  [
    'its rows in a later step',
    `${table('from: volume')}    outputs: { first: "{{ response.rows.0.uid }}" }\n`,
  ],
  [
    'a table of orders',
    `  - id: bid
    uses: futures/place-order
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT, side: buy, tradeSide: open, orderType: limit, price: "20000.0", size: "0.010" }
${table('from: bid, columns: { order: "{{ row.orderId }}" }')}`,
  ],
  [
    'the number of its rows',
    `${table('from: volume')}  - { id: late, uses: wait, if: "{{ gt steps.made.rows 0 }}", with: { for: 1s } }\n`,
  ],
  ['a chart', chart('from: volume, spec: { mark: bar, encoding: { x: { field: uid } } }')],
  [
    'columns that the spec makes itself',
    chart(
      'from: volume, spec: { mark: bar, transform: [{ fold: [volume] }, { calculate: "1", as: one }], encoding: { x: { field: key }, y: { field: one } } }',
    ),
  ],
])('%s has no problems', (_what, steps) => {
  expect(problemsIn(steps)).toEqual([]);
});

test('sheets are the values of a column of a workbook', () => {
  const written = (fields: string): string[] =>
    problemsIn(table('from: volume', `    write: { ${fields} }\n`));
  expect(written('file: a.xlsx, sheets: uid')).toEqual([]);
  expect(written('file: "{{ run.id }}", format: xlsx, sheets: uid, sort: [volume, uid]')).toEqual(
    [],
  );
  expect(written('file: a.xlsx, sheets: udi')).toEqual([
    'PB304@17 unknown column "udi" | did you mean "uid"?',
  ]);
  expect(written('file: a.csv, sheets: uid')).toEqual([
    'PB105@17 sheets is for a workbook | end the name of the file with .xlsx, or say format: xlsx',
  ]);
});

test.each([
  [
    'an unknown step',
    table('from: volum'),
    'PB415@16 unknown step "volum" | did you mean "volume"?',
  ],
  [
    'a later step',
    `${table('from: after')}  - { id: after, uses: market/list-tickers, with: { category: SPOT } }\n`,
    'PB307@16 the rows of after are used before it is done | move the step, or add needs: [after]',
  ],
  [
    'a step without rows',
    table('from: order'),
    'PB415@16 order brings no rows | name a step that reads a list, or a report/table',
  ],
  [
    'an unknown column',
    table('from: volume, columns: { a: "{{ row.volumn }}" }'),
    'PB304@16 row has no "volumn" | did you mean "volume"?',
  ],
  [
    'a sum of texts',
    table('from: bills, columns: { a: { sum: "{{ row.symbol }}" } }'),
    'PB305@16 sum expects a number, found text | declare it as type: decimal, or use a field that holds a number',
  ],
  [
    'a sum of what may be empty',
    table('from: bills, columns: { a: { sum: "{{ row.fee }}" } }'),
    "PB311@16 sum expects a number, but this may be empty | add a default: {{ default … 0 }}, or stop without it: {{ required … 'it is missing' }}",
  ],
  [
    'a value beside a sum',
    table('from: volume, columns: { a: "{{ row.uid }}", b: { count: rows } }'),
    'PB416@16 a has a value for each row, but a group has several rows | put it under group-by, or aggregate it: { first: … }, { sum: … }',
  ],
  [
    'a sum written as a helper',
    table(
      'from: volume, group-by: { uid: "{{ row.uid }}" }, columns: { a: "{{ sum row.volume }}" }',
    ),
    'PB416@16 a is computed from the rows of a group, by a key | write a: { sum: "{{ row.volume }}" }',
  ],
  [
    'a count written as a name',
    table('from: volume, group-by: { uid: "{{ row.uid }}" }, columns: { a: "{{ count }}" }'),
    'PB416@16 a is computed from the rows of a group, by a key | write a: { count: rows }',
  ],
  [
    'a list of group columns',
    table('from: volume, group-by: [uid], columns: { a: { count: rows } }'),
    'PB103@16 group-by must be a map | as in { symbol: "{{ row.symbol }}" }',
  ],
  [
    'an unknown aggregate',
    table('from: volume, columns: { a: { smu: "{{ row.volume }}" } }'),
    'PB101@16 "smu" is not known here | did you mean "sum"?',
  ],
  [
    'a column twice',
    table('from: volume, group-by: { a: "{{ row.uid }}" }, columns: { a: { count: rows } }'),
    'PB416@16 the column a is in group-by already | give it its own name',
  ],
  [
    'an order by nothing',
    table('from: volume, columns: { a: "{{ row.uid }}" }, sort: [-b]'),
    'PB304@16 unknown column "b" | did you mean "a"?',
  ],
  [
    'a field of a partner that may be missing',
    table(
      'from: volume, join: [{ from: bills, on: { symbol: "{{ row.uid }}" } }], columns: { a: "{{ joined.bills.coin }}" }',
    ),
    'PB311@16 joined.bills.coin may be missing | add a default: {{ default joined.bills.coin … }}',
  ],
  [
    'a join on nothing',
    table('from: volume, join: [{ from: bills, on: { symbl: "{{ row.uid }}" } }]'),
    'PB304@16 unknown column "symbl" | did you mean "symbol"?',
  ],
  [
    'a condition that is none',
    table('from: volume, where: "{{ row.volume }}"'),
    'PB308@16 where must be true or false; this is text holding a decimal | compare it: {{ gt … 0 }} or {{ eq … … }}',
  ],
  [
    'its own column file',
    `${table('from: volume, columns: { a: "{{ row.uid }}" }')}    write: { file: x.csv, sort: [b] }\n`,
    'PB304@17 unknown column "b" | did you mean "a"?',
  ],
  [
    'data from elsewhere',
    chart('from: volume, spec: { data: { url: "https://x.test/a.csv" }, mark: bar }'),
    'PB417@16 data is not allowed in a spec | the rows come from the step that from names: remove data',
  ],
  [
    'an address deep inside',
    chart('from: volume, spec: { layer: [{ mark: { type: image, url: "http://x" } }] }'),
    'PB417@16 url is not allowed in a spec | a chart fetches nothing: remove url',
  ],
  [
    'a link',
    chart('from: volume, spec: { mark: bar, encoding: { href: { field: uid } } }'),
    'PB417@16 href is not allowed in a spec | a chart has no links: remove href',
  ],
  [
    'a column a chart does not have',
    chart('from: volume, spec: { mark: bar, encoding: { x: { field: volum } } }'),
    'PB304@16 unknown column "volum" | did you mean "volume"?',
  ],
  [
    'a picture of the wrong kind',
    chart('from: volume, file: a.png, spec: { mark: bar }'),
    'PB407@16 report/chart writes no .png | end it with .svg',
  ],
  [
    'a field that is not there',
    chart('from: volume, spce: { mark: bar }'),
    'PB202@16 report/chart has no field "spce" | did you mean "spec"?',
  ],
  [
    'a part that is two things',
    page('{ text: a, table: volume }'),
    'PB419@16 this part has text and table | give each part one of text, figures, chart, table',
  ],
  ['a chart that is none', page('{ chart: volume }'), 'PB415@16 volume draws no chart'],
  [
    'a column a table does not have',
    page('{ table: volume, columns: [uid, volum] }'),
    'PB304@16 unknown column "volum" | did you mean "volume"?',
  ],
  [
    'a list in a text',
    page('{ text: "{{ steps.bills.response }}" }'),
    'PB305@16 text expects a single value, found map',
  ],
  [
    'a page of another kind',
    page('{ text: a }').replace('a.html', 'a.pdf'),
    'PB407@16 report/page writes no .pdf | end it with .html or .md',
  ],
])('%s is reported in its place', (_what, steps, problem) => {
  expect(problemsIn(steps)).toContain(problem);
});

test('rows in formats for other programs are not read back', () => {
  const text = head.replace('file: out/volume.csv', 'file: out/volume.csv, format: ndjson');
  expect(loadPlaybook(text + table('from: volume'), 'a.yaml').problems).toEqual([]);
});
