/** Steps that say something else than they would do: told before anything is sent. */
import { describe, expect, test } from 'vitest';
import { loadPlaybook } from '../../src/language/load.ts';

const head = 'playbook: 1\nname: test\nsteps:\n'; // the first step begins in line 4
const order = (more = ''): string => `  - id: order
    uses: futures/place-order
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT,
      size: "1", side: buy, orderType: market }
${more}`;
const read = (more = '', id = 'read'): string => `  - id: ${id}
    uses: order/list-open
${more}`;

const problemsIn = (steps: string): string[] =>
  loadPlaybook(head + steps, 'steps.yaml', { include: () => head + read() }).problems.map(
    ({ code, level, at, message }) =>
      `${level === 'error' ? '' : `${level} `}${code}@${at.start.line} ${message}`,
  );

describe('a key without effect', () => {
  test.each([
    [
      'polling of a write',
      order('    until: "{{ eq response.clientOid \'a\' }}"\n    poll: { every: 1s, for: 5s }\n'),
      [
        'PB408@8 futures/place-order writes, and until would repeat it',
        'PB408@9 futures/place-order writes, and poll would repeat it',
      ],
    ],
    [
      'rows of a write',
      order('    write: { file: a.csv }\n'),
      ['PB408@8 futures/place-order returns no rows to write'],
    ],
    [
      'until without poll',
      read('    until: "{{ eq (length response.list) 0 }}"\n'),
      ['PB408@6 until requires poll'],
    ],
    [
      'poll without until',
      read('    poll: { every: 1s, for: 5s }\n'),
      ['PB408@6 poll requires until'],
    ],
    [
      'until beside write',
      read(
        '    until: "{{ eq (length response.list) 0 }}"\n    poll: { every: 1s, for: 5s }\n    write: { file: a.csv }\n',
      ),
      ['PB408@6 a step with write reads once: until has no effect'],
    ],
    [
      'a pause that is too long',
      read('    until: "{{ eq (length response.list) 0 }}"\n    poll: { every: 1m, for: 5s }\n'),
      ['warning PB408@7 every is longer than for: until would be checked only once'],
    ],
    [
      'the rows of a file, which are not kept in the run',
      read(
        `    write: { file: a.csv }
    outputs: { many: "{{ length response.list }}", file: "{{ response.file }}" }
    expect: [{ that: "{{ gt response.rows 0 }}" }]
  - { id: said, uses: notify/webhook, with: { url: "{{ secrets.HOOK }}", text: "{{ steps.read.response.list }}" } }
`,
      ),
      ['PB304@7 response has no "list"', 'PB304@9 steps.read.response has no "list"'],
    ],
    [
      'attempts of a step that asks nothing',
      '  - uses: wait\n    with: { for: 1s }\n    retry: { attempts: 3 }\n    once-per: playbook\n',
      [
        'PB408@6 wait sends no request: retry has no effect',
        'warning PB408@7 wait does not write to the account: once-per has no effect',
      ],
    ],
    [
      'keys of items without items',
      read('    key: a\n    parallel: 2\n    once-per: playbook\n'),
      [
        'warning PB408@6 key requires for-each',
        'warning PB408@7 parallel requires for-each',
        'warning PB408@8 order/list-open does not write to the account: once-per has no effect',
      ],
    ],
    [
      'limits of a whole playbook',
      '  - uses: ./other.yaml\n    once-per: playbook\n    timeout: 5s\n',
      [
        'PB408@5 once-per does not apply to a nested playbook',
        'PB408@6 timeout does not apply to a nested playbook',
      ],
    ],
    [
      'an order among steps that are all tried',
      `${read()}finally:\n  - { id: last, uses: wait, with: { for: 1s }, needs: [read], on-error: continue }\n`,
      [
        'warning PB408@7 steps of finally all run in the order of the file: needs has no effect',
        'warning PB408@7 steps of finally all run in the order of the file: on-error has no effect',
      ],
    ],
  ])('%s', (_name, steps, problems) => {
    expect(problemsIn(steps)).toEqual(problems);
  });

  test('is not reported where it has one', () => {
    const polling =
      '    until: "{{ eq (length response.list) 0 }}"\n    poll: { every: 1s, for: 5s }\n';
    const items = '    for-each: [a, b]\n    key: "{{ each.value }}"\n    parallel: 2\n';
    expect(problemsIn(read(polling) + order(`${items}    once-per: playbook\n`))).toEqual([]);
  });
});

describe('a file', () => {
  const write = (file: string): string => `    write: { file: ${file} }\n`;
  const items = '    for-each: [a, b]\n';

  test.each([
    [
      'of every item',
      read(items + write('out/a.csv')),
      ['PB409@7 every item would write this file, and only the last one would remain'],
    ],
    [
      'of every item, with a template',
      read(items + write('"out/{{ run.id }}.csv"')),
      ['PB409@7 every item would write this file, and only the last one would remain'],
    ],
    [
      'of two steps, with a template',
      read(write('"out/{{run.id}}.csv"')) + read(write('"out/{{ run.id }}.csv"'), 'again'),
      ['PB404@9 out/{{ run.id }}.csv is written by read as well'],
    ],
    [
      'of two steps with the same items',
      read(items + write('"{{ each.key }}.csv"')) +
        read(items + write('"{{ each.key }}.csv"'), 'again'),
      ['PB404@11 {{ each.key }}.csv is written by read as well'],
    ],
    [
      'of a step and of the report',
      `${read(write('"{{ run.id }}.csv"'))}finally:\n  - { uses: report/page, with: { file: "{{ run.id }}.csv" } }\n`,
      ['PB404@8 {{ run.id }}.csv is written by read as well', 'PB407@8 report/page writes no .csv'],
    ],
    [
      'outside, before a template',
      read(write('"../{{ run.id }}.csv"')),
      ['PB407@6 "../{{ run.id }}.csv" is not a name under the workspace'],
    ],
    [
      'that hides',
      read(write('"out/.{{ run.id }}.csv"')),
      ['PB407@6 "out/.{{ run.id }}.csv" is not a name under the workspace'],
    ],
    [
      'with a blank in its name',
      read(write('my file.csv')),
      ['PB407@6 "my file.csv" is not a name under the workspace'],
    ],
    ['without an ending', read(write('out/rows')), ['PB407@6 the name has no extension']],
    [
      'of another format',
      read(write('"out/{{ run.id }}.xls"')),
      ['PB407@6 .xls is not a format of rows'],
    ],
  ])('%s is refused', (_name, steps, problems) => {
    expect(problemsIn(steps)).toEqual(problems);
  });

  test.each([
    ['of each item', read(items + write('"out/{{ each.key }}.csv"'))],
    [
      'of the one or the other step',
      read(`    if: "{{ eq run.id 'a' }}"\n${write('a.csv')}`) +
        read(`    if: "{{ eq run.id 'b' }}"\n${write('a.csv')}`, 'again'),
    ],
    [
      'of two steps with other items',
      read(items + write('"{{ each.key }}.csv"')) +
        read(`    for-each: [c]\n${write('"{{ each.key }}.csv"')}`, 'again'),
    ],
    ['whose format is said', read('    write: { file: out/rows, format: csv }\n')],
  ])('%s is valid', (_name, steps) => {
    expect(problemsIn(steps)).toEqual([]);
  });
});

describe('the name of a write', () => {
  const named = (field: string, more: string): string =>
    order(more).replace('size:', `clientOid: ${field}, size:`);

  test.each([
    [
      'that no item changes',
      named('"{{ clientOid run.id }}"', '    for-each: [a, b]\n'),
      ['PB405@7 every item would have the same clientOid'],
    ],
    [
      'of a sub-account that no item changes',
      '  - uses: account/create-sub\n    for-each: [a, b]\n    with: { username: alpha }\n',
      ['PB405@6 every item would have the same username'],
    ],
    [
      'that two steps give',
      named('mine', '') + named('mine', '').replace('id: order', 'id: again'),
      ['PB405@11 order gives the same clientOid'],
    ],
  ])('%s is refused', (_name, steps, problems) => {
    expect(problemsIn(steps)).toEqual(problems);
  });

  test('that differs for each item is valid', () => {
    expect(problemsIn(named('"a-{{ each.key }}"', '    for-each: [a, b]\n'))).toEqual([]);
  });
});

describe('a name set inside a nested playbook', () => {
  const inner = `playbook: 1
name: inner
inputs: { name: { type: string } }
steps:
  - id: rows
    uses: order/list-open
    write: { file: out/fixed.csv }
  - id: others
    uses: order/list-open
    write: { file: "out/{{ inputs.name }}.csv" }
  - id: sub
    uses: account/create-sub
    with: { username: alpha }
`;
  const outer = (more: string): string[] =>
    loadPlaybook(`${head}${more}`, 'steps.yaml', { include: () => inner }).problems.map(
      ({ code, at, message }) => `${code}@${at.start.line} ${message}`,
    );
  const uses = (id: string, more = ''): string =>
    `  - id: ${id}\n    uses: ./inner.yaml\n${more}    with: { name: ${id} }\n`;

  test('is duplicated by a for-each', () => {
    expect(outer(uses('a', '    for-each: [x, y]\n'))).toEqual([
      'PB405@4 every item would have the same username',
      'PB409@4 every item would write out/fixed.csv, and only the last one would remain',
    ]);
  });

  test('is duplicated by two steps that use it', () => {
    expect(outer(uses('a') + uses('b'))).toEqual([
      'PB404@7 out/fixed.csv is written by a as well',
      'PB405@7 a gives the same username',
    ]);
  });

  test('is valid once', () => {
    expect(outer(uses('a'))).toEqual([]);
  });
});
