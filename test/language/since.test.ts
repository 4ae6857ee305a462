/** `since: last` is refused where a file cannot be continued, and files of steps are typed values. */
import { describe, expect, test } from 'vitest';
import { loadPlaybook } from '../../src/language/load.ts';

function problemsOf(text: string): readonly string[] {
  const { problems } = loadPlaybook(`playbook: 1\nname: x\n${text}`, 'x.yaml');
  return problems.map(({ code, message, level }) => `${code} ${level} ${message}`);
}

const step = (uses: string, fields: string, write: string): readonly string[] =>
  problemsOf(
    `steps: [{ id: rows, uses: ${uses}, with: { ${fields} }, write: { since: last, ${write} } }]`,
  );

const bills = (write: string): readonly string[] =>
  step('futures/list-bills', 'productType: USDT-FUTURES', write);

describe('since: last', () => {
  test.each([
    'file: bills.csv',
    'file: bills.ndjson.gz, overlap: 3d',
    `file: "out/{{ run.playbook }}.csv"`,
    `file: "b-{{ date row.cTime 'yyyy-MM' tz='+08:00' }}.json"`,
    `file: b.csv, columns: { at: "{{ row.cTime }}", id: "{{ row.billId }}" }, unique: [id]`,
    `file: b.csv, columns: { when: "{{ date row.cTime 'yyyy' }}", id: "{{ row.billId }}" }, unique: [id], sort: [when]`,
  ])('is valid with %s', (write) => {
    expect(bills(write.replace('run.playbook', "'x'"))).toEqual([]);
  });

  test.each([
    [
      'file: bills.parquet',
      'PB425 error a .parquet file is not read back, so it cannot be continued',
    ],
    [
      'file: bills.csv, overwrite: true',
      'PB425 error a file that is continued is never overwritten by other rows',
    ],
    [
      `file: "b-{{ date run.time 'yyyy-MM' }}.csv"`,
      'PB425 error the time of the run does not say in which file a row belongs',
    ],
    [
      'file: "b-{{ row.coin }}.csv"',
      'PB425 error only row.cTime may decide about the file of a row',
    ],
    [
      `file: "{{ date row.cTime 'yyyy' }}/b.csv"`,
      'PB425 error the time of a row may be in the name of the file, not in that of a folder',
    ],
    ['file: b.csv, columns: { at: "{{ row.cTime }}" }', 'PB425 error no column identifies a row'],
    [
      'file: b.csv, columns: { id: "{{ row.billId }}" }, unique: [id]',
      'PB425 error no column has the time of a row',
    ],
  ])('is refused with %s', (write, problem) => {
    expect(bills(write)).toEqual([problem]);
  });

  test.each([
    [
      'market/list-tickers',
      'category: SPOT',
      'PB425 error market/list-tickers reads no time range: there is nothing to continue',
    ],
    [
      'loan/list-orders',
      '',
      'PB425 error loan/list-orders keeps all data, so the first run needs a beginning',
    ],
    [
      'agent/list-customers',
      'uid: "1"',
      'PB425 error uid selects one object, whatever the time range',
    ],
  ])('is refused for %s { %s }', (uses, fields, problem) => {
    expect(step(uses, fields, 'file: x.csv')).toEqual([problem]);
  });

  test('overlap without it has no effect', () => {
    expect(
      problemsOf(
        'steps: [{ id: rows, uses: market/list-tickers, with: { category: SPOT }, write: { file: x.csv, overlap: 1d } }]',
      ),
    ).toEqual(['PB408 warning overlap requires since: last']);
  });
});

describe('the files of a step', () => {
  const after = (value: string): readonly string[] =>
    problemsOf(`
steps:
  - id: rows
    uses: futures/list-bills
    with: { productType: USDT-FUTURES }
    write: { file: bills.csv }
  - id: items
    for-each: [USDT-FUTURES]
    uses: futures/list-bills
    with: { productType: "{{ each.value }}" }
    write: { file: "{{ each.key }}.csv" }
  - { id: page, uses: report/page, with: { file: page.md } }
  - { id: none, uses: market/list-discount-rates, with: {} }
outputs: { value: "{{ ${value} }}" }
`);

  test.each([
    'steps.rows.file',
    'steps.rows.files',
    'add steps.rows.manifest.bytes 1',
    'steps.rows.manifest.sha256',
    'steps.items.files',
    'steps.items.manifest.USDT-FUTURES.file',
    'steps.page.file',
    'steps.page.files.0',
  ])('%s is a value', (value) => {
    expect(after(value)).toEqual([]);
  });

  test.each([
    ['steps.page.manifest', 'PB304 error steps.page has no "manifest"'],
    ['steps.none.file', 'PB304 error steps.none has no "file"'],
    ['steps.rows.manifest.size', 'PB304 error steps.rows.manifest has no "size"'],
    ['add steps.rows.files 1', 'PB305'],
  ])('%s is refused', (value, problem) => {
    expect(after(value)[0]).toContain(problem);
  });
});
