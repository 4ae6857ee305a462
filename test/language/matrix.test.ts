/** A for-each over the combinations of several lists: its items, their keys and types. */
import { describe, expect, test } from 'vitest';
import { combinationsOf } from '../../src/language/matrix.ts';
import { EvaluationError, Unknown } from '../../src/language/expression/value.ts';
import { loadPlaybook } from '../../src/language/load.ts';

const keysOf = (matrix: object, exclude?: readonly object[]): readonly string[] | string => {
  const written = { matrix: { ...matrix }, ...(exclude && { exclude }) };
  const found = combinationsOf(JSON.parse(JSON.stringify(written)), 100);
  return 'after' in found ? found.after : found.map(({ key }) => key);
};

describe('the items of a matrix', () => {
  test('are its combinations, the first list slowest', () => {
    expect(keysOf({ desk: ['alpha', 'bravo'], line: ['U', 'C'] })).toEqual([
      'desk=alpha,line=U',
      'desk=alpha,line=C',
      'desk=bravo,line=U',
      'desk=bravo,line=C',
    ]);
  });

  test('are without those that have all values of an entry of exclude', () => {
    const lists = { desk: ['alpha', 'bravo'], line: ['U', 'C'] };
    expect(keysOf(lists, [{ desk: 'bravo', line: 'C' }])).toHaveLength(3);
    expect(keysOf(lists, [{ desk: 'bravo' }])).toEqual(['desk=alpha,line=U', 'desk=alpha,line=C']);
    expect(keysOf(lists, [{ line: 'U' }, { line: 'C' }])).toEqual([]);
    const either = [{ line: 'U', desk: 'alpha' }, { desk: 'bravo' }, { desk: 'none', line: 'C' }];
    expect(keysOf(lists, either)).toEqual(['desk=alpha,line=C']);
  });

  test('are none if a list is empty, however long the others are', () => {
    const long = Array.from({ length: 10_000 }, (_, index) => index);
    expect(keysOf({ a: long, b: long, c: [] })).toEqual([]);
  });

  test('have the same key for equal numbers', () => {
    expect(keysOf({ price: ['0.10', '0.1'] })).toEqual(['price=0.1', 'price=0.1']);
    expect(keysOf({ price: ['0.10', '2'] }, [{ price: '0.1' }])).toEqual(['price=2']);
  });

  test('are limited before any is made', () => {
    const long = Array.from({ length: 10_000 }, (_, index) => index);
    expect(() => keysOf({ a: long, b: long, c: long })).toThrow(/1000000000000 combinations/);
  });

  test('wait for the step that makes a list, or a value of one', () => {
    const after = new Unknown('subs');
    expect(combinationsOf({ matrix: { a: after } }, 9)).toEqual({ after: 'subs' });
    expect(combinationsOf({ matrix: { a: ['x', after] } }, 9)).toEqual({ after: 'subs' });
    expect(combinationsOf({ matrix: { a: ['x'] }, exclude: [{ a: after }] }, 9)).toEqual({
      after: 'subs',
    });
  });

  test('cannot be made from values without a text', () => {
    expect(() => keysOf({ a: [{ b: 1 }] })).toThrow(EvaluationError);
    expect(() => keysOf({ a: ['x'] }, [{ b: 'x' }])).toThrow(/names "b" of the matrix/);
  });
});

const problemsOf = (forEach: string, more = ''): readonly string[] => {
  const text = `playbook: 1
name: matrix
inputs:
  desks: { type: list, items: { type: string }, default: [alpha] }
  legs: { type: list, items: { type: map }, default: [] }
  line: { type: string, default: x }
steps:
  - id: read
    for-each: ${forEach}
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: "{{ join (split inputs.line ',') each.value.desk }}{{ length inputs.legs }}{{ length inputs.desks }}" }
${more}`;
  const { problems } = loadPlaybook(text, 'm.yaml');
  return problems.map(({ code, message, hint }) => [code, message, hint ?? ''].join(' | '));
};

describe('validate', () => {
  test('types the items by their lists', () => {
    const matrix = '{ matrix: { desk: "{{ inputs.desks }}", line: [U, C] } }';
    expect(problemsOf(matrix)).toEqual([]);
    const later = `  - id: later
    for-each: ${matrix}
    uses: market/list-tickers
    with: { category: SPOT, symbol: "{{ each.value.dask }}" }
`;
    expect(problemsOf(matrix, later)).toEqual([
      'PB304 | each.value has no "dask" | did you mean "desk"?',
    ]);
  });

  test.each([
    ['{ matrix: { desk: [a, a] } }', 'PB412 | items 0 and 1 have the same key "desk=a"'],
    ['{ matrix: { desk: "{{ inputs.line }}" } }', 'PB305 | matrix.desk expects a list, found text'],
    ['{ matrix: { desk: "{{ inputs.legs }}" } }', 'PB305 | matrix.desk expects single values'],
    ['{ matrix: { desk: [] } }', 'PB502 | read never runs: there are no items'],
    ['{ matrix: { desk: [a] }, exclude: [{ dask: a }] }', 'PB304 | the matrix has no list "dask"'],
    ['{ matrix: { desk: [alpha] }, exclude: [{ desk: alpah }] }', 'PB312 | "alpah" is never'],
    ['{ matrix: { desk: [a] }, exclude: [{}] }', 'PB103 | an entry of exclude names values'],
    ['{ matrix: { desk: [a] }, excludes: [] }', 'PB101 | "excludes" is not known here'],
    ['{ matrix: [a] }', 'PB103 | matrix must be a map'],
    [
      '{ matrix: { desk: [a], place: "{{ range 1 150 }}", line: "{{ range 1 150 }}" } }',
      'PB406 | the lists of the matrix have 22500 combinations; at most 10000 are allowed',
    ],
  ])('reports %s', (matrix, problem) => {
    expect(problemsOf(matrix)[0]).toContain(problem);
  });

  test('names the form of a matrix for the key of other tools', () => {
    const [problem] = problemsOf('[a]\n    matrix: { desk: [a] }');
    expect(problem).toMatch(/^PB101 \| "matrix" is not known here \| write for-each: \{ matrix:/);
  });
});
