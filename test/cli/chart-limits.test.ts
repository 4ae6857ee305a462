/** Charts that need too much: refused before a run if possible, and never blocking a write. */
import { describe, expect, test } from 'vitest';
import { loadPlaybook } from '../../src/language/load.ts';
import { deskhand, folderWith } from './deskhand.ts';

const playbook = (spec: string): string => `playbook: 1
name: charts
steps:
  - id: prices
    uses: market/list-tickers
    with: { category: USDT-FUTURES }
  - id: drawn
    uses: report/chart
    with:
      from: prices
      spec: ${spec}
  - id: order
    uses: futures/place-order
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT,
      side: buy, tradeSide: open, orderType: limit, price: "30000.0", size: "0.010" }
`;
const encoding = 'encoding: { x: { field: symbol, type: nominal } }';

describe('a small spec with a huge result', () => {
  test.each([
    ['{ mark: bar, transform: [{ calculate: "sequence(1e9)", as: a }] }', 'sequence() is not'],
    [`{ mark: bar, ${encoding}, params: [{ name: p, expr: "regexp('^(a+)+$')" }] }`, 'regexp() is'],
    ['{ mark: bar, transform: [{ calculate: "pad(datum.symbol, 1e9)", as: a }] }', 'pad() is not'],
    [
      '{ mark: bar, encoding: { x: { field: symbol, axis: { tickCount: 100000000 } } } }',
      'tickCount is',
    ],
    [
      '{ mark: bar, encoding: { x: { field: lastPrice, bin: { maxbins: 1000000000 } } } }',
      'maxbins is',
    ],
    [
      '{ mark: bar, transform: [{ impute: lastPrice, key: symbol, keyvals: { start: 0, stop: 100000000 } }] }',
      'stop is at most',
    ],
    [
      `{ mark: bar, encoding: { x: { field: symbol, axis: { values: [${'1,'.repeat(1_001)}] } } } }`,
      'values has 1001 values',
    ],
  ])('is an error: %#', (spec, message) => {
    const { problems } = loadPlaybook(playbook(spec), 'a.yaml');
    expect(problems.map(({ code, message: text }) => `${code} ${text}`)).toEqual([
      expect.stringContaining(`PB417 ${message}`),
    ]);
  });

  test('a title may contain any words', () => {
    const { problems } = loadPlaybook(
      playbook(`{ title: "repeat (of last week)", mark: bar, ${encoding} }`),
      'a.yaml',
    );
    expect(problems).toEqual([]);
  });
});

describe('in a run that writes', () => {
  const tenfold = '{ calculate: "[0,1,2,3,4,5,6,7,8,9]", as: a }, { flatten: [a] }';

  test('a chart that needs too much memory is a failed step, and the next order is placed', async () => {
    const spec = `{ mark: point, transform: [${Array(9).fill(tenfold).join(', ')}], ${encoding} }`;
    const cwd = folderWith({ 'a.yaml': playbook(spec) });
    const { code, stdout, stderr } = await deskhand(['run', 'a.yaml', '--json-into', 'o.json'], {
      cwd,
      env: { NODE_OPTIONS: '--max-old-space-size=200' },
    });
    expect([code, stderr]).toEqual([1, expect.any(String)]);
    expect(stdout).toContain('Finished; step drawn failed');
    expect(stdout).toMatch(/drawing the chart (took (more|longer) than|ended)/);
    expect(stdout).toMatch(/1 order/);
  });

  test('a normal chart is drawn', async () => {
    const cwd = folderWith({ 'a.yaml': playbook(`{ mark: bar, ${encoding} }`) });
    const { code, stdout } = await deskhand(['run', 'a.yaml', '-o', 'json'], { cwd });
    expect([code, JSON.parse(stdout).tally]).toEqual([0, expect.objectContaining({ done: 3 })]);
  });
});
