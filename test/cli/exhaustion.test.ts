/** A playbook that would exhaust memory or time is refused, naming the limit and location. */
import { describe, expect, test } from 'vitest';
import { limitOrder } from '../support/order.ts';
import { deskhand, folderWith } from './deskhand.ts';

const head = 'playbook: 1\nname: x\n';
const small = { NODE_OPTIONS: '--max-old-space-size=160' }; // MiB; the process dies above this limit

/** Steps that each use the value of the previous step. */
const chain = (length: number, first: string, next: (earlier: string) => string): string =>
  Array.from({ length }, (_none, n) => {
    const value = n === 0 ? first : next(`steps.s${n - 1}.outputs.v`);
    return `  - id: s${n}\n    uses: market/list-tickers\n    with: { category: SPOT }\n    outputs: { v: ${value} }\n`;
  }).join('');

const each = (list: string, n: number): string =>
  `  - id: s${n}\n    for-each: "{{ ${list} }}"\n    uses: market/list-tickers\n    with: { category: SPOT }\n`;
const many = (list: string): string =>
  Array.from({ length: 40 }, (_none, n) => each(list, n)).join('');

const inner = `playbook: 1\nname: inner\nsteps:\n${each('range 1 10000', 0)}`;
const inputs = 'inputs: { n: { type: integer, default: 10000 } }\n';

describe('planned', () => {
  test.each([
    [
      'decimals that are squared 40 times',
      `${head}steps:\n${chain(41, '"{{ mul 1.000000001 1 }}"', (v) => `"{{ mul ${v} ${v} }}"`)}`,
      's5: the number would have more than 200 digits',
    ],
    [
      'a list that doubles 60 times',
      `${head}steps:\n${chain(60, '[a, b]', (v) => `["{{ ${v} }}", "{{ ${v} }}"]`)}`,
      's18: the value would have more than 1000000 parts',
    ],
    [
      'a map that nests deeper in 60 steps',
      `${head}steps:\n${chain(60, '{ k: a }', (v) => `{ k: { k: "{{ ${v} }}" } }`)}`,
      's12: the value would be nested deeper than 24',
    ],
    [
      'a text that doubles 60 times',
      `${head}steps:\n${chain(60, 'abcdefgh', (v) => `"{{ ${v} }}{{ ${v} }}"`)}`,
      's16: the text would be longer than 256 KiB',
    ],
    [
      'JSON within JSON, 60 times',
      `${head}steps:\n${chain(60, "'\"'", (v) => `"{{ json ${v} }}"`)}`,
      ': the text would be longer than 256 KiB',
    ],
    [
      '400,000 items of inputs',
      `${head}${inputs}steps:\n${many('range 1 inputs.n')}`,
      's2: with its items the run has more than 20000',
    ],
    [
      '3 million items of a playbook that is used 300 times',
      `${head}inputs: { n: { type: integer, default: 300 } }\nsteps:\n  - { id: a, for-each: "{{ range 1 inputs.n }}", uses: ./inner.yaml }\n`,
      'a[2]/s0: with its items the run has more than 20000',
    ],
  ])('%s', async (_what, text, message) => {
    const cwd = folderWith({ 'a.yaml': text, 'inner.yaml': inner });
    const { code, stderr } = await deskhand(['plan', 'a.yaml', '--offline'], { cwd, env: small });
    expect([code, stderr]).toEqual([3, expect.stringContaining(message)]);
  });
});

test('a value that is as deep as a value may be is planned, run and read again', async () => {
  const deep = `${'{ k: '.repeat(24)}a${' }'.repeat(24)}`;
  const steps = chain(2, '"{{ inputs.m }}"', (v) => `"{{ ${v} }}"`);
  const text = `${head}inputs: { m: { type: map, default: ${deep} } }
steps:
${steps}outputs: { m: "{{ steps.s1.outputs.v }}" }
`;
  const cwd = folderWith({ 'a.yaml': text });
  await deskhand(['plan', 'a.yaml', '--out', 'p.json'], { cwd });
  expect((await deskhand(['run', 'p.json'], { cwd })).code).toBe(0);
  const { stdout } = await deskhand(['runs', 'show', 'last', '-o', 'ndjson'], { cwd });
  const { kind, outputs } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  expect([kind, JSON.stringify(outputs).split('{').length - 1]).toEqual(['finished', 1 + 24]);
});

describe('validated', () => {
  test.each([
    ['400,000 items', `${head}steps:\n${many('range 1 10000')}`, 'a.yaml:13:15'],
    [
      '3 million items of a playbook that is used 300 times',
      `${head}steps:\n  - { id: a, for-each: "{{ range 1 300 }}", uses: ./inner.yaml }\n`,
      'a.yaml:4:24',
    ],
  ])('%s', async (_what, text, place) => {
    const cwd = folderWith({ 'a.yaml': text, 'inner.yaml': inner });
    const { code, stdout } = await deskhand(['validate', 'a.yaml'], { cwd, env: small });
    expect(code).toBe(3);
    expect(stdout).toContain('the playbook has more than 20000 items, which is the limit');
    expect(stdout).toContain(place);
  });

  test('4,000 schedules that never occur', async () => {
    const text = `${head}schedule:\n${'  - cron: "0 0 30 2 *"\n'.repeat(4_000)}steps:\n  - uses: market/list-discount-rates\n`;
    const { code, stdout } = await deskhand(['validate', 'a.yaml'], {
      cwd: folderWith({ 'a.yaml': text }),
      env: small,
    });
    expect([code, stdout]).toEqual([
      3,
      expect.stringContaining('4000 schedules; at most 100 are allowed'),
    ]);
    expect(stdout.match(/error\[/g)).toHaveLength(1);
  });
});

describe('many expressions, each below every limit', () => {
  const step = (n: number, list: string, value: string): string =>
    `  - id: s${n}\n    for-each: "{{ ${list} }}"\n    uses: futures/place-order\n    with:${limitOrder({ price: value })}\n`;
  const large = 'range 1 10000';

  test('lists sorted in every item stop the plan with the reason', async () => {
    const steps = step(0, 'range 1 400', `{{ length (sort (sort (${large}))) }}`);
    const cwd = folderWith({ 'a.yaml': `${head}steps:\n${steps}` });
    const { code, stderr } = await deskhand(['plan', 'a.yaml', '--offline'], { cwd });
    expect([code, stderr]).toEqual([3, expect.stringContaining('more than 100000000 steps')]);
  });

  test('10,000 items of a normal playbook are planned', async () => {
    const steps = step(0, large, '{{ roundTo (mul each.value 1.5) 1 }}');
    const cwd = folderWith({ 'a.yaml': `${head}steps:\n${steps}` });
    const { code, stderr } = await deskhand(['plan', 'a.yaml', '--offline', '-o', 'json'], { cwd });
    expect([code, stderr]).toEqual([0, '']);
  });
});
