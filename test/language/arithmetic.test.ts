/** Arithmetic of expressions against fractions, which cannot round; failures print their seed. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalText, isDecimal } from '../../src/base/decimal.ts';
import { compileText } from '../../src/language/expression/compile.ts';
import { EvaluationError } from '../../src/language/expression/value.ts';
import { Problems } from '../../src/language/problems.ts';
import {
  areSame,
  floorTo,
  isBelow,
  minus,
  negative,
  over,
  plus,
  rational,
  rationalOf,
  rounded,
  times,
  type Rational,
} from '../support/rational.ts';

/** An expression and what it is worth; undefined where it divides by zero or has no step. */
interface Term {
  readonly text: string;
  readonly worth: Rational | undefined;
}

const modes = ['down', 'up', 'half-up', 'half-even', 'floor', 'ceil'];

const literal: fc.Arbitrary<Term> = fc
  .tuple(
    // Small ones divide into halves often, where roundings differ.
    fc.oneof(
      fc.bigInt({ min: -12n, max: 12n }),
      fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
    ),
    fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 8 })),
  )
  .map(([top, scale]) => {
    const digits = (top < 0n ? -top : top).toString().padStart(scale + 1, '0');
    const size = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
    const text = top < 0n ? `-${size}` : size;
    return { text, worth: rationalOf(text) };
  });

const smaller = (a: Rational, b: Rational): Rational => (isBelow(b, a) ? b : a);
const larger = (a: Rational, b: Rational): Rational => (isBelow(a, b) ? b : a);

const folds: Readonly<Record<string, (a: Rational, b: Rational) => Rational>> = {
  add: plus,
  sub: minus,
  mul: times,
  min: smaller,
  max: larger,
};

function worthOf(terms: readonly Term[], make: (...worths: Rational[]) => Rational | undefined) {
  const worths = terms.map(({ worth }) => worth).filter((worth) => worth !== undefined);
  return worths.length === terms.length ? make(...worths) : undefined;
}

const { term } = fc.letrec<{ term: Term }>((tie) => {
  const inner = tie('term');
  const fold = fc
    .tuple(fc.constantFrom(...Object.keys(folds)), fc.array(inner, { minLength: 2, maxLength: 3 }))
    .map(([name, terms]): Term => {
      const combine = folds[name] ?? plus;
      const worth = worthOf(terms, (first, ...others) => first && others.reduce(combine, first));
      return { text: `(${name} ${terms.map(({ text }) => text).join(' ')})`, worth };
    });
  const sign = fc.tuple(fc.constantFrom('neg', 'abs'), inner).map(([name, a]): Term => {
    const worth = worthOf([a], (value) =>
      value && (name === 'neg' || value.top < 0n) ? negative(value) : value,
    );
    return { text: `(${name} ${a.text})`, worth };
  });
  const quotient = fc
    .tuple(inner, inner, fc.integer({ min: 0, max: 12 }), fc.constantFrom(...modes))
    .map(([a, b, scale, mode]): Term => {
      const worth = worthOf([a, b], (value, by) =>
        value && by && by.top !== 0n ? rounded(over(value, by), scale, mode) : undefined,
      );
      return { text: `(div ${a.text} ${b.text} scale=${scale} mode='${mode}')`, worth };
    });
  const rounding = fc
    .tuple(inner, fc.integer({ min: 0, max: 6 }), fc.constantFrom(...modes))
    .map(([a, places, mode]): Term => {
      const worth = worthOf([a], (value) => value && rounded(value, places, mode));
      return { text: `(roundTo ${a.text} ${places} mode='${mode}')`, worth };
    });
  const multiple = fc
    .tuple(fc.constantFrom('floorTo', 'ceilTo'), inner, inner)
    .map(([name, a, step]): Term => {
      const worth = worthOf([a, step], (value, by) => {
        if (!value || !by || by.top <= 0n) return undefined;
        return name === 'floorTo' ? floorTo(value, by) : negative(floorTo(negative(value), by));
      });
      return { text: `(${name} ${a.text} ${step.text})`, worth };
    });
  return {
    term: fc.oneof({ maxDepth: 4 }, literal, fold, sign, quotient, rounding, multiple),
  };
});

const place = { line: 1, column: 1, offset: 0 };

function evaluated(term: string): string {
  const expression = term.startsWith('(') ? term.slice(1, -1) : `add ${term} 0`;
  const [part] = compileText(
    `{{ ${expression} }}`,
    () => ({ file: 'x', start: place, end: place }),
    new Problems(),
  ) ?? [''];
  if (part === undefined || typeof part === 'string') throw new Error(`${expression} is not read`);
  const found = part.evaluate({});
  if (!found.known || !isDecimal(found.value)) throw new Error(`${expression} is not a decimal`);
  return decimalText(found.value);
}

test('random arithmetic equals exact fractions', () => {
  let answered = 0;
  fc.assert(
    fc.property(term, ({ text, worth }) => {
      if (worth === undefined) {
        expect(() => evaluated(text)).toThrow(EvaluationError);
        return;
      }
      answered += 1;
      expect(areSame(rationalOf(evaluated(text)), worth), `${text} is ${evaluated(text)}`).toBe(
        true,
      );
    }),
    { numRuns: 2_000 },
  );
  expect(answered).toBeGreaterThan(1_000);
});

test('comparisons are exact', () => {
  fc.assert(
    fc.property(literal, literal, (a, b) => {
      const order = minus(a.worth ?? rational(0n), b.worth ?? rational(0n)).top;
      const wanted = { lt: order < 0n, lte: order <= 0n, gt: order > 0n, gte: order >= 0n };
      for (const [name, holds] of Object.entries(wanted)) {
        const expression = `{{ ${name} ${a.text} ${b.text} }}`;
        const at = { file: 'x', start: place, end: place };
        const [part] = compileText(expression, () => at, new Problems()) ?? [];
        const found = part !== undefined && typeof part !== 'string' && part.evaluate({});
        expect(found).toEqual({ known: true, value: holds });
      }
    }),
  );
});
