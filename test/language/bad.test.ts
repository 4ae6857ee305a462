/** Bad playbooks by category: each gets its rule, its place, and never a crash. */
import { describe, expect, test } from 'vitest';
import { loadPlaybook } from '../../src/language/load.ts';

const head = 'playbook: 1\nname: test\n';
const withSteps = (steps: string): string => `${head}steps:\n${steps}`;
const order = (fields: string, more = ''): string =>
  withSteps(`  - id: a
    uses: futures/place-order
${more}    with:
      symbol: BTCUSDT
      productType: USDT-FUTURES
      marginMode: crossed
      marginCoin: USDT
      size: "1"
      side: buy
      orderType: market
${fields}`);
const read = (rest: string): string =>
  withSteps(`  - id: a\n    uses: market/list-tickers\n    with: { category: SPOT }\n${rest}`);

const builtIn = (uses: string, fields: string): string =>
  withSteps(`  - id: a\n    uses: ${uses}\n    with: { ${fields} }\n`);

const notice = (fields: string): string => builtIn('notify/webhook', fields);

const codes = (text: string): string[] =>
  loadPlaybook(text, 'bad.yaml')
    .problems.filter(({ level }) => level === 'error')
    .map(({ code, at }) => `${code}@${at.start.line}`);

describe('YAML features that the language refuses', () => {
  test.each([
    ['a key twice', `${head}name: again\nsteps: []\n`, 'PB004@3'],
    ['an anchor twice', `${head}description: &a x\naccount: &a x\nsteps: []\n`, 'PB004@4'],
    ['an alias within itself', `${head}description: &a [*a]\nsteps: []\n`, 'PB005@3'],
    ['an alias of nothing', `${head}description: *nobody\nsteps: []\n`, 'PB005@3'],
    ['a tab before a key', `${head}steps:\n\t- id: a\n`, 'PB001@4'],
    ['a merge key of a text', read('    write: { <<: x, file: a.csv }\n'), 'PB103@7'],
    ['a tag', `${head}description: !!js/function x\nsteps: []\n`, 'PB005@3'],
    ['a directive', `%YAML 1.1\n---\n${head}steps: []\n`, 'PB005@1'],
    ['two documents', `${read('')}---\na: 1\n`, 'PB005@8'],
    ['an empty file', '', 'PB007@1'],
    ['only a comment', '# nothing\n', 'PB007@1'],
    ['a control character', `${head}description: "a\\u0000b"\nsteps: []\n`, 'PB003@3'],
    ['a template without quotes', order('      stpMode: {{ inputs.mode }}\n'), 'PB006@14'],
    ['a file of a megabyte', `# ${'x'.repeat(1 << 20)}\n`, 'PB002@1'],
    ['deep nesting', '['.repeat(20_000), 'PB002@1'],
    ['a list that is not closed', `${head}steps: [\n`, 'PB001'],
    ['a prototype name', order('      __proto__: x\n'), 'PB101@14'],
  ])('%s', (_name, text, code) => {
    expect(codes(text).join(' ')).toContain(code);
  });
});

describe('a text in the wrong form is reported with the right form', () => {
  test.each([
    [
      'name: Desk Setup für Müller',
      'name must be at most 64 lower-case letters, digits and dashes, and must not start with a dash',
      'did you mean "desk-setup-fur-muller"?',
    ],
    [
      'name: x\ndefaults: { timeout: 10 S }',
      'timeout must be a duration such as 500ms, 10s, 5m or 2h',
      'did you mean "10s"?',
    ],
    [
      'name: x\ndefaults: { timeout: soon }',
      'timeout must be a duration such as 500ms, 10s, 5m or 2h',
      undefined,
    ],
    ['name: x\nparallel: 99', 'parallel must be <= 20', undefined],
    [
      'name: x\naccount: "{{ inputs.desk }}"',
      'account must be the name of a profile: only the account of a step may be an expression',
      undefined,
    ],
  ])('%s', (lines, message, hint) => {
    const text = `playbook: 1\n${lines}\nsteps:\n  - uses: market/list-discount-rates\n`;
    const [problem, ...others] = loadPlaybook(text, 'bad.yaml').problems;
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code: 'PB105', message });
    expect(problem?.hint).toBe(hint);
  });

  test('an id must not start with a digit', () => {
    const [problem] = loadPlaybook(
      withSteps('  - { id: 1st Leg, uses: market/list-discount-rates }\n'),
      'bad.yaml',
    ).problems;
    expect(problem?.hint).toBe('did you mean "st-leg"?');
  });
});

test('an unknown field is reported with the known ones', () => {
  const text = withSteps('  - { uses: agent/list-assets, with: { coin: USDT } }\n');
  expect(loadPlaybook(text, 'bad.yaml').problems).toMatchObject([
    { code: 'PB202', hint: 'it has pageNo, pageSize and uid' },
  ]);
});

describe('meaning', () => {
  test.each([
    ['an account known only later', read('    account: "{{ steps.a.response.x }}"\n'), 'PB105@7'],
    ['a misspelt key', read('    retires: 3\n'), 'PB101@7'],
    [
      'an input nobody can name',
      `inputs: { a b: { type: string, default: x } }\n${read('')}`,
      'PB105@1',
    ],
    ['a command without words', builtIn('shell/run', 'command: []'), 'PB204@6'],
    ['a command without a program', builtIn('shell/run', 'command: ["", x]'), 'PB204@6'],
    ['a notice over HTTP', builtIn('notify/webhook', 'url: http://a.example, text: x'), 'PB204@6'],
    ['a wait for less than nothing', builtIn('wait', 'for: -1s'), 'PB204@6'],
    ['a wait for no length of time', builtIn('wait', 'for: soon'), 'PB204@6'],
    ['a wait until no time', builtIn('wait', 'until: tomorrow'), 'PB204@6'],
    [
      'an id twice',
      withSteps(
        '  - { id: a, uses: market/list-discount-rates }\n  - { id: a, uses: market/list-discount-rates }\n',
      ),
      'PB401@5',
    ],
    [
      'an unknown need',
      withSteps('  - { id: a, needs: [b], uses: market/list-discount-rates }\n'),
      'PB402@4',
    ],
    [
      'steps that need each other',
      withSteps(
        '  - { id: a, needs: [b], uses: market/list-discount-rates }\n  - { id: b, needs: [a], uses: market/list-discount-rates }\n',
      ),
      'PB403@4',
    ],
    ['an enum with another case', order('      force: GTC\n'), 'PB204@14'],
    [
      'a name with a capital',
      withSteps('  - id: a\n    uses: account/create-sub\n    with: { username: Alpha }\n'),
      'PB204@6',
    ],
    [
      'a line that is not traded for real',
      withSteps(
        '  - id: a\n    uses: futures/list-adl-ranks\n    with: { productType: SUSDT-FUTURES }\n',
      ),
      'PB204@6',
    ],
    [
      'a page that is too large',
      withSteps(
        '  - id: a\n    uses: futures/list-bills\n    with: { productType: USDT-FUTURES, limit: "101" }\n',
      ),
      'PB204@6',
    ],
    [
      'one clientOid for many',
      order('      clientOid: mine\n', '    for-each: [a, b]\n'),
      'PB405@15',
    ],
    [
      'two steps with one file',
      `${read('    write: { file: a.csv }\n')}  - id: b\n    uses: market/list-discount-rates\n    write: { file: a.csv }\n`,
      'PB404@10',
    ],
    ['a file outside', read('    write: { file: ../a.csv }\n'), 'PB407@7'],
    [
      'leverage 0',
      withSteps(
        '  - id: a\n    uses: futures/set-all-leverage\n    with: { productType: USDT-FUTURES, leverage: "0" }\n',
      ),
      'PB204@6',
    ],
    [
      'a demo line where none may stand',
      withSteps(
        '  - id: a\n    uses: futures/list-adl-ranks\n    with: { productType: SUSDT-FUTURES }\n',
      ),
      'PB204@6',
    ],
    ['a number with an exponent', order('      price: 1e3\n'), 'PB204@14'],
    ['a number in hexadecimal', order('      price: 0x1F\n'), 'PB204@14'],
    ['a number with a leading zero', order('      price: 010\n'), 'PB204@14'],
    [
      'COIN-FUTURES without marginCoin',
      withSteps(
        '  - id: a\n    uses: market/get-risk-reserve\n    with: { category: COIN-FUTURES, symbol: BTCUSD }\n',
      ),
      'PB203@6',
    ],
  ])('%s', (_name, text, code) => {
    expect(codes(text).join(' ')).toContain(code);
  });
});

describe('templates', () => {
  test.each([
    ['an unknown name', order('      price: "{{ inputs.nothing }}"\n'), 'PB304@14'],
    [
      'a step that comes later',
      `${order('      price: "{{ steps.b.response.0.lastPrice }}"\n')}  - id: b\n    uses: market/list-tickers\n    with: { category: SPOT }\n`,
      'PB307@14',
    ],
    ['a partial', order('      price: "{{> part }}"\n'), 'PB302@14'],
    ['a block', order('      price: "{{#if x}}1{{/if}}"\n'), 'PB302@14'],
    ['three braces', order('      price: "{{{ inputs.x }}}"\n'), 'PB302@14'],
    ['a way up', order('      price: "{{ ../x }}"\n'), 'PB302@14'],
    ['a variable of the root', order('      price: "{{ @root.x }}"\n'), 'PB302@14'],
    ['an unknown helper', order('      price: "{{ plus 1 2 }}"\n'), 'PB303@14'],
    ['a prototype name', order('      price: "{{ inputs.constructor }}"\n'), 'PB302@14'],
    ['a secret in an order', order('      price: "{{ secrets.X }}"\n'), 'PB306@14'],
    [
      'a secret in the text of a notice',
      notice('url: "{{ secrets.X }}", text: "{{ secrets.T }}"'),
      'PB306@6',
    ],
    ['a key of the exchange', notice('url: "{{ secrets.API_KEY }}", text: x'), 'PB314@6'],
    ['one under a prefix', notice('url: "{{ secrets.MAIN_API_SECRET }}", text: x'), 'PB314@6'],
    [
      'a passphrase for a program',
      builtIn('shell/run', 'command: [a], env: { P: "{{ secrets.API_PASSPHRASE }}" }'),
      'PB314@6',
    ],
    ['a secret in an address', notice('url: "https://a.b/{{ secrets.T }}", text: x'), 'PB314@6'],
    ['a secret made into one', notice('url: "{{ lower secrets.T }}", text: x'), 'PB314@6'],
    ['the answer before there is one', order('      price: "{{ response.x }}"\n'), 'PB306@14'],
    ['an open brace', order('      price: "{{ add 1 2"\n'), 'PB301@14'],
    ['too few arguments', order('      price: "{{ add 1 }}"\n'), 'PB310@14'],
    ['a condition that is a number', read('    if: "{{ add 1 2 }}"\n'), 'PB308@7'],
    ['a condition that is not an expression', read('    if: "true"\n'), 'PB308@7'],
    [
      'a field that may be missing',
      read('    outputs: { x: "{{ response.0.markPrice }}" }\n'),
      'PB311@7',
    ],
    ['100 KB', order(`      price: "{{ ${'a'.repeat(100_000)} }}"\n`), 'PB301@14'],
    ['deep parentheses', order(`      price: "{{ ${'add (abs '.repeat(30)} }}"\n`), 'PB301@14'],
  ])('%s', (_name, text, code) => {
    expect(codes(text).join(' ')).toContain(code);
  });

  test('a name that the step has, beside its outputs, is named with its path', () => {
    const count = '{{ steps.read.outputs.rows }}';
    const text = `playbook: 1
name: bad
steps:
  - { id: read, uses: market/list-tickers, with: { category: SPOT }, write: { file: out.csv }, outputs: { name: "{{ response.file }}" } }
  - { id: tell, uses: notify/webhook, with: { url: "{{ secrets.HOOK }}", text: "${count}" } }
`;
    const [problem] = loadPlaybook(text, 'bad.yaml').problems;
    expect([problem?.code, problem?.hint]).toEqual(['PB304', 'it is steps.read.rows']);
  });

  test('a location inside a folded text is the location in the file', () => {
    const text = read('    if: >-\n      {{ gt\n      1 inputs.none }}\n');
    const [problem] = loadPlaybook(text, 'bad.yaml').problems;
    expect([problem?.code, problem?.at.start.line, problem?.at.start.column]).toEqual([
      'PB304',
      9,
      9,
    ]);
  });
});

test('numbers keep their digits where the API requires text', () => {
  const text = withSteps(
    '  - id: a\n    uses: loan/list-symbols\n    with: { productId: 12345678901234567890 }\n',
  );
  const { playbook } = loadPlaybook(text, 'good.yaml');
  const template = playbook?.steps[0]?.with.get('productId');
  expect(template?.kind === 'literal' && template.source).toBe('12345678901234567890');
});

test('an unused input is a warning, not an error', () => {
  const { playbook, problems } = loadPlaybook(
    `${head}inputs: { x: { type: string, default: a } }\nsteps:\n  - { id: a, uses: market/list-discount-rates }\n`,
    'warn.yaml',
  );
  expect(playbook).toBeDefined();
  expect(problems.map(({ code, level }) => [code, level])).toEqual([['PB501', 'warning']]);
});
