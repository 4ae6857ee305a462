/** What the checker says of an expression before anything is run: arguments, paths, constants. */
import { describe, expect, test } from 'vitest';
import { loadPlaybook } from '../../src/language/load.ts';

const playbookWith = (expression: string): string => `playbook: 1
name: test
inputs:
  n: { type: integer, default: 1 }
  legs: { type: list, items: { type: decimal }, default: [1.5, 2.50] }
steps:
  - id: a
    uses: market/list-tickers
    with: { category: SPOT }
    outputs:
      x: "{{ ${expression} }}"
      y: "{{ add inputs.n inputs.legs.0 }}"
`;

/** Code, column within the expression (from 0), message and hint of every problem. */
const problemsIn = (expression: string): string[] =>
  loadPlaybook(playbookWith(expression), 'arguments.yaml').problems.map(
    ({ code, at, message, hint }) =>
      `${code}@${at.start.column - 14} ${message}${hint === undefined ? '' : ` (${hint})`}`,
  );

describe('an argument that can never be valid is refused', () => {
  test.each([
    [
      "div inputs.n 3 mode='hafl-up'",
      `PB310@20 mode must be down, up, half-up, half-even, floor or ceil, not "hafl-up" (did you mean 'half-up'?)`,
    ],
    [
      "roundTo inputs.n 2 mode='Floor'",
      `PB310@24 mode must be down, up, half-up, half-even, floor or ceil, not "Floor" (did you mean 'floor'?)`,
    ],
    ["date run.time 'yyyy' tz='+8'", 'PB310@24 "+8" is not a time zone (did you mean +08:00?)'],
    ["daysAgo 7 tz='-0530'", 'PB310@13 "-0530" is not a time zone (did you mean -05:30?)'],
    [
      "startOfDay tz='+15:00'",
      'PB310@14 "+15:00" is not a time zone (write an offset such as +08:00 or a name such as Asia/Singapore)',
    ],
    [
      "startOfMonth tz='Europe/Berln'",
      'PB310@16 "Europe/Berln" is not a time zone (did you mean Europe/Berlin?)',
    ],
    [
      "date run.time 'yyyy' tz='New York'",
      'PB310@24 "New York" is not a time zone (did you mean America/New_York?)',
    ],
    [
      "addDays '2026-02-29' 1",
      'PB305@8 addDays expects a time, found one of 2026-02-29 (see `deskhand explain addDays`)',
    ],
    [
      "startOfDay (concat '2026-11-' 31)",
      'PB310@-3 "2026-11-31" is not a time (write 2026-01-31, 2026-01-31T08:00:00+08:00 or Unix milliseconds)',
    ],
    [
      "date '2026-11-01T08:00' 'HH'",
      `PB310@-3 "2026-11-01T08:00" has no offset from UTC (write 2026-11-01T08:00Z, or read it in a zone: time '2026-11-01T08:00' tz='Europe/Berlin')`,
    ],
    ['addMonths run.time 1201', 'PB310@19 months must be a whole number up to 1200, not 1201'],
    [
      'windows run.time run.time',
      "PB310@-3 windows needs one of days= or months= (as in windows from to days=30 tz='Europe/Berlin')",
    ],
    [
      'windows run.time run.time days=1 months=1',
      "PB310@40 windows needs one of days= or months= (as in windows from to days=30 tz='Europe/Berlin')",
    ],
    [
      "sort inputs.legs order='dsc'",
      `PB310@23 order must be asc or desc, not "dsc" (did you mean 'asc'?)`,
    ],
    [
      "filter response 'lastPrice' 'gtt' 3",
      `PB310@28 the comparison must be eq, ne, lt, lte, gt or gte, not "gtt" (did you mean 'gt'?)`,
    ],
    ['div inputs.n 0', 'PB310@13 division by zero'],
    ['div inputs.n 3 scale=41', 'PB310@21 scale must be a whole number up to 40, not 41'],
    ['floorTo inputs.n -0.5', 'PB310@17 the step must be above 0, not -0.5'],
    ["addTime run.time '2 hours'", 'PB310@17 "2 hours" is not a duration such as 10s, 5m or 2h'],
    ['daysAgo 1.5', 'PB310@8 days must be a whole number up to 100000, not "1.5"'],
    ['windows run.time run.time days=0', 'PB310@31 days must be above 0'],
  ])('%s', (expression, problem) => {
    expect(problemsIn(expression)).toEqual([problem]);
  });
});

describe('an argument of the wrong type is refused', () => {
  test.each([
    ["sum (split '1,2' ',')", 'PB305@4 sum expects a list of numbers, found list of text'],
    ["join response ','", 'PB305@5 join expects a list of single values, found list of map'],
    ["pluck inputs.legs 'x'", 'PB305@18 the members have no fields: each is decimal'],
    ["sum (pluck response 'markPrice')", 'PB311@20 markPrice may be missing in some members'],
    ["sum (pluck response 'markPrice' default=0)", undefined],
    [
      "sum (pluck response 'markPrice' default='none')",
      'PB305@4 sum expects a list of numbers, found list of text',
    ],
    ["sort response by='lastPrise'", 'PB304@17 the members have no "lastPrise"'],
    ['sort response', 'PB305@-3 sort expects a single value, found map'],
    [
      "filter response 'symbol' 'gt' 1",
      'PB305@16 filter expects a number, found text holding a symbol',
    ],
    ["filter response 'lastPrice' 'gt' 'x'", 'PB305@33 filter expects a number, found one of x'],
    ['addTime run.time inputs.legs', 'PB305@17 addTime expects a duration, found list of decimal'],
    ['add response.0.ask1Price 1', 'PB311@4 add expects a number, but this may be empty'],
    ['upper (default inputs.n inputs.legs)', undefined], // any value
    ['add (default response.0.ask1Price response.0.lastPrice) 1', undefined],
  ])('%s', (expression, problem) => {
    const found = problemsIn(expression).map((text) =>
      text.replace(/ \((see|declare|add|say|did) .*/, ''),
    );
    expect(found).toEqual(problem === undefined ? [] : [problem]);
  });

  test('also if only one member of a list has it', () => {
    const text = `playbook: 1
name: test
steps:
  - uses: market/list-tickers
    for-each: [SPOT, Spot]
    with: { category: "{{ each.value }}" }
`;
    expect(loadPlaybook(text, 'list.yaml').problems.map(({ message }) => message)).toEqual([
      'category expects one of SPOT, USDT-FUTURES, COIN-FUTURES or USDC-FUTURES, found one of SPOT, Spot',
    ]);
  });
});

test.each([
  [
    "default each.value.side ''",
    'tradeSide expects one of open or close, found one of open, an empty text',
  ],
  ['default each.value.side null', 'null is not allowed in a template'],
])('%s does not leave a field out, and the answer says what does', (expression, message) => {
  const text = `playbook: 1
name: test
inputs:
  rows:
    type: list
    items: { type: record, fields: { side: { type: enum, values: [open], optional: true } } }
steps:
  - uses: futures/place-order
    for-each: "{{ inputs.rows }}"
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT, side: buy,
      tradeSide: "{{ ${expression} }}", orderType: market, size: "0.001" }
`;
  const hint = expect.stringContaining('use one step with if for the items that have it');
  expect(loadPlaybook(text, 'a.yaml').problems).toMatchObject([{ message, hint }]);
});

describe('a call with only literals is evaluated', () => {
  test.each([
    ["at (split 'a,b' ',') 2", 'PB310@-3 a list of 2 has no member 2'],
    ["upper (first (split 'a' ','))", undefined],
    [
      'length (ladder from=1 to=2 count=3 tick=0.1 total=0.05 lot=0.1)',
      'PB310@7 ladder: total 0.05 is not a multiple of lot 0.1',
    ],
    [
      'length (range 1 1000000)',
      'PB406@7 range has more than 10,000 numbers (split the playbook, or raise plan.items in the profile (at most 100000))',
    ],
    ['length (range 1 10000)', undefined],
  ])('%s', (expression, problem) => {
    expect(problemsIn(expression)).toEqual(problem === undefined ? [] : [problem]);
  });

  test('but not if it depends on the time of the run', () => {
    expect(problemsIn('daysAgo 90')).toEqual([]);
  });
});

describe('a path', () => {
  test.each([
    ['inputs.legs.0', []],
    ['add inputs.legs.0 inputs.legs.1', []],
    ['add inputs.legs.0 1.50', []],
    ['response.0.lastPrice', []],
    ["join inputs.legs ' a.0 '", []],
    ['./inputs.n', ['PB302@0 ./inputs.n is not allowed in a template (write inputs.n)']],
    ['add 1 inputs/n', ['PB302@6 inputs/n is not allowed in a template (write inputs.n)']],
    ['this.inputs', ['PB302@0 this.inputs is not allowed in a template (write inputs)']],
    ['thistle', [`PB304@0 unknown name "thistle"`]],
  ])('%s', (expression, problems) => {
    expect(problemsIn(expression).map((problem) => problem.replace(/ \(see .*/, ''))).toEqual(
      problems,
    );
  });

  test('with a position in brackets gets a hint', () => {
    expect(problemsIn('inputs.legs[0]')).toEqual([
      'PB301@11 the template cannot be read: a position or key in brackets is not supported (write a position in a list with a dot: inputs.legs.0)',
    ]);
  });

  test('with a position selects that member', () => {
    const { playbook } = loadPlaybook(playbookWith('inputs.legs.1'), 'arguments.yaml');
    const template = playbook?.steps[0]?.outputs?.get('x');
    const scope = { inputs: { legs: ['a', 'b'] } };
    expect(
      template?.kind === 'expression' && [
        template.expression.text,
        template.expression.references[0]?.path,
        template.expression.evaluate(scope),
      ],
    ).toEqual(['{{ inputs.legs.1 }}', ['legs', '1'], { known: true, value: 'b' }]);
  });
});

describe('a key on the wrong level is reported with its correct place', () => {
  test.each([
    [
      'of the step, under with',
      'with: { category: SPOT }',
      'with: { category: SPOT, retry: { attempts: 2 } }',
      'PB202@9 retry belongs to the step: write it next to uses, not under with',
    ],
    [
      'of write, under with',
      'with: { category: SPOT }',
      'with: { category: SPOT, since: last }',
      'PB202@9 since belongs to write: write: { since: … }, next to uses',
    ],
    [
      'of the operation, beside uses',
      'with: { category: SPOT }',
      'symbol: BTCUSDT\n    with: { category: SPOT }',
      'PB101@9 symbol belongs under with',
    ],
  ])('%s', (_name, right, wrong, problem) => {
    const text = playbookWith('inputs.n').replace(right, wrong);
    expect(
      loadPlaybook(text, 'levels.yaml').problems.map(
        ({ code, at, hint }) => `${code}@${at.start.line} ${hint ?? ''}`,
      ),
    ).toEqual([problem]);
  });
});
