/** Values with a name, defaults over earlier inputs, and the helpers for what is missing. */
import { describe, expect, test } from 'vitest';
import { toJson } from '../../src/language/expression/value.ts';
import { resolveInputs } from '../../src/language/inputs.ts';
import { loadPlaybook } from '../../src/language/load.ts';
import { usesIn } from '../../src/engine/plan/uses.ts';

const using = (top: string, step: string): string => `playbook: 1
name: named
inputs: { budget: { type: decimal, default: 1000 }, symbol: { type: string, default: BTCUSDT } }
${top}
steps:
  - id: a
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: "{{ inputs.symbol }}" }
    expect: [{ that: "{{ gt inputs.budget 0 }}" }]
  - id: b
${step}
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: "{{ let.s }}" }
`;

const problemsIn = (text: string): string[] =>
  loadPlaybook(text, 'named.yaml').problems.map(
    ({ code, at, message, hint = '' }) => `${code}@${at.start.line} ${message} (${hint})`,
  );

describe('a value of let', () => {
  test.each([
    ['of the playbook', 'let: { s: "{{ inputs.symbol }}" }', ''],
    ['of a step', '', '    let: { s: "{{ steps.a.response.0.symbol }}" }'],
    ['over another one', 'let: { t: "{{ inputs.symbol }}" }', '    let: { s: "{{ let.t }}" }'],
    ['of an item', '', '    for-each: [BTCUSDT]\n    let: { s: "{{ each.value }}" }'],
    ['that is a literal', 'let: { s: BTCUSDT }', ''],
  ])('is valid: %s', (_name, top, step) => {
    expect(problemsIn(using(top, step))).toEqual([]);
  });

  const later = 'a value of let is available below it; that of a step not in its for-each';
  test.each([
    ['no let', '', '', 'PB306@13 let is not available here'],
    [
      'a misspelling',
      'let: { sy: "{{ inputs.symbol }}" }',
      '',
      'PB304@13 let has no "s" (did you mean "sy"?)',
    ],
    [
      'one below it',
      'let: { s: "{{ let.t }}", t: "{{ inputs.symbol }}" }',
      '',
      `PB307@4 let.t is not available here (${later})`,
    ],
    [
      'itself in a copy of all',
      'let: { s: x, all: "{{ let }}", t: "{{ let.all.all }}", u: "{{ let.all.s }}" }',
      '    if: "{{ eq let.t let.u }}"',
      'PB304@4 let.all has no "all" (it is let.all)',
    ],
    ['itself', 'let: { s: "{{ let.s }}" }', '', `PB307@4 let.s is not available here (${later})`],
    [
      'its for-each',
      '',
      '    for-each: "{{ let.l }}"\n    let: { l: [BTCUSDT], s: "{{ each.value }}" }',
      `PB307@11 let.l is not available here (${later})`,
    ],
    [
      'steps at the top',
      'let: { s: "{{ steps.a.response.0.symbol }}" }',
      '',
      'PB306@4 steps is not available here',
    ],
    ['secrets', 'let: { s: "{{ secrets.KEY }}" }', '', 'PB306@4 secrets is not available here'],
    [
      'a name twice',
      'let: { s: "{{ inputs.symbol }}" }',
      '    let: { s: BTCUSDT }',
      'PB315@11 let.s is a value of the playbook already',
    ],
    [
      'another name',
      'let: { "a b": 1, s: "{{ inputs.symbol }}" }',
      '',
      'PB315@4 the name of a value must be letters',
    ],
    [
      'another type',
      'let: { s: "{{ inputs.budget }}", u: "{{ not let.s }}" }',
      '',
      'PB305@4 not expects true or false, found decimal',
    ],
    [
      'a literal that the operation refuses',
      'let: { s: "{{ inputs.symbol }}" }',
      '    expect: [{ that: "{{ eq let.s 1 }}" }]\n    let: { u: 1 }',
      'PB501@12 the value let.u is not used',
    ],
  ])('%s is reported', (_name, top, step, problem) => {
    expect(problemsIn(using(top, step)).join('\n')).toContain(problem);
  });

  test('that is a literal is proved as if it were written there', () => {
    const text = using('let: { s: BTCUSDT, c: USDT-FUTURE }', '').replaceAll(
      'category: USDT-FUTURES, symbol: "{{ let.s }}"',
      'category: "{{ let.c }}", symbol: "{{ let.s }}"',
    );
    expect(problemsIn(text).join('\n')).toMatch(/PB20[45]@12|PB305@13/);
  });

  test('is waited for, and kept in frozen reads, through other values', () => {
    const { playbook } = loadPlaybook(
      using('', '    let: { first: "{{ steps.a.response.0 }}", s: "{{ let.first.symbol }}" }'),
      'named.yaml',
    );
    if (playbook === undefined) throw new Error('not valid');
    const marks = usesIn(playbook).get('a');
    expect([...(marks?.members.get('0')?.members.keys() ?? [])]).toEqual(['symbol']);
  });

  test('that doubles with each line takes no time', () => {
    const lines = Array.from({ length: 60 }, (_none, at) =>
      at === 0
        ? '  v0: "{{ inputs.budget }}"'
        : `  v${at}: "{{ add let.v${at - 1} let.v${at - 1} }}"`,
    );
    const text = using(`let:\n${lines.join('\n')}\n  s: "x{{ let.v59 }}"`, '');
    const { playbook, problems } = loadPlaybook(text, 'named.yaml');
    expect(problems).toEqual([]);
    if (playbook === undefined) throw new Error('not valid');
    const { inputs } = resolveInputs(playbook, new Map());
    expect(playbook.let.get('s')?.local.evaluate({ inputs })).toBe(`x${1000n * 2n ** 59n}`);
    expect(usesIn(playbook).size).toBe(0);
  });

  test('two steps with the same name for different conditions are not skipped together', () => {
    const text = `playbook: 1
name: named
inputs: { on: { type: boolean }, off: { type: boolean } }
steps:
  - id: a
    let: { go: "{{ inputs.on }}" }
    if: "{{ let.go }}"
    uses: market/list-tickers
    with: { category: USDT-FUTURES }
  - id: b
    let: { go: "{{ inputs.off }}" }
    if: "{{ let.go }}"
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: "{{ steps.a.response.0.symbol }}" }
`;
    expect(problemsIn(text).join()).toContain('PB311@14 steps.a.response.0.symbol may be missing');
  });

  test('is evaluated once for the same inputs', () => {
    const { playbook } = loadPlaybook(
      using("let: { l: '{{ range 1 3 }}', s: '{{ join let.l `-` }}' }", '').replace(/`/g, '"'),
      'n',
    );
    const local = playbook?.let.get('l')?.local;
    const scope = { inputs: {} };
    expect(local?.evaluate(scope)).toBe(local?.evaluate({ ...scope }));
    expect(local?.evaluate({ ...scope, run: {} })).not.toBe(local?.evaluate(scope));
  });
});

describe('the default of an input', () => {
  const playbookWith = (inputs: string): string => `playbook: 1
name: d
inputs: ${inputs}
steps:
  - id: a
    uses: market/list-discount-rates
    expect: [{ that: "{{ ne (json inputs) '' }}" }]
`;
  const resolved = (inputs: string, given: Readonly<Record<string, string>> = {}): unknown => {
    const { playbook } = loadPlaybook(playbookWith(inputs), 'd.yaml');
    if (playbook === undefined) return problemsIn(playbookWith(inputs));
    const found = resolveInputs(playbook, new Map(Object.entries(given)));
    return found.problems.length === 0
      ? toJson(found.inputs)
      : found.problems.map(({ message }) => message);
  };

  test('may use the inputs above it', () => {
    const inputs =
      '{ a: { type: decimal, default: 2 }, b: { type: decimal, default: "{{ mul inputs.a 2 }}" }, c: { type: string, default: "of {{ inputs.b }}" } }';
    expect(resolved(inputs)).toEqual({ a: '2', b: '4', c: 'of 4' });
    expect(resolved(inputs, { a: '3' })).toEqual({ a: '3', b: '6', c: 'of 6' });
    expect(resolved(inputs, { b: '1' })).toEqual({ a: '2', b: '1', c: 'of 1' });
    expect(resolved(inputs, { a: 'x' })).toEqual(['a: "x" is not a decimal number']);
  });

  test.each([
    [
      '{ a: { type: string, default: "{{ inputs.b }}" }, b: { type: string } }',
      'PB307@3 inputs.b is not available here (a default may use the inputs above it)',
    ],
    [
      '{ a: { type: string, default: "{{ inputs.a }}" } }',
      'PB307@3 inputs.a is not available here (a default may use the inputs above it)',
    ],
    [
      '{ size: { type: string }, b: { type: string, default: "{{ inputs.sise }}" } }',
      'PB304@3 inputs has no "sise" (did you mean "size"?)',
    ],
  ])('%s is refused', (inputs, problem) => {
    expect(resolved(inputs)).toContainEqual(problem);
  });
});
