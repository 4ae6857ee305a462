/** Records: their fields are typed wherever they are used, and each mistake in a file has its place. */
import { describe, expect, test } from 'vitest';
import { toJson } from '../../src/language/expression/value.ts';
import { resolveInputs } from '../../src/language/inputs.ts';
import { loadPlaybook } from '../../src/language/load.ts';
import type { Playbook } from '../../src/language/playbook.ts';
import { inputIn, inputsIn } from '../../src/language/value-file.ts';

const client = `type: record
    fields:
      name: { type: string, pattern: "^[a-z ]+$" }
      rate: { type: decimal, minimum: 0, maximum: 1 }
      tier: { type: enum, values: [gold, plain], default: plain }
      since: { type: time, optional: true }`;

const using = (steps: string, more = ''): string => `playbook: 1
name: bill
inputs:
  client:
    ${client}
  clients:
    type: list
    items:
      ${client.replaceAll('\n', '\n  ')}
${more}steps:
${steps}`;

const read = `  - id: a
    uses: market/list-discount-rates
`;

const problemsIn = (text: string, files: Readonly<Record<string, string>> = {}): string[] =>
  loadPlaybook(text, 'bill.yaml', { include: (file) => files[file] })
    .problems.filter(({ level }) => level === 'error')
    .map(({ code, at, message, hint = '' }) => `${code}@${at.start.line} ${message} (${hint})`);

function valid(text: string): Playbook {
  const { playbook } = loadPlaybook(text, 'bill.yaml');
  if (playbook === undefined) throw new Error(problemsIn(text).join('; '));
  return playbook;
}

const bill = valid(using(read));

const given = (name: string, value: Parameters<typeof toJson>[0]): unknown => {
  const { inputs, problems } = resolveInputs(bill, new Map([[name, value]]));
  const own = problems.filter((problem) => problem.name === name);
  return own.length === 0 ? toJson(inputs[name] ?? null) : own.map(({ message }) => message);
};

/** The values of `clients` in a file, or what is said about it. */
function fromFile(file: string, text: string): unknown {
  const declared = bill.inputs.get('clients');
  if (declared === undefined) throw new Error('no input');
  try {
    return given('clients', inputIn(text, file, declared));
  } catch (error) {
    return String(error).replace(/^\w+: /, '');
  }
}

describe('a misspelled field of a record is an error of validate', () => {
  const nested = `playbook: 1
name: one
inputs:
  client:
    ${client}
steps:
${read}    expect: [{ that: "{{ gt inputs.client.rate 0 }}" }]
`;
  const dueOf = (expression: string): string => `${read}    outputs: { x: "${expression}" }\n`;
  test.each([
    ['a path', dueOf('{{ inputs.client.ratee }}'), 'PB304@23 inputs.client has no "ratee"'],
    [
      'pluck',
      dueOf("{{ sum (pluck inputs.clients 'ratee') }}"),
      'PB304@23 the members have no "ratee"',
    ],
    [
      'a place in the list',
      dueOf('{{ inputs.clients.0.ratee }}'),
      'PB304@23 inputs.clients.0 has no "ratee"',
    ],
    [
      'for-each',
      `  - id: a\n    for-each: "{{ inputs.clients }}"\n    key: "{{ each.value.name }}"\n    uses: wait\n    with: { for: 1s }\n    outputs: { x: "{{ each.value.ratee }}" }\n`,
      'PB304@26 each.value has no "ratee"',
    ],
    [
      'a nested playbook',
      `  - id: a\n    uses: ./one.yaml\n    with: { client: { name: a, ratee: "{{ inputs.client.rate }}", rate: 0.1 } }\n`,
      'PB202@23 client has no field "ratee"',
    ],
    [
      'a nested playbook, in a record that is passed on',
      `  - id: a\n    for-each: [{ name: a, ratee: 1 }]\n    key: "{{ each.value.name }}"\n    uses: ./one.yaml\n    with: { client: "{{ each.value }}" }\n`,
      'PB305@25 client has no field "ratee"',
    ],
  ])('%s', (_name, steps, problem) => {
    expect(problemsIn(using(steps), { 'one.yaml': nested })).toEqual([
      `${problem} (did you mean "rate"?)`,
    ]);
  });

  test('what a nested playbook requires must be there, and fit', () => {
    const calling = (value: string): string[] =>
      problemsIn(using(`  - id: a\n    uses: ./one.yaml\n    with: { client: ${value} }\n`), {
        'one.yaml': nested,
      });
    expect(calling('{ name: a, rate: 0.1 }')).toEqual([]);
    expect(calling('"{{ inputs.client }}"')).toEqual([]);
    expect(calling('{ name: a }')).toEqual(['PB203@23 client.rate is missing ()']);
    expect(calling('{ name: a, rate: 2 }')).toEqual(['PB204@23 client.rate: 2 is above 1 ()']);
    expect(calling('{ name: a, rate: "{{ run.time }}" }')).toEqual([
      'PB305@23 client.rate expects decimal, found time ()',
    ]);
    expect(calling('"{{ inputs.clients }}"')).toEqual([
      'PB305@23 client expects record, found list of map ()',
    ]);
  });
});

test('a field that may be missing needs a default where it is used', () => {
  const text = using(
    `${read}    outputs: { x: "{{ inputs.client.since }}", y: "{{ default inputs.client.since run.time }}", z: "{{ inputs.client.tier }}" }\n`,
  );
  expect(problemsIn(text)).toEqual([
    'PB311@23 inputs.client.since may be missing (add a default: {{ default inputs.client.since … }})',
  ]);
});

test.each([
  ['{ type: record }', 'PB106@4 a record requires fields (add fields: { name: { type: string } })'],
  [
    '{ type: string, fields: { a: { type: string } } }',
    'PB106@4 fields is for type: record; this is string ()',
  ],
  [
    '{ type: record, fields: { "a b": { type: string } } }',
    'PB105@4 the name of a field must be letters, digits, dashes and underscores, starting with a letter ()',
  ],
  [
    '{ type: record, fields: { a: { type: integer, minimum: 2, default: 1 } } }',
    'PB106@4 the default is not valid: 1 is below 2 ()',
  ],
  [
    '{ type: record, fields: { a: { type: integer, default: 1, optional: true } } }',
    'PB106@4 optional has no effect: a field with a default is never missing ()',
  ],
  [
    '{ type: record, fields: { a: { type: integer } }, default: { b: 1 } }',
    'PB106@4 the default is not valid at b: not a field (did you mean "a"?)',
  ],
  [
    '{ type: record, fields: { a: { type: list, items: { type: record } } } }',
    'PB106@4 a record requires fields (add fields: { name: { type: string } })',
  ],
])('the declaration %s is refused', (declaration, problem) => {
  const text = `playbook: 1\nname: bill\ninputs:\n  x: ${declaration}\nsteps:\n${read}`;
  expect(problemsIn(text)).toEqual([problem]);
});

describe('a given record', () => {
  test('has its declared fields, in their order, with defaults', () => {
    expect(given('client', { rate: '0.10', name: 'alpha' })).toEqual({
      name: 'alpha',
      rate: '0.10',
      tier: 'plain',
    });
    expect(given('client', '{"name":"alpha","rate":0.10,"since":"2026-01-31"}')).toEqual({
      name: 'alpha',
      rate: '0.10',
      tier: 'plain',
      since: '1769817600000',
    });
    expect(given('client', { name: 'alpha', rate: '0.1', tier: null, since: null })).toEqual({
      name: 'alpha',
      rate: '0.1',
      tier: 'plain',
    });
  });

  test('is checked completely', () => {
    expect(given('client', { name: 'A', ratee: 1, tier: 'silver' })).toEqual([
      'client.ratee: not a field',
      'client.name: "A" does not match ^[a-z ]+$',
      'client.rate: a value is required',
      'client.tier: "silver" is not gold or plain',
    ]);
    expect(given('client', 'alpha')).toEqual(['client: "alpha" is not valid JSON']);
    expect(given('client', [])).toEqual(['client: [] is not a record']);
    expect(given('clients', [{ name: 'a', rate: 1 }, 'b'])).toEqual([
      'clients.1: "b" is not valid JSON',
    ]);
  });

  test('is the same value as a plan or a journal records it', () => {
    const value = given('clients', [{ name: 'a', rate: '0.050', since: '2026-01-31' }]);
    expect(given('clients', JSON.parse(JSON.stringify(value)))).toEqual(value);
  });

  test('with more mistakes than anyone reads is refused with the first of them', () => {
    const many = Array.from({ length: 1000 }, () => ({ name: 'A' }));
    expect(given('clients', many)).toHaveLength(51);
  });
});

describe('a CSV file', () => {
  const row = { name: 'alpha', rate: '0.10', tier: 'plain' };
  test.each([
    ['a byte order mark, CRLF, an empty cell', '\ufeffname,rate,since\r\nalpha,0.10,\r\n', [row]],
    ['columns in another order, and another delimiter', 'rate;name\n0.10;alpha\n', [row]],
    ['no rows', 'name,rate\n', []],
    ['a quoted cell', 'name,rate\n"alpha","0.10"', [row]],
  ])('is read: %s', (_name, text, rows) => {
    expect(fromFile('clients.csv', text)).toEqual(rows);
  });

  test.each([
    ['', 'clients.csv is empty: its first row names fields'],
    ['name,rate,ratee\n', 'clients.csv:1:11: ratee: not a field'],
    ['name,rate,rate\n', 'clients.csv:1:11: rate is there twice'],
    ['name\n', 'clients.csv:1:1: the column rate is missing'],
    ['name,rate\nalpha\n', 'clients.csv:2:1: the row has 1 cells, and the header has 2'],
    ['name,rate\n"alpha,1\n', 'clients.csv:2:1: a cell has no closing quote'],
    ['name,rate\nal\u0000pha,1\n', 'clients.csv:2:3: control character U+0000 is not allowed here'],
  ])('is refused: %j', (text, message) => {
    expect(fromFile('clients.csv', text)).toBe(message);
  });

  test('has the line and the column of every mistake', () => {
    const text =
      'name,rate,tier\r\nalpha,1e-3,gold\r\n"x\r\ny",0.1,\r\n\r\nbravo,,silver\r\n"char, lie",1.01,gold\r\n';
    expect(fromFile('clients.csv', text)).toEqual([
      'clients.csv:2:7: rate: "1e-3" is not a decimal number',
      'clients.csv:3:1: name: "x\\r\\ny" does not match ^[a-z ]+$',
      'clients.csv:6:7: rate: a value is required',
      'clients.csv:6:8: tier: "silver" is not gold or plain',
      'clients.csv:7:1: name: "char, lie" does not match ^[a-z ]+$',
      'clients.csv:7:13: rate: 1.01 is above 1',
    ]);
  });

  test('is only for a list of records', () => {
    const declared = bill.inputs.get('client');
    if (declared === undefined) throw new Error('no input');
    expect(() => inputIn('name\n', 'one.csv', declared)).toThrow(
      'one.csv: a CSV file is a list of records, and the input client is not',
    );
  });
});

describe('a JSON or YAML file', () => {
  test.each([
    ['clients.json', '[{"name":"alpha","rate":0.10}]'],
    ['clients.json', '\ufeff [\r\n{"name":"alpha","rate":"0.10"}]'],
    ['clients.yaml', '- name: alpha\n  rate: 0.10\n'],
    ['clients.yaml', '[{ name: alpha, rate: 0.10 }]'],
    ['stdin', '- { name: alpha, rate: 0.10 }'],
  ])('%s is read: %j', (file, text) => {
    expect(fromFile(file, text)).toEqual([{ name: 'alpha', rate: '0.10', tier: 'plain' }]);
  });

  test.each([
    [
      'clients.json',
      '[{"name":"a","rate":"x","tier":"gold"},\n {"rate":1,"name":"a","ratee":[{}]}]',
    ],
    ['clients.yaml', '- { name: a, rate: x, tier: gold}\n- rate: 1\n  name: a\n  ratee: 1\n'],
  ])('%s has the place of every mistake', (file, text) => {
    const places = file.endsWith('json') ? ['1:21', '2:31'] : ['1:20', '4:10'];
    expect(fromFile(file, text)).toEqual([
      `${file}:${places[0]}: rate: "x" is not a decimal number`,
      `${file}:${places[1]}: ratee: not a field`,
    ]);
  });

  test('with several inputs has the places, too', () => {
    const values = inputsIn('client: { name: a, rate: 7 }\n', 'values.yaml');
    expect(given('client', values['client'] ?? null)).toEqual([
      'values.yaml:1:26: rate: 7 is above 1',
    ]);
  });

  test.each([
    [
      '[{"name":"a","name":"b","rate":1}]',
      'clients.json:1:14: duplicate key "name" (first at 1:3)',
    ],
    ['[{"name":"a\\u202e","rate":1}]', 'clients.json: bidirectional control U+202E is not allowed'],
    [
      '[{"name":"a\u202e","rate":1}]',
      'clients.json:1:12: bidirectional control U+202E is not allowed here',
    ],
  ])('is refused: %j', (text, message) => {
    expect(fromFile('clients.json', text)).toBe(message);
  });

  test('of YAML has its limit, and its remedy', () => {
    expect(fromFile('clients.yaml', `- ${'a'.repeat(4 * 1024 * 1024)}`)).toBe(
      'clients.yaml is larger than 4 MB, the limit of YAML',
    );
  });

  test('of 2 MB is read whatever the limit of playbooks', () => {
    const rows = Array.from({ length: 60_000 }, () => ({ name: 'alpha', rate: '0.1' }));
    expect(fromFile('clients.json', JSON.stringify(rows))).toHaveLength(60_000);
    const yaml = rows
      .slice(0, 20_000)
      .map(({ name, rate }) => `- { name: ${name}, rate: ${rate} }\n`);
    expect(fromFile('clients.yaml', yaml.join(''))).toHaveLength(20_000);
  });
});
