/** Positions of both account families in tables, files and pages, with the same sums. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { live, openHarness, playbookFrom } from '../../support/harness.ts';

const families = {
  unified: {
    uses: 'trade/list-positions',
    line: 'category: USDT-FUTURES',
    side: 'posSide',
    pnl: 'unrealisedPnl',
  },
  classic: {
    uses: 'futures/list-positions',
    line: 'productType: USDT-FUTURES',
    side: 'holdSide',
    pnl: 'unrealizedPL',
  },
};

async function reported({ uses, line, side, pnl }: (typeof families)['unified']) {
  const harness = await openHarness();
  const playbook = playbookFrom(`playbook: 1
name: positions
steps:
  - id: held
    uses: ${uses}
    with: { ${line} }
  - id: sides
    uses: report/table
    with:
      from: held
      group-by: { side: "{{ row.${side} }}" }
      columns: { many: { count: rows }, size: { sum: "{{ row.total }}" }, pnl: { sum: "{{ default row.${pnl} 0 }}" } }
    write: { file: out/sides.csv }
  - id: page
    uses: report/page
    with: { file: out/held.md, parts: [{ table: held, columns: [symbol, ${side}, total, leverage] }] }
`);
  const result = await live(harness, playbook, {});
  expect(result.status).toBe('done');
  const text = (name: string): string => readFileSync(join(harness.workspace, 'out', name), 'utf8');
  return { sides: text('sides.csv'), page: text('held.md') };
}

test('a table and a page show what is held, in the fields of the family', async () => {
  const [unified, classic] = [await reported(families.unified), await reported(families.classic)];
  expect(unified.sides).toBe(classic.sides);
  expect(unified.sides).toMatch(/^side,many,size,pnl\r\nlong,2,1\.52,-?\d/);
  const rows = (page: string): readonly string[] =>
    page.split('\n').filter((row) => /BTCUSDT|ETHUSDT/.test(row));
  expect(rows(unified.page)).toEqual(rows(classic.page));
  expect(rows(unified.page)).toHaveLength(2);
});
