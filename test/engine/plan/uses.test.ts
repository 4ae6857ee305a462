/** The parts of a response that a plan stores suffice: every expression has the same value. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { messageOf } from '../../../src/base/error.ts';
import type { Json } from '../../../src/base/json.ts';
import { itemsOf } from '../../../src/engine/plan/items.ts';
import { pathsIn, usedOf, usesIn } from '../../../src/engine/plan/uses.ts';
import { evaluateTemplate } from '../../../src/language/expression/evaluate.ts';
import { toJson, type Scope } from '../../../src/language/expression/value.ts';
import type { Playbook } from '../../../src/language/playbook.ts';
import { playbookFrom } from '../../support/harness.ts';

const look = `  - id: look
    uses: market/list-tickers
    with: { category: SPOT }
`;

function usesOf(text: string): readonly string[] {
  const uses = usesIn(playbookFrom(`playbook: 1\nname: it\nsteps:\n${look}${text}`)).get('look');
  return uses === undefined ? [] : pathsIn(uses);
}

describe('the used parts of a response', () => {
  test.each([
    ['a field', '    outputs: { price: "{{ response.0.lastPrice }}" }\n', ['0.lastPrice']],
    [
      'either of two',
      '    outputs: { price: "{{ default response.0.markPrice response.0.lastPrice }}" }\n',
      ['0.markPrice', '0.lastPrice'],
    ],
    [
      'a field of every member',
      '    outputs: { all: "{{ sum (pluck response \'volume24h\') }}" }\n',
      ['*.volume24h'],
    ],
    [
      'a field of those that another chooses',
      `    outputs: { all: "{{ pluck (filter response 'symbol' 'eq' 'BTCUSDT') 'lastPrice' }}" }\n`,
      ['*.symbol', '*.lastPrice'],
    ],
    ['how many there are', '    outputs: { count: "{{ length response }}" }\n', ['']],
    [
      'what a later step says of the answer',
      '  - { id: next, uses: wait, with: { for: "{{ steps.look.response.0.symbol }}" } }\n',
      ['0.symbol'],
    ],
    [
      'what each item is asked for',
      `  - id: next
    for-each: "{{ filter steps.look.outputs 'symbol' 'ne' 'X' }}"
    key: "{{ each.value.symbol }}"
    uses: market/list-tickers
    with: { category: SPOT, symbol: "{{ each.value.symbol }}" }
`,
      ['*.symbol'],
    ],
    [
      'all rows, for a table',
      `  - id: table
    uses: report/table
    with: { from: look, columns: { symbol: "{{ row.symbol }}" } }
`,
      [''],
    ],
    ['nothing', '', []],
  ])('%s', (_what, text, expected) => {
    expect(usesOf(text)).toEqual(expected);
  });

  test('include outputs of the playbook, and those of a for-each by key', () => {
    const text = `playbook: 1
name: it
steps:
  - id: look
    for-each: [BTCUSDT, ETHUSDT]
    uses: market/list-tickers
    with: { category: SPOT, symbol: "{{ each.value }}" }
outputs:
  bid: "{{ steps.look.response.BTCUSDT.0.bid1Price }}"
`;
    expect(pathsIn(usesIn(playbookFrom(text)).get('look') ?? never())).toEqual(['0.bid1Price']);
  });
});

const field = fc.constantFrom('symbol', 'lastPrice', 'volume24h', 'markPrice');
const list = fc.letrec<{ list: string }>((tie) => ({
  list: fc.oneof(
    { maxDepth: 3 },
    fc.constant('steps.look.response'),
    fc.tuple(tie('list'), field).map(([of, by]) => `(sort ${of} by='${by}')`),
    fc.tuple(tie('list'), field).map(([of, by]) => `(filter ${of} '${by}' 'ne' '2')`),
  ),
})).list;
const scalar = fc.oneof(
  fc.tuple(fc.nat(3), field).map(([at, name]) => `steps.look.response.${at}.${name}`),
  list.map((of) => `length ${of}`),
  fc
    .tuple(fc.constantFrom('first', 'last'), list, field)
    .map(([end, of, name]) => `${end} (pluck ${of} '${name}')`),
  fc.tuple(list, field, fc.nat(2)).map(([of, name, at]) => `at (pluck ${of} '${name}') ${at}`),
  fc.tuple(list, field).map(([of, name]) => `join (pluck ${of} '${name}') ','`),
  fc.nat(3).map((at) => `default steps.look.response.${at}.markPrice 'none'`),
);
const row = fc.record(
  {
    symbol: fc.constantFrom('A', 'B', 'C'),
    lastPrice: fc.constantFrom('1', '2', '3.5'),
    volume24h: fc.constantFrom('10', '2', '7'),
    markPrice: fc.constantFrom('4', ''),
    ts: fc.constantFrom('1', '2'),
  },
  { requiredKeys: ['symbol', 'lastPrice', 'volume24h', 'ts'] },
);

function loaded(value: string, over: string): Playbook | undefined {
  try {
    return playbookFrom(`playbook: 1
name: it
steps:
${look}  - id: next
    for-each: "{{ ${over} }}"
    key: "{{ each.index }} {{ each.value.symbol }}"
    uses: wait
    with: { for: "{{ ${value} }}", until: "{{ each.value.lastPrice }}" }
`);
  } catch {
    return undefined; // not every text is a playbook
  }
}

function made({ steps }: Playbook, response: Json): unknown {
  const scope: Scope = { steps: { look: { response, outputs: response } } };
  const next = steps[1] ?? never();
  try {
    const found = itemsOf(next, scope, 10_000);
    if (!('items' in found)) return found;
    return found.items.map(({ key, scope: own }) => [
      key,
      ...[...next.with.values()].map(in_(own)),
    ]);
  } catch (error) {
    return messageOf(error);
  }
}

function in_(scope: Scope): (template: Parameters<typeof evaluateTemplate>[0]) => unknown {
  return (template) => {
    try {
      const found = evaluateTemplate(template, scope);
      return found.known ? toJson(found.value) : found.after;
    } catch (error) {
      return messageOf(error);
    }
  };
}

test('are enough for every expression to give the same result', () => {
  let seen = 0;
  fc.assert(
    fc.property(scalar, list, fc.array(row, { maxLength: 5 }), (value, over, rows) => {
      const playbook = loaded(value, over.replace(/^\((.*)\)$/, '$1'));
      if (playbook === undefined) return;
      seen += 1;
      const answer: Json = rows.map((each) => ({ ...each }));
      const kept = usedOf(answer, [usesIn(playbook).get('look') ?? never()]);
      expect(made(playbook, kept)).toEqual(made(playbook, answer));
      expect(JSON.stringify(kept)).not.toContain('"ts"');
    }),
    { numRuns: 1_000 },
  );
  expect(seen).toBeGreaterThan(300); // else most texts are not playbooks
});

function never(): never {
  throw new Error('it is there');
}
