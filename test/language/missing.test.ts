/** Everything that a step lacks is reported at once, and of an unknown operation nothing but its name. */
import { expect, test } from 'vitest';
import { loadPlaybook, type Loading } from '../../src/language/load.ts';

function problemsIn(steps: string, loading: Loading = {}): string[] {
  const text = `playbook: 1\nname: test\nsteps:\n${steps}`;
  return loadPlaybook(text, 'missing.yaml', loading).problems.map(
    ({ code, at, message, hint }) =>
      `${code}@${at.start.line} ${message}${hint === undefined ? '' : ` (${hint})`}`,
  );
}

test('all missing fields of a step are one problem', () => {
  expect(
    problemsIn('  - { uses: futures/place-order, with: { symbol: BTCUSDT, side: buy } }\n'),
  ).toEqual([
    'PB203@4 productType, marginMode, marginCoin, size and orderType are missing (add productType:, marginMode:, marginCoin:, size: and orderType: under with)',
  ]);
});

test('fields that are required because of one field are reported there, next to the others', () => {
  expect(
    problemsIn(`  - uses: futures/place-order
    with: { symbol: BTCUSDT, side: buy, orderType: limit, size: "1" }
`),
  ).toEqual([
    'PB203@4 productType, marginMode and marginCoin are missing (add productType:, marginMode: and marginCoin: under with)',
    expect.stringContaining('PB203@5 price is missing: a limit order needs a price'),
  ]);
});

test('a misspelled field is not reported as missing, and the others are', () => {
  expect(
    problemsIn(`  - uses: futures/place-order
    with: { symbl: BTCUSDT, side: buy, orderType: market, qty: "1", marginMode: crossed }
`).map((problem) => problem.replace(/ \(add.*/, '')),
  ).toEqual([
    'PB203@4 productType and marginCoin are missing',
    'PB202@5 futures/place-order has no field "symbl" (did you mean "symbol"?)',
    'PB202@5 futures/place-order has no field "qty" (did you mean "size"?)',
  ]);
});

test('missing inputs of a nested playbook are one problem', () => {
  const part = `playbook: 1
name: part
inputs: { a: { type: string }, b: { type: string }, c: { type: string } }
steps:
  - { uses: notify/webhook, with: { url: https://example.org, text: "{{ inputs.a }}{{ inputs.b }}{{ inputs.c }}" } }
`;
  const loading = { include: () => part };
  expect(problemsIn('  - { uses: ./part.yaml, with: { b: x } }\n', loading)).toEqual([
    'PB203@4 a and c are missing (add a: and c: under with)',
  ]);
});

test('missing fields of a built-in step, and missing keys of a playbook, are one problem each', () => {
  expect(problemsIn('  - { uses: notify/webhook }\n')).toEqual([
    'PB203@4 url and text are missing (add url: and text: under with)',
  ]);
  const { problems } = loadPlaybook('description: nothing\n', 'empty.yaml');
  expect(problems.map(({ message }) => message)).toEqual(['playbook, name and steps are missing']);
});

test.each([
  ['similar to a write', 'futures/place-oder', 'did you mean "futures/place-order"?'],
  ['similar to a read', 'order/list-histori', 'did you mean "order/list-history"?'],
])('an unknown operation, %s, is reported instead of its fields and keys', (_what, uses, hint) => {
  expect(
    problemsIn(`  - id: it
    uses: ${uses}
    with: { sise: 1e3, orderType: limt, "note": "{{ inputs.n }}" }
    write: { file: out/rows.csv }
  - uses: report/table
    with: { from: it, columns: { a: "{{ row.anything }}" } }
`).filter((problem) => !problem.includes('inputs')),
  ).toEqual([expect.stringContaining(`unknown operation "${uses}" (${hint})`)]);
});
