/** Valid files of other tools are read, and their habits are answered with the form of a playbook. */
import { describe, expect, test } from 'vitest';
import { codeFrame, codeFrames } from '../../src/language/format.ts';
import { loadPlaybook } from '../../src/language/load.ts';
import { Problems } from '../../src/language/problems.ts';
import { readSource } from '../../src/language/source.ts';
import { helpers } from '../../src/language/expression/helpers/index.ts';
import { forms, helperHint } from '../../src/language/expression/other-helpers.ts';
import { inputProblems } from '../../src/exchange/api/check.ts';

const playbook = {
  playbook: 1,
  name: 'c',
  description: 'a: b, {c} # d',
  inputs: { s: { type: 'string', default: 'SPOT' } },
  steps: [
    { id: 't', uses: 'market/list-tickers', with: { category: '{{ inputs.s }}' } },
    {
      id: 'u',
      needs: ['t'],
      uses: 'market/list-tickers',
      with: { category: 'SPOT' },
      if: "{{ eq inputs.s 'x, y' }}",
    },
  ],
};

test.each([
  ['compact', JSON.stringify(playbook)],
  ['in lines', JSON.stringify(playbook, null, 2)],
  ['with tabs', JSON.stringify(playbook, null, '\t')],
  ['with a blank before the colon', JSON.stringify(playbook).replaceAll('":', '" :')],
  ['with Windows line ends', JSON.stringify(playbook, null, 2).replaceAll('\n', '\r\n')],
  [
    'with single quotes',
    JSON.stringify(playbook).replaceAll("'", '').replaceAll('"', "'").replace('x, y', 'inputs.s'),
  ],
])('JSON %s is a playbook', (_, text) => {
  const errors = loadPlaybook(text, 'c.json').problems.filter(({ level }) => level === 'error');
  expect(errors).toEqual([]);
});

test('a template without quotes in compact JSON is reported in its place', () => {
  const text = JSON.stringify(playbook).replace('"{{ inputs.s }}"', '{{ inputs.s }}');
  const [problem] = loadPlaybook(text, 'c.json').problems;
  expect(problem).toMatchObject({ code: 'PB006', at: { start: { offset: text.indexOf('{{') } } });
});

const step = (line: string): string => `playbook: 1
name: c
inputs: { s: { type: string, default: SPOT }, n: { type: integer, default: 1 } }
steps:
  - id: t
    uses: market/list-tickers
    with: { category: SPOT }
    ${line}
`;

/** The marked text and the hint of the first problem of the last line. */
function answerTo(line: string): readonly (string | undefined)[] {
  const text = step(line);
  const [problem] = loadPlaybook(text, 'c.yaml').problems.filter(({ at }) => at.start.line === 8);
  return [problem && text.slice(problem.at.start.offset, problem.at.end.offset), problem?.hint];
}

describe('an expression of another language', () => {
  test.each([
    ['if: "{{ inputs.n > 0 }}"', '>', 'write {{ gt inputs.n 0 }}'],
    ['if: "{{ inputs.s == \'a > b\' }}"', '==', "write {{ eq inputs.s 'a > b' }}"],
    [
      'if: "{{ inputs.n == 1 && true }}"',
      '==',
      'a helper is written before its values, as in {{ eq inputs.size 1 }}',
    ],
    ['if: "{{ inputs.n - 1 }}"', '-', 'write {{ sub inputs.n 1 }}'],
    ['if: "{{ inputs.n / 3 }}"', '/', 'write {{ div inputs.n 3 scale=2 }}'],
    ['if: "{{ inputs.n and inputs.s }}"', 'and', 'write {{ and inputs.n inputs.s }}'],
    ['if: "{{ inputs.s | upper }}"', '|', 'write {{ upper inputs.s }}'],
    [
      'if: "{{ upper(inputs.s) }}"',
      'upper',
      'write the values after it, without commas: {{ upper text }}',
    ],
    [
      'if: "{{ count inputs.s }}"',
      'count',
      'write {{ length list }}, or { count: rows } for a column of a table with groups',
    ],
    ['if: "{{ map inputs.s }}"', 'map', "write {{ pluck list 'field' }}"],
    ['if: "{{ find inputs.s }}"', 'find', "write {{ first (filter list 'field' 'eq' value) }}"],
    ['if: "{{ toFixed inputs.n }}"', 'toFixed', 'write {{ roundTo value 2 }}'],
    ['if: "{{ to_json inputs.n }}"', 'to_json', 'write {{ json value }}'],
    ['if: "{{ uper inputs.s }}"', 'uper', 'did you mean "upper"?'],
    ['if: "{{ !inputs.s }}"', '!', 'write {{ not inputs.flag }}'],
    [
      'if: "{{ not (inputs.n > 0) }}"',
      '>',
      'a helper is written before its values, as in {{ gt inputs.size 1 }}',
    ],
    [
      'if: "{{ inputs.n ? 1 : 2 }}"',
      '?',
      'write two steps with opposite `if`, or a default: {{ default inputs.size 1 }}',
    ],
    [
      'outputs: { x: "{{ if (gt inputs.n 1) 2 3 }}" }',
      'if',
      'write two steps with opposite `if`, or a default: {{ default inputs.size 1 }}',
    ],
    ['outputs: { x: "{{ inputs.n or 5 }}" }', 'or', 'write {{ default inputs.n 5 }}'],
    ['if: "{{ gt inputs.n, 0 }}"', ',', 'write {{ gt inputs.size 0 }}'],
    ['if: "{{ inputs[\'n\'] }}"', "['n']", 'write a key with a dot: inputs.legs.n'],
    ['if: inputs.n > 0', 'inputs.n > 0', 'write if: "{{ gt inputs.n 0 }}"'],
    ['if: "${{ eq inputs.n 1 }}"', '$', 'write if: "{{ eq inputs.n 1 }}", without $'],
    ['if: ${{ eq inputs.n 1 }}', '${{ eq inputs.n 1 }}', 'write "{{ eq inputs.n 1 }}"'],
    ['outputs: { x: "${inputs.n}" }', '"${inputs.n}"', 'write "{{ inputs.n }}"'],
    ['outputs: { x: "${{ inputs.n }}" }', '$', 'write "{{ inputs.n }}" for the value alone'],
    [
      'if: "a text before {{ eq inputs.n 1 } after"',
      '}',
      expect.stringContaining('close every {{'),
    ],
    ['if: "{{ eq (add inputs.n 1 2 }}"', '}', expect.stringContaining('close every {{')],
  ])('%s', (line, marked, hint) => {
    expect(answerTo(line)).toEqual([marked, hint]);
  });
});

test.each([
  ['number', 'decimal'],
  ['int', 'integer'],
  ['bool', 'boolean'],
  ['str', 'string'],
  ['datetime', 'time'],
  ['interval', 'duration'],
  ['choice', 'enum with values: [a, b]'],
  ['array', 'list with items: { type: decimal }'],
  ['object', 'map with items: { type: decimal }'],
  ['struct', 'record with fields:'],
  ['csv', 'list with items: { type: record, fields: {…} }, and give it with --var-file NAME=FILE'],
])('an input of type %s', (type, hint) => {
  const text = step('').replace('type: integer, default: 1', `type: ${type}`);
  const problem = loadPlaybook(text, 'c.yaml').problems.find(({ code }) => code === 'PB104');
  expect(problem?.hint).toBe(`write type: ${hint}`);
});

test.each([
  ['inputs: { n: text }', 'write n: { type: string }'],
  ['inputs: { n: int }', 'write n: { type: integer }'],
  ['inputs: { n: decimal }', 'write n: { type: decimal }'],
  ['inputs: { n: big }', 'write n: { type: string }'],
  ['inputs: { n: { type: list, items: csv } }', 'write items: { type: list }'],
  ['inputs: { n: { type: record, fields: { id: bool } } }', 'write id: { type: boolean }'],
])('a type instead of its map: %s', (line, hint) => {
  const { problems } = loadPlaybook(`playbook: 1\nname: c\n${line}\nsteps: []\n`, 'c.yaml');
  expect(problems.find(({ code }) => code === 'PB103')?.hint).toBe(hint);
});

test.each([
  [
    'where: x',
    'write a step with uses: report/table, with: { from: STEP, where: "{{ gt row.size 0 }}" }',
  ],
  ['columns: x', 'write write: { file: "out/rows.csv", columns: { symbol: "{{ row.symbol }}" } }'],
  ['when: x', 'write if: "{{ gt inputs.size 0 }}"'],
  ['loop: [1]', 'write for-each: "{{ inputs.items }}", and {{ each.value }} for the item'],
  ['with_items: [1]', 'write for-each: "{{ inputs.items }}", and {{ each.value }} for the item'],
  ['depends_on: [x]', 'write needs: [STEP]'],
  ['after: x', 'write needs: [STEP]'],
  ['retries: 3', 'write retry: { attempts: 3 }'],
  ['delay: 3', 'write poll: { every: 1s, for: 20s } beside until, or a step that uses: wait'],
  ['ignore_errors: true', 'write on-error: continue'],
  ['continue-on-error: true', 'write on-error: continue'],
  ['timeout-minutes: 3', 'write timeout: 30s'],
  ['params: {}', 'write with: { field: value }'],
  ['forEach: [1]', 'did you mean "for-each"?'],
])('the key of another tool: %s', (line, hint) => {
  expect(answerTo(line)).toEqual([line.split(':')[0], hint]);
});

describe('an order as another tool writes it', () => {
  const order = {
    symbol: 'BTCUSDT',
    productType: 'USDT-FUTURES',
    marginMode: 'crossed',
    marginCoin: 'USDT',
  };
  const rest = { size: '1', side: 'buy', orderType: 'market' };
  const hintOf = (field: string, value: string): string | undefined =>
    inputProblems('futures/place-order', { ...order, ...rest, [field]: value })[0]?.hint;

  test.each([
    ['symbol', 'BTC/USDT:USDT', 'write BTCUSDT'],
    ['symbol', 'btc/usdt', 'write BTCUSDT'],
    ['symbol', 'ETH/USDC:USDC', 'write ETHPERP'],
    ['symbol', 'BTC/USD:BTC', 'write BTCUSD'],
    ['symbol', 'BTC-USDT-SWAP', 'write BTCUSDT'],
    ['symbol', 'BTC_USDT', 'write BTCUSDT'],
    ['symbol', 'BTCUSDT_UMCBL', 'write BTCUSDT'],
    ['reduceOnly', 'true', 'write reduceOnly: YES'],
    ['reduceOnly', 'no', 'write reduceOnly: NO'],
    ['productType', 'umcbl', 'write productType: USDT-FUTURES'],
    ['marginMode', 'cross', 'write marginMode: crossed'],
    ['side', 'BUY', 'write side: buy'],
    ['force', 'postOnly', 'write force: post_only'],
    ['quantity', '1', 'did you mean "size"?'],
    ['timeInForce', 'gtc', 'did you mean "force"?'],
    ['clientOrderId', 'a', 'did you mean "clientOid"?'],
  ])('%s: %s', (field, value, hint) => {
    expect(hintOf(field, value)).toBe(hint);
  });

  test.each(['BTCUSDT', 'BTCPERP', 'BTCUSDU25', '$AIUSDT', 'A B', 'btcusdt', 'SBTCSUSDT'])(
    'the symbol %s is accepted',
    (symbol) => {
      expect(hintOf('symbol', symbol.replace(' ', ''))).toBeUndefined();
    },
  );

  test('true of YAML as reduceOnly names YES', () => {
    const fields = Object.entries({ ...order, ...rest, reduceOnly: true });
    const written = fields.map(([name, value]) => `${name}: ${value}`).join(', ');
    const text = `playbook: 1\nname: c\nsteps:\n  - { id: t, uses: futures/place-order, with: { ${written} } }\n`;
    expect(loadPlaybook(text, 'c.yaml').problems).toMatchObject([
      { code: 'PB204', message: 'reduceOnly must be YES or NO', hint: 'write reduceOnly: YES' },
    ]);
  });
});

test.each([
  ['at its start', 0, 400],
  ['in its middle', 300, 400],
  ['at its end', 390, 0],
  ['between wide characters', 300, 400, '\u{1f600}'],
])('a long line is cut around the mark %s', (_, before, after, letter = 'x') => {
  const text = `playbook: 1\nname: [${letter.repeat(before)}, "{{ here }", ${letter.repeat(after)}]\n`;
  const start = text.indexOf('here') - text.indexOf('\n') - 1;
  const at = (column: number) => ({ offset: 0, line: 2, column });
  const place = { file: 'c.yaml', start: at(start + 1), end: at(start + 5) };
  const frame = codeFrame({ code: 'PB301', level: 'error', message: 'm', at: place }, text, {
    color: false,
  });
  const [, , , line = '', carets = ''] = frame.split('\n');
  const first = carets.indexOf('^');
  expect(line.slice(first, carets.length)).toBe('here');
  expect(line.length).toBeLessThanOrEqual(164);
  expect(line.isWellFormed()).toBe(true);
});

test('a file that is too large is told to be split: a playbook into playbooks', () => {
  const text = `playbook: 1\n${'#'.repeat(256 * 1024)}\n`;
  const hintOf = (options: { hasAliases?: boolean }): string | undefined => {
    const problems = new Problems();
    readSource(text, 'c.yaml', problems, options);
    return problems.sorted().find(({ code }) => code === 'PB002')?.hint;
  };
  expect(hintOf({ hasAliases: true })).toMatch(/^split it into playbooks/);
  expect(hintOf({})).toBe('split it into several files');
});

test('many problems of one text have the frames that each has alone', () => {
  const text = `playbook: 1\r\nname: Long Name\nsteps: [{ ids: x }, { idd: y }]\n`;
  const { problems } = loadPlaybook(text, 'c.yaml');
  const alone = problems.map((problem) => codeFrame(problem, text, { color: false }));
  expect(problems.length).toBeGreaterThan(2);
  expect(codeFrames(problems, text, { color: false })).toEqual(alone);
});

test.each(['!!str', '!secret'])('the tag %s is reported as it is written', (tag) => {
  const text = step(`if: ${tag} x`);
  const { problems } = loadPlaybook(text, 'c.yaml');
  expect(problems.map(({ message }) => message)).toContain(`the tag ${tag} is not supported`);
});

test('no helper counts as a word of another language, and each form is valid', () => {
  expect([...helpers.keys()].filter((name) => helperHint(name, []).hint !== undefined)).toEqual([]);
  for (const { of } of forms) {
    const [name = ''] = of.trim().split(' ');
    const hint = helperHint(name, []).hint ?? '';
    const expression = hint
      .replace('write ', '')
      .replaceAll(/(?<= )(a|b|value|other|index|list|text|time)(?=[ )])/g, 'inputs.$1');
    const text = `playbook: 1
name: c
inputs:
  list: { type: list, items: { type: record, fields: { field: { type: string } } } }
  text: { type: string }
  time: { type: time }
  index: { type: integer }
${['a', 'b', 'value', 'other'].map((each) => `  ${each}: { type: decimal, minimum: 1 }\n`).join('')}steps:
  - { id: t, uses: wait, with: { for: 1ms }, outputs: { o: "${expression}" } }
`;
    const found = loadPlaybook(text, 'c.yaml').problems.filter(({ at }) => at.start.line > 11);
    expect([expression, found.map(({ message }) => message)]).toEqual([expression, []]);
  }
});
