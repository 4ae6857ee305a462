import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import type * as Library from '../../../src/index.ts';
import { folder } from './options.ts';

const everything = `playbook: 1
name: everything
account: main
steps:
  - id: tickers
    uses: market/list-tickers
    with: { category: SPOT }
    write: { file: out/t.xlsx, columns: { symbol: "{{ row.symbol }}", last: { value: "{{ row.lastPrice }}", type: decimal } } }
  - id: again
    uses: market/list-tickers
    with: { category: SPOT }
    write: { file: out/t.parquet, columns: { symbol: "{{ row.symbol }}" } }
  - id: program
    uses: shell/run
    with: { command: [node, -p, "1 + 1"] }
  - id: plain
    uses: market/list-tickers
    with: { category: SPOT }
    write: { file: out/t.csv, columns: { symbol: "{{ row.symbol }}", last: { value: "{{ row.lastPrice }}", type: decimal } } }
  - id: prices
    uses: report/table
    with:
      from: plain
      columns: { symbol: "{{ row.symbol }}", last: "{{ row.last }}" }
  - id: picture
    uses: report/chart
    with:
      from: prices
      spec: { mark: bar, encoding: { x: { field: symbol, type: nominal }, y: { field: last, type: quantitative } } }
  - id: page
    uses: report/page
    with:
      file: out/page.html
      title: Prices
      parts:
        - { text: "Some *text*" }
        - { chart: picture }
`;

test('the built library has what steps load when they run', async () => {
  const config = `profiles: { main: { target: sandbox, allow: { shell: [node] } } }\n`;
  const where = folder({ 'everything.yaml': everything, 'deskhand.yaml': config });
  const { run }: typeof Library = await import(inject('library'));
  const ended = await run({ playbook: 'everything.yaml', ...where }).result;
  expect(ended).toMatchObject({ status: 'done' });
  for (const file of ['t.xlsx', 't.parquet', 'page.html']) {
    expect(existsSync(join(where.cwd, 'out', file))).toBe(true);
  }
  expect(readFileSync(join(where.cwd, 'out/page.html'), 'utf8')).toContain('<svg');
});
