/** The steps of a job that make files, tables, charts and pages. */
import { rowColumns, rowsSince, rowTime } from './calls.ts';
import type { Choice } from './features.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A read whose rows become a file. */
export function rowsOf(choice: Choice): readonly Fields[] {
  const { write, expect } = choice;
  if (write === 'none') return [];
  const check = expect === 'rows' ? { expect: [{ that: '{{ gte rows 0 }}' }] } : {};
  const bills = (line: string): Fields => ({
    ...rowsSince(
      choice,
      { startTime: '{{ daysAgo 7 }}', endTime: "{{ addTime run.time '5m' }}" },
      line,
    ),
    ...check,
  });
  switch (write) {
    case 'csv':
      return [
        { id: 'rows', ...bills('USDT-FUTURES'), write: { file: 'out/rows.csv', format: 'csv' } },
      ];
    case 'ndjson':
      return [
        {
          id: 'rows',
          ...bills('USDT-FUTURES'),
          write: { file: "out/{{ date run.time 'yyyy-MM-dd' }}.ndjson", overwrite: true },
        },
      ];
    case 'since':
      return [
        {
          id: 'rows',
          ...bills('USDT-FUTURES'),
          write: {
            file: `out/rows-{{ date ${rowTime(choice)} 'yyyy-MM' }}.csv`,
            since: 'last',
            overlap: '2d',
          },
        },
      ];
    case 'each':
      return [
        {
          id: 'rows',
          'for-each': ['USDT-FUTURES', 'COIN-FUTURES'],
          ...bills('{{ each.value }}'),
          write: { file: 'out/{{ each.value }}.csv' },
        },
      ];
    case 'columns':
      return [
        {
          id: 'rows',
          ...bills('USDT-FUTURES'),
          write: {
            file: 'out/rows.csv',
            columns: rowColumns(choice),
            unique: ['id'],
            sort: ['id'],
          },
        },
      ];
  }
}

/** A table of trades, and what is made of it. */
export function reportsOf({ report, sub }: Choice): readonly Fields[] {
  if (report === 'none') return [];
  const book = {
    id: 'book',
    uses: 'report/table',
    with: { from: 'table' },
    write: { file: 'out/book.xlsx', sheets: 'side' },
  };
  // A table of what the run created, and its number of rows without a file.
  const made =
    sub === 'none'
      ? []
      : [
          {
            id: 'made',
            uses: 'report/table',
            with: { from: 'sub', columns: { account: "{{ default row.username 'unnamed' }}" } },
          },
          {
            id: 'counted',
            uses: 'report/page',
            with: { file: 'out/made.md', parts: [{ text: '{{ steps.made.rows }} made' }] },
          },
        ];
  const table = {
    id: 'table',
    uses: 'report/table',
    with: {
      from: 'listed',
      'group-by': { side: "{{ default row.side 'buy' }}" }, // real responses may lack it, or the size
      columns: { fills: { count: 'rows' }, size: { sum: '{{ default row.size 0 }}' } },
      sort: ['side'],
      first: 5,
      where: '{{ gt (default row.size 1) 0 }}',
    },
    write: { file: 'out/table.csv', csv: { bom: true, delimiter: ';' } },
  };
  const listed = {
    id: 'listed',
    uses: 'market/list-fills',
    with: {
      symbol: 'BTCUSDT',
      productType: 'USDT-FUTURES',
      startTime: "{{ addTime run.time '-10m' }}",
      endTime: '{{ run.time }}',
    },
  };
  const chart = {
    id: 'chart',
    uses: 'report/chart',
    with: {
      from: 'table',
      description: 'Bars',
      spec: {
        height: 100,
        mark: 'bar',
        encoding: {
          x: { field: 'side', type: 'nominal' },
          y: { field: 'size', type: 'quantitative' },
        },
      },
    },
  };
  const parts = [
    {
      text: 'Placed in {{ run.id }}: {{#each steps.table.rows}}{{ this.side }} {{/each}}',
      rows: 5,
    },
    { figures: { Sides: '{{ steps.table.rows }}' } },
    { table: 'table', title: 'Sides', columns: ['side', 'size'], rows: 3, sortable: true },
  ];
  const page = (file: string, more: readonly Fields[]): Fields => ({
    id: 'page',
    uses: 'report/page',
    with: { file, title: 'Orders', parts: [...parts, ...more] },
  });
  switch (report) {
    case 'table':
      return [listed, table, book, ...made];
    case 'chart':
      return [listed, table, { ...chart, with: { ...chart.with, file: 'out/chart.svg' } }];
    case 'page':
      return [listed, table, chart, page('out/page.html', [{ chart: 'chart' }])];
    case 'markdown':
      return [listed, table, page('out/page.md', [])];
  }
}
