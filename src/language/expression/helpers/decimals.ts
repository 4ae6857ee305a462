/** Arithmetic on exact decimals, and comparisons by value: 0.10 equals 0.1. */
import {
  decimalText,
  divide,
  isDecimal,
  isDecimalText,
  placesOf,
  roundTo,
  toMultiple,
  withPlaces,
  zero,
  type Decimal,
  type Rounding,
} from '../../../base/decimal.ts';
import { canonicalJson, type Json } from '../../../base/json.ts';
import { booleanType, decimalType } from '../type.ts';
import { EvaluationError, isList, toJson, TooManyError, type Value } from '../value.ts';
import { countOf, isPlainMap, membersIn, numberOf, wordOf, type Helper } from './define.ts';

const arithmetic = { group: 'decimals', gives: decimalType } as const;

function fold(
  name: string,
  example: readonly [string, string],
  description: string,
  combine: (a: Decimal, b: Decimal) => Decimal,
): Helper {
  return {
    ...arithmetic,
    usage: `${name} a b …`,
    description,
    example,
    takes: ['number', 'number'],
    rest: 'number',
    evaluate: (args) =>
      args
        .slice(1)
        .map(numberOf)
        .reduce((a, b) => ofModerateLength(combine(a, b)), ofModerateLength(numberOf(args[0]))),
  };
}

const digitsMax = 200; // of a result; sizes and prices have 20, and each product may double them

/** @throws EvaluationError for a number whose digits grow with every step of a calculation */
function ofModerateLength(value: Decimal): Decimal {
  if (value.c.length + Math.abs(value.e) <= digitsMax) return value;
  throw new TooManyError(
    `the number would have more than ${digitsMax} digits`,
    'round it: roundTo a 8',
  );
}

const roundings: readonly Rounding[] = ['down', 'up', 'half-up', 'half-even', 'floor', 'ceil'];

function roundingOf(mode: Value | undefined): Rounding {
  return mode === undefined ? 'half-even' : wordOf(mode, 'mode', roundings);
}

function scaleOf(scale: Value | undefined): number {
  return scale === undefined ? 8 : countOf(scale, 'scale', 40);
}

function placesIn(places: Value | undefined): number {
  return countOf(places, 'places', 40);
}

function divisorOf(value: Value | undefined): Decimal {
  const divisor = numberOf(value);
  if (divisor.eq(zero)) throw new EvaluationError('division by zero');
  return divisor;
}

export const decimalHelpers: Readonly<Record<string, Helper>> = {
  add: fold('add', ['add 0.1 0.2', '0.3'], 'Sum of two or more numbers.', (a, b) => a.plus(b)),
  sub: fold('sub', ['sub 1 0.9', '0.1'], 'The first number minus the others.', (a, b) =>
    a.minus(b),
  ),
  mul: fold('mul', ['mul 1.10 2', '2.2'], 'Product of two or more numbers.', (a, b) => a.times(b)),
  div: {
    ...arithmetic,
    usage: "div a b scale=8 mode='half-even'",
    description: 'Quotient with a number of decimal places (8), rounded by mode.',
    example: ['div 1 3 scale=4', '0.3333'],
    takes: ['number', 'number'],
    proofs: [undefined, divisorOf],
    named: {
      scale: { kind: 'number', proof: scaleOf },
      mode: { kind: 'text', proof: roundingOf },
    },
    evaluate: ([a, b], { scale, mode }) =>
      divide(numberOf(a), divisorOf(b), { scale: scaleOf(scale), rounding: roundingOf(mode) }),
  },
  neg: {
    ...arithmetic,
    usage: 'neg a',
    description: 'The number with the opposite sign.',
    example: ['neg 2', '-2'],
    takes: ['number'],
    evaluate: ([a]) => zero.minus(numberOf(a)),
  },
  abs: {
    ...arithmetic,
    usage: 'abs a',
    description: 'The number without its sign.',
    example: ['abs -2', '2'],
    takes: ['number'],
    evaluate: ([a]) => numberOf(a).abs(),
  },
  min: fold('min', ['min 3 2', '2'], 'The smallest of two or more numbers.', (a, b) =>
    b.lt(a) ? b : a,
  ),
  max: fold('max', ['max 3 2', '3'], 'The largest of two or more numbers.', (a, b) =>
    b.gt(a) ? b : a,
  ),
  sum: {
    ...arithmetic,
    usage: 'sum list',
    description: 'Sum of a list of numbers; 0 when it is empty.',
    example: ['sum (range 1 3)', '6'],
    takes: ['numbers'],
    evaluate: ([list]) =>
      membersIn(list).reduce<Decimal>(
        (total, item) => ofModerateLength(total.plus(numberOf(item))),
        zero,
      ),
  },
  roundTo: {
    ...arithmetic,
    usage: "roundTo a places mode='half-even'",
    description: 'The number rounded to a number of decimal places.',
    example: ['roundTo 2.345 2', '2.34'],
    takes: ['number', 'number'],
    proofs: [undefined, placesIn],
    named: { mode: { kind: 'text', proof: roundingOf } },
    evaluate: ([a, places], { mode }) => roundTo(numberOf(a), placesIn(places), roundingOf(mode)),
  },
  floorTo: {
    ...arithmetic,
    usage: 'floorTo a step',
    description: 'The largest multiple of a step that is not above the number.',
    example: ['floorTo 61500.07 0.1', '61500.0'],
    takes: ['number', 'number'],
    proofs: [undefined, positive],
    evaluate: ([a, step]) => onTick(numberOf(a), positive(step), 'floor'),
  },
  ceilTo: {
    ...arithmetic,
    usage: 'ceilTo a step',
    description: 'The smallest multiple of a step that is not below the number.',
    example: ['ceilTo 61500.07 0.1', '61500.1'],
    takes: ['number', 'number'],
    proofs: [undefined, positive],
    evaluate: ([a, step]) => onTick(numberOf(a), positive(step), 'ceil'),
  },
};

/** A multiple of a step, with the step's decimal places. */
export function onTick(value: Decimal, step: Decimal, towards: 'floor' | 'ceil'): Decimal {
  return withPlaces(toMultiple(value, step, towards), placesOf(step));
}

function positive(step: Value | undefined): Decimal {
  const number = numberOf(step);
  if (number.gt(zero)) return number;
  throw new EvaluationError(`the step must be above 0, not ${decimalText(number)}`);
}

function comparison(name: string, sign: string, holds: (order: number) => boolean): Helper {
  return {
    group: 'comparison',
    gives: booleanType,
    usage: `${name} a b`,
    description: `Whether a ${sign} b, as numbers.`,
    example: [`${name} 1 2`, String(holds(-1))],
    takes: ['number', 'number'],
    evaluate: ([a, b]) => holds(numberOf(a).cmp(numberOf(b))),
  };
}

export const comparisonHelpers: Readonly<Record<string, Helper>> = {
  eq: {
    group: 'comparison',
    gives: booleanType,
    usage: 'eq a b',
    description: 'Whether two values are equal; decimals by value, so 0.10 equals 0.1.',
    example: ["eq '0.10' 0.1", 'true'],
    takes: ['any', 'any'],
    evaluate: ([a, b]) => areEqual(a, b),
  },
  ne: {
    group: 'comparison',
    gives: booleanType,
    usage: 'ne a b',
    description: 'Whether two values differ.',
    example: ["ne 'buy' 'sell'", 'true'],
    takes: ['any', 'any'],
    evaluate: ([a, b]) => !areEqual(a, b),
  },
  lt: comparison('lt', '<', (order) => order < 0),
  lte: comparison('lte', '≤', (order) => order <= 0),
  gt: comparison('gt', '>', (order) => order > 0),
  gte: comparison('gte', '≥', (order) => order >= 0),
};

/** Equality with decimals compared by value, also inside lists and maps. */
export function areEqual(a: Value | undefined, b: Value | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return sameness(a) === sameness(b);
}

/** A text that is equal for two values exactly when they are equal. */
export function sameness(value: Value): string {
  return canonicalJson(withoutZeros(value));
}

function withoutZeros(value: Value): Json {
  if (isNumberLike(value)) {
    const number = numberOf(value);
    return number.eq(zero) ? '0' : number.toFixed();
  }
  if (isList(value)) return value.map(withoutZeros);
  if (!isPlainMap(value)) return toJson(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutZeros(item)]));
}

function isNumberLike(value: Value | undefined): boolean {
  return (
    isDecimal(value) ||
    (typeof value === 'number' && Number.isSafeInteger(value)) ||
    (typeof value === 'string' && isDecimalText(value))
  );
}
