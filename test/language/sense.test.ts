/** Playbooks that can be read but make no sense: conditions, items, and what may not be there. */
import { describe, expect, test } from 'vitest';
import { loadPlaybook } from '../../src/language/load.ts';

const playbookOf = (steps: string): string => `playbook: 1
name: test
inputs:
  side: { type: enum, values: [buy, sell], default: buy }
  n: { type: integer, default: 1 }
  names: { type: list, items: { type: string }, default: [a] }
steps:
  - id: first
    uses: market/get-risk-reserve
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
    expect: [{ that: "{{ and (gt inputs.n 0) (eq inputs.side 'buy') (in 'a' inputs.names) }}" }]
${steps}`; // steps begin in line 12

const problemsIn = (steps: string): string[] =>
  loadPlaybook(playbookOf(steps), 'sense.yaml').problems.map(
    ({ code, level, at, message }) =>
      `${level === 'error' ? '' : `${level} `}${code}@${at.start.line} ${message}`,
  );

const step = (more: string, id = 'second'): string =>
  `  - id: ${id}\n    uses: market/get-risk-reserve\n    with: { category: USDT-FUTURES, symbol: BTCUSDT }\n${more}`;

describe('a constant condition is reported', () => {
  test.each([
    ['if: "{{ eq 1 2 }}"', 'PB502@15 the step never runs: its condition is always false'],
    ['if: "{{ eq 1 1 }}"', 'PB312@15 if is always true'],
    [
      `if: "{{ in 'c' (split 'a,b' ',') }}"`,
      'PB502@15 the step never runs: its condition is always false',
    ],
    ['expect: [{ that: "{{ gt 1 2 }}" }]', 'PB312@15 that is always false'],
    [`if: "{{ eq inputs.side 'Buy' }}"`, 'PB312@15 "Buy" is never "buy" or "sell"'],
    [
      `if: "{{ or (gt inputs.n 1) (ne 'short' inputs.side) }}"`,
      'PB312@15 "short" is never "buy" or "sell"',
    ],
  ])('%s', (line, problem) => {
    expect(problemsIn(step(`    ${line}\n`))).toEqual([`warning ${problem}`]);
  });
});

describe('known items', () => {
  test.each([
    ['for-each: "{{ range 1 1000000 }}"', 'PB406@15 range has more than 10,000 numbers'],
    [`for-each: [${'a,'.repeat(10_001)}]`, 'PB406@15 10001 items; at most 10000 are allowed'],
    ['for-each: []', 'warning PB502@15 second never runs: there are no items'],
    ['for-each: [a, b, a]', 'PB412@15 items 0 and 2 have the same key "a"'],
    ['for-each: [0.10, 0.1, 0.10]', 'PB412@15 items 0 and 2 have the same key "0.10"'],
    [
      "for-each: [ax, ay]\n    key: \"{{ replace (replace each.value 'x' '') 'y' '' }}\"",
      'PB412@16 items 0 and 1 have the same key "a"',
    ],
    ['for-each: "{{ inputs.names }}"\n    key: k', 'PB412@16 every item would have the same key'],
  ])('%s', (line, problem) => {
    expect(problemsIn(step(`    ${line}\n`))).toEqual([problem]);
  });

  test('may be maps with a key each', () => {
    const line = 'for-each: [{ n: a }, { n: b }]\n    key: "{{ each.value.n }}"';
    expect(problemsIn(step(`    ${line}\n`))).toEqual([]);
  });
});

describe('the result of a step may be missing', () => {
  const outputs = '    outputs: { coin: "{{ response.coin }}" }\n';
  const looks = (more = ''): string =>
    step(`${more}    expect: [{ that: "{{ eq steps.second.outputs.coin 'USDT' }}" }]\n`, 'third');
  const condition = '    if: "{{ gt inputs.n 1 }}"\n';
  const missing = 'PB311@20 steps.second.outputs.coin may be missing';

  test('if its condition is false', () => {
    expect(problemsIn(step(condition + outputs) + looks())).toEqual([
      `${missing}: second is skipped when its condition is false`,
    ]);
  });

  test('if the run continues after its failure', () => {
    expect(problemsIn(step(`    on-error: continue\n${outputs}`) + looks())).toEqual([
      `${missing}: the run continues if second fails`,
    ]);
  });

  test('if a step that it needs failed', () => {
    const early = step('    on-error: continue\n', 'early');
    expect(problemsIn(early + step(`    needs: [early]\n${outputs}`) + looks())).toEqual([
      `${missing.replace('@20', '@24')}: second is skipped when early fails`,
    ]);
  });

  test('if the run stopped before it', () => {
    const last = `finally:\n  - uses: wait\n    if: "{{ eq steps.second.outputs.coin 'USDT' }}"\n    with: { for: 1s }\n`;
    expect(problemsIn(step(outputs) + last)).toEqual([
      'PB311@18 steps.second.outputs.coin may be missing: the run may have stopped before second was done',
    ]);
  });

  test.each([
    ['with a default', condition, "default steps.second.outputs.coin 'USDT'", ''],
    ['in a step of the same condition', condition, 'steps.second.outputs.coin', condition],
    [
      'in a step of that condition and more',
      condition,
      'steps.second.outputs.coin',
      `    if: "{{ and (gt inputs.n 1) (eq inputs.side 'buy') }}"\n`,
    ],
    [
      'in a step that needs it',
      '    on-error: continue\n',
      'steps.second.outputs.coin',
      '    needs: [second]\n',
    ],
  ])('but not %s', (_name, of, expression, more) => {
    const looking = looks(more).replace(
      'eq steps.second.outputs.coin',
      expression.startsWith('default') ? `eq (${expression})` : `eq ${expression}`,
    );
    expect(problemsIn(step(of + outputs) + looking)).toEqual([]);
  });

  test('but not in the outputs of the playbook, which are then null', () => {
    const end = 'outputs:\n  coin: "{{ steps.second.outputs.coin }}"\n';
    expect(problemsIn(step(condition + outputs) + end)).toEqual([]);
  });
});

// What a short text can be made to produce is not produced while checking; minutes otherwise.
test('a file full of large values is validated as fast as any other', () => {
  const large = [
    'if: "{{ eq (length (sort (range 1 10000))) (length (unique (range 1 10000))) }}"',
    'for-each: "{{ range 1 10000 }}"\n    key: "{{ pad each.index 900 }}"',
    `if: "{{ eq (length (split (replace (pad 'a' 500) '0' (pad '' 500)) '0')) 3 }}"`,
  ];
  const steps = Array.from({ length: 900 }, (_, n) => step(`    ${large[n % 3]}\n`, `s${n}`));
  expect(problemsIn(steps.join(''))).toEqual([
    expect.stringContaining('has more than 20000 items'),
  ]);
});
