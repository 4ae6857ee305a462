import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileText } from '../../src/language/expression/compile.ts';
import { helperPages } from '../../src/language/expression/helpers/index.ts';
import {
  Moment,
  toJson,
  Unknown,
  type Scope,
  type Value,
} from '../../src/language/expression/value.ts';
import { Problems } from '../../src/language/problems.ts';

const place = { line: 1, column: 1, offset: 0 };
const nowhere = { file: 'x', start: place, end: place };

function evaluate(expression: string, scope: Scope = {}): unknown {
  const problems = new Problems();
  const [part] = compileText(`{{ ${expression} }}`, () => nowhere, problems) ?? [];
  if (part === undefined || typeof part === 'string') {
    throw new Error(
      problems
        .sorted()
        .map(({ message }) => message)
        .join('; '),
    );
  }
  const found = part.evaluate(scope);
  return found.known ? toJson(found.value) : { waits: found.after };
}

describe('arithmetic', () => {
  test.each([
    ['add 0.1 0.2', '0.3'],
    ['mul 1.10 2', '2.2'],
    ['div 1 3 scale=4', '0.3333'],
    ["div 2 3 scale=2 mode='down'", '0.66'],
    ["eq '0.10' 0.1", true],
    ["eq 'buy' 'Buy'", false],
    ['gt 10 9', true],
    ["sum (split '1,2.5' ',')", '3.5'],
    ["default '' 'none'", 'none'],
    ['default inputs.nothing 5', 5],
    ["date 0 'yyyy-MM-dd HH:mm:ss.SSS' tz='+08:00'", '1970-01-01 08:00:00.000'],
    ["join (sort (split '10,9' ',')) ','", '9,10'],
    ["containsAll (split '0.10,2' ',') (split '0.1' ',')", true],
    ["length (unique (split '0.10,0.1,x' ','))", 2],
    ["eq (split '1.0,a' ',') (split '1,a' ',')", true],
    ['eq -0 0', true],
  ])('%s', (expression, wanted) => {
    expect(evaluate(expression)).toEqual(wanted);
  });
});

describe('a ladder', () => {
  test('divides the total exactly, on ticks and in lots, for any size', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 0, max: 5_000 }),
        fc.integer({ min: 1_000, max: 90_000 }),
        fc.integer({ min: 10, max: 30_000 }),
        (count, extra, from, width) => {
          const lots = count + extra;
          const total = `${Math.floor(lots / 1000)}.${String(lots % 1000).padStart(3, '0')}`;
          const rungs = evaluate(
            `ladder from=${from} to=${from + width} count=${count} tick=0.1 total='${total}' lot=0.001`,
          ) as { price: string; size: string }[];
          const inLots = (size: string): number => Math.round(Number(size) * 1000);
          expect(rungs).toHaveLength(count);
          expect(rungs.reduce((sum, { size }) => sum + inLots(size), 0)).toBe(lots);
          expect(new Set(rungs.map(({ price }) => price)).size).toBe(count);
          expect(rungs.every(({ price }) => /^\d+(\.\d)?$/.test(price))).toBe(true);
          const sizes = rungs.map(({ size }) => inLots(size));
          expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  test.each([
    ["total='0.0005' lot=0.001 count=2", 'is not a multiple of lot'],
    ["total='0.001' lot=0.001 count=2", 'less than one lot'],
    ["total='0.002' lot=0.001 count=2 tick=100", 'fall on the price'],
  ])('refuses %s', (part, why) => {
    const tick = part.includes('tick=') ? '' : 'tick=0.1';
    expect(() => evaluate(`ladder from=10 to=9 ${tick} ${part}`)).toThrow(why);
  });
});

describe('trailing zeros', () => {
  test.each([
    ['0.10', '0.10'],
    ['max 0.50 0.1', '0.50'],
    ["join (split '1.10' ',') ''", '1.10'],
    ['floorTo 61500.07 0.1', '61500.0'],
    ["ceilTo 61500 '0.50'", '61500.00'],
    ['floorTo 61507 10', '61500'],
    ['add 0.10 0.20', '0.3'],
  ])('of {{ %s }} are shown as in %s', (expression, wanted) => {
    expect(evaluate(expression)).toBe(wanted);
  });

  test('of prices and sizes of a ladder follow its tick and lot', () => {
    expect(
      evaluate('ladder from=61500 to=61499 count=3 tick=0.50 total=0.3 lot=0.010'),
    ).toMatchObject([
      { price: '61500.00', size: '0.100' },
      { price: '61499.50', size: '0.100' },
      { price: '61499.00', size: '0.100' },
    ]);
  });
});

describe('unknown values', () => {
  const scope: Scope = {
    steps: { subs: { outputs: { alpha: { uid: new Unknown('subs[alpha]'), name: 'alpha' } } } },
  };

  test('pass through helpers and name the step they wait for', () => {
    expect(evaluate('add 1 steps.subs.outputs.alpha.uid', scope)).toEqual({ waits: 'subs[alpha]' });
  });

  test('do not hide known values next to them', () => {
    expect(evaluate("pluck steps.subs.outputs 'name'", scope)).toEqual(['alpha']);
    const legs = [{ fee: '0.1' }, { fee: '' }, { fee: null }, {}];
    expect(evaluate("pluck inputs.legs 'fee' default=0", { ...scope, inputs: { legs } })).toEqual([
      '0.1',
      0,
      0,
      0,
    ]);
    expect(() => evaluate("pluck inputs.legs 'fee'", { ...scope, inputs: { legs } })).toThrow(
      'a member has no field',
    );
  });
});

describe('safety', () => {
  test('text of a response is never evaluated as a template', () => {
    const response: Value = { msg: '{{ secrets.KEY }}' };
    expect(evaluate('response.msg', { response, secrets: { KEY: 'hidden' } })).toBe(
      '{{ secrets.KEY }}',
    );
  });

  test('only own properties can be reached', () => {
    expect(() => evaluate('inputs.toString', { inputs: {} })).toThrow('has no value');
    expect(() => evaluate('inputs.list.length', { inputs: { list: [1] } })).toThrow('has no value');
  });

  test('a few calls cannot create a text of gigabytes', () => {
    const million = "replace (pad 'a' 1000) '0' (pad '' 1000)";
    expect(() => evaluate(million)).toThrow('the text would be longer than 256 KiB');
    expect(() => evaluate("join (range 1 10000) (pad '' 1000)")).toThrow('longer than 256 KiB');
  });

  test('time is constant', () => {
    const scope: Scope = { run: { time: new Moment(Date.UTC(2026, 10, 20, 17)) } };
    expect(evaluate("daysAgo 1 tz='+08:00'", scope)).toBe(String(Date.UTC(2026, 10, 19, 16)));
  });
});

test('the example of every helper page is correct', () => {
  for (const { example, name } of helperPages) {
    if (
      /response|steps|run\./.test(example.expression) ||
      !/^[-\d.\w+,[\]": ]+$/.test(example.result)
    )
      continue;
    if (/a moment|and 26|the /.test(example.result)) continue;
    const got = evaluate(example.expression);
    expect(typeof got === 'string' ? got : JSON.stringify(got), name).toBe(example.result);
  }
});
