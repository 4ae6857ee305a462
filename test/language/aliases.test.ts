/** Anchors, aliases and merge keys of a playbook: the same as written out, with both places in messages. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { checkedText } from '../../src/agents/lsp/checked.ts';
import { renamed } from '../../src/agents/lsp/rename.ts';
import { canonicalText } from '../../src/language/canonical.ts';
import { loadPlaybook } from '../../src/language/load.ts';
import { Problems } from '../../src/language/problems.ts';
import { plain, readSource, readYaml } from '../../src/language/source.ts';
import {
  live,
  liveOn,
  openHarness,
  ordersPlaced,
  planOn,
  playbookFrom,
} from '../support/harness.ts';

/** The values of a text, or its problems. */
function read(text: string): unknown {
  const problems = new Problems();
  const { tree } = readSource(text, 'a.yaml', problems, { hasAliases: true });
  const found = problems.sorted();
  if (found.length === 0 && tree !== undefined) return plain(tree);
  return found.map(
    ({ code, at, message, hint }) =>
      `${code}@${at.start.line}:${at.start.column} ${message}${hint === undefined ? '' : ` (${hint})`}`,
  );
}

describe('an alias stands for its anchored value', () => {
  test.each([
    ['a: &x 1\nb: *x\n', { a: 1, b: 1 }],
    [
      'a: &x [1, 2]\nb: [*x, *x]\n',
      {
        a: [1, 2],
        b: [
          [1, 2],
          [1, 2],
        ],
      },
    ],
    ['a: &x { p: &y 1, q: *y }\nb: *x\nc: *y\n', { a: { p: 1, q: 1 }, b: { p: 1, q: 1 }, c: 1 }],
    ['a: &x "{{ inputs.n }}"\nb: *x\n', { a: '{{ inputs.n }}', b: '{{ inputs.n }}' }],
    ['a: &x\n  - 1\nb:\n  - *x\n  - 2\n', { a: [1], b: [[1], 2] }],
    ['a: &x\nb: *x\n', { a: null, b: null }],
    ['a: &x 0.10\nb: *x\n', { a: '0.10', b: '0.10' }],
  ])('%s', (text, wanted) => {
    expect(read(text)).toEqual(wanted);
  });
});

describe('a merge key adds keys', () => {
  test.each([
    ['that the map does not have', 'a: &x { p: 1, q: 2 }\nb: { <<: *x, q: 3 }\n', { p: 1, q: 3 }],
    ['also after the explicit ones', 'a: &x { p: 1, q: 2 }\nb: { q: 3, <<: *x }\n', { q: 3, p: 1 }],
    [
      'of several maps, of which the first wins',
      'a: [&x { p: 1 }, &y { p: 2, q: 2 }]\nb:\n  <<: [*x, *y]\n',
      { p: 1, q: 2 },
    ],
    [
      'of a map that was merged itself',
      'a: &x { p: 1 }\nc: &y { <<: *x, q: 2 }\nb: { <<: *y }\n',
      { p: 1, q: 2 },
    ],
    ['of a map in place', 'b: { <<: { p: 1 }, q: 2 }\n', { p: 1, q: 2 }],
  ])('%s', (_what, text, wanted) => {
    const { b } = Object(read(text));
    expect(b).toEqual(wanted);
    expect(Object.keys(b)).toEqual(Object.keys(wanted));
  });
});

describe('what is refused', () => {
  test.each([
    ['a: *x\n', ['PB005@1:4 unknown anchor &x (an anchor comes before its aliases)']],
    ['a: &base 1\nb: *bse\n', ['PB005@2:4 unknown anchor &bse (did you mean "base"?)']],
    ['b: *x\na: &x 1\n', ['PB005@1:4 unknown anchor &x (an anchor comes before its aliases)']],
    ['a: &x [*x]\n', ['PB005@1:8 the alias *x is inside its own anchor']],
    ['a: &x { p: { <<: *x } }\n', ['PB005@1:18 the alias *x is inside its own anchor']],
    [
      'a: &x 1\nb: &x 2\n',
      ['PB004@2:7 duplicate anchor &x (first at 1:7) (give one of them another name)'],
    ],
    [
      'a: &x { p: 1 }\nb: { <<: *x, <<: *x }\n',
      ['PB004@2:14 duplicate key "<<" (first at 2:6) (write a list: <<: [*a, *b])'],
    ],
    [
      'a: &x { p: 1 }\nb: { <<: *x, q: 1, q: 2 }\n',
      ['PB004@2:20 duplicate key "q" (first at 2:14) (remove one of the two)'],
    ],
    [
      'a: &x 1\nb: { <<: *x }\n',
      ['PB103@1:7 << takes a map, or a list of maps (used as *x at 2:10) (as in <<: *order)'],
    ],
    ['a: { "<<": { p: 1 } }\n', ['PB005@1:6 a merge key is written without quotes (write <<:)']],
    ['&x a: 1\nb: 2\n', [expect.stringContaining('PB005@1:4 the anchor &x belongs to a key')]],
    ['a: &x 1\n*x : 2\n', ['PB103@2:1 a key must be a text']],
  ])('%s', (text, problems) => {
    expect(read(text)).toEqual(problems);
  });

  test('in other files than playbooks: anchors, aliases and merge keys', () => {
    for (const text of ['a: &x 1\n', 'a: { <<: {} }\n']) {
      expect(() => readYaml(text, 'deskhand.yaml')).toThrow('not supported here');
    }
  });
});

describe('limits hold for what is written out', () => {
  const laughs = (levels: number, base: string): string =>
    Array.from({ length: levels }, (_, level) => {
      const value =
        level === 0
          ? base
          : `[${Array(10)
              .fill(`*l${level - 1}`)
              .join(', ')}]`;
      return `l${level}: &l${level} ${value}\n`;
    }).join('');

  test.each([
    ['nodes', laughs(10, '1'), 'more than 50,000 nodes'],
    ['bytes', laughs(5, `"${'lol'.repeat(1000)}"`), 'is larger than 256 KiB with its aliases'],
    [
      'depth',
      Array.from(
        { length: 40 },
        (_, n) => `l${n}: &l${n} [[${n === 0 ? 1 : `*l${n - 1}`}]]\n`,
      ).join(''),
      'nested deeper than 64 levels',
    ],
    [
      'keys of a map',
      `${['a', 'b', 'c']
        .map(
          (name) =>
            `${name}: &${name} { ${Array.from({ length: 400 }, (_, n) => `${name}${n}: 1`).join()} }\n`,
        )
        .join('')}d: { <<: [*a, *b, *c] }\n`,
      'more than 1000 keys in one map',
    ],
  ])('%s', (_what, text, message) => {
    const started = performance.now();
    expect(JSON.stringify(read(text))).toContain(message);
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});

const base = `playbook: 1
name: anchors
steps:
  - id: first
    uses: futures/place-order
    with: &order
      symbol: BTCUSDT
      productType: USDT-FUTURES
      marginMode: crossed
      marginCoin: USDT
      side: buy
      tradeSide: open
      orderType: limit
      force: post_only
      price: "21000.0"
      size: "0.010"
`;

test('a merged order is planned and placed like one that is written out', async () => {
  const merged = playbookFrom(`${base}  - id: second
    uses: futures/place-order
    with: { <<: *order, price: "20000.0" }
`);
  const fields = base.slice(base.indexOf('      symbol')).replace('21000.0', '20000.0');
  const written = playbookFrom(
    `${base}  - { id: second, uses: futures/place-order, with: { ${fields.trim().replaceAll('\n', ', ')} } }\n`,
  );
  const [shown, wanted] = [
    await planOn(await openHarness(), merged),
    await planOn(await openHarness(), written),
  ].map(({ steps }) => steps.map(({ id, actions }) => [id, actions.map(({ input }) => input)]));
  expect(shown).toEqual(wanted);
  const harness = await openHarness();
  const before = await ordersPlaced(harness);
  expect((await live(harness, merged)).status).toBe('done');
  const after = await ordersPlaced(harness);
  expect([...after].filter(([oid]) => !before.has(oid)).map(([, orders]) => orders)).toEqual([
    1, 1,
  ]);
});

test('a run with aliases that was killed places each order once', async () => {
  const text = `${base}  - id: second
    uses: futures/place-order
    with: { <<: *order, price: "20000.0" }
`;
  for (let nth = 1; nth <= 12; nth++) {
    const harness = await openHarness();
    const before = await ordersPlaced(harness);
    const death = { at: 'journal', nth, when: 'after' } as const;
    expect((await liveOn(harness, playbookFrom(text), { death })).status).toBe('done');
    const after = await ordersPlaced(harness);
    const fresh = [...after].filter(([oid]) => !before.has(oid)).map(([, orders]) => orders);
    expect(fresh).toEqual([1, 1]);
  }
});

test('a mistake in an anchored value is reported where it is written, and where it is used', () => {
  const text = `${base}  - id: second
    uses: trade/place-order
    with: { <<: *order, price: "20000.0" }
`;
  const { problems } = loadPlaybook(text, 'a.yaml');
  const shown = problems.map(({ at, message }) => `${at.start.line}:${at.start.column} ${message}`);
  expect(shown).toContain(
    '8:7 trade/place-order has no field "productType" (used as *order at 19:17)',
  );
});

test('a mistake of the anchor itself is reported once', () => {
  const text = `${base.replace('side: buy', 'side: Buy')}  - id: second
    uses: futures/place-order
    with: { <<: *order, price: "20000.0" }
`;
  const { problems } = loadPlaybook(text, 'a.yaml');
  expect(problems.map(({ code, at }) => `${code}@${at.start.line}`)).toEqual(['PB204@11']);
});

test('two steps that are one anchor have one id', () => {
  const text = `playbook: 1
name: same
steps:
  - &read
    id: read
    uses: market/list-tickers
    with: { category: SPOT }
  - *read
`;
  const { problems } = loadPlaybook(text, 'a.yaml');
  expect(problems.map(({ message }) => message)).toEqual([
    'duplicate id "read" (first in line 5) (used as *read at 8:5)',
  ]);
});

test('fmt keeps anchors, aliases, merge keys and comments as they are written', () => {
  const text = `${base}  - id: second # like the first
    uses: futures/place-order
    with: { <<: *order, price:   "{{inputs.price}}" }
`;
  expect(canonicalText(text, 'a.yaml')).toBe(
    text.replace('{{inputs.price}}', '{{ inputs.price }}'),
  );
});

const scalars = fc.oneof(fc.integer(), fc.constantFrom('a', 'b c', '{{ x }}', ''), fc.boolean());
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalars,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('p', 'q', 'r', 's'), tie('value'), { maxKeys: 4 }),
  ),
})).value;

test('a text with aliases has the values of the same text without them', () => {
  fc.assert(
    fc.property(fc.array(values, { minLength: 1, maxLength: 3 }), fc.nat(30), (shared, seed) => {
      // One object in several places becomes an anchor and its aliases.
      const value = {
        first: shared,
        second: shared.map((each, index) => (index % 2 === seed % 2 ? each : [each, each])),
        third: { shared, last: shared.at(-1) },
      };
      const text = stringify(value, { lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE' });
      const written = stringify(value, {
        lineWidth: 0,
        defaultStringType: 'QUOTE_DOUBLE',
        aliasDuplicateObjects: false,
      });
      expect(read(text)).toEqual(read(written));
    }),
  );
});

test('an editor renames a step whose id is an anchor once, for all of its aliases', () => {
  const text = `playbook: 1
name: renamed
steps:
  - id: &read read
    uses: market/list-tickers
    with: { category: SPOT }
  - id: after
    needs: [*read]
    uses: market/list-tickers
    with: { category: SPOT }
  - id: last
    needs: [*read, after]
    uses: market/list-tickers
    with: { category: SPOT }
`;
  const checked = checkedText(text, 'a.yaml', {});
  const start = text.indexOf('&read') + '&read '.length;
  expect(renamed(checked, start, 'fresh', {})).toEqual([{ start, end: start + 'read'.length }]);
});

test.each([
  [
    'a: &x 1\n',
    'only playbooks share values: leave it out, and write the value wherever it is needed',
  ],
  ['a: *x\n', 'only playbooks share values: write the value here'],
  ['a: !!str 1\n', 'leave it out; quotes make a text of a number'],
  ['%YAML 1.1\n---\na: 1\n', 'leave the line out: each file is YAML 1.2'],
])('the configuration %j is answered with what to do', (text, hint) => {
  expect(() => readYaml(text, 'deskhand.yaml')).toThrow(expect.objectContaining({ hint }));
});
