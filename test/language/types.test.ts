/** What the checker says of an expression's type is what it becomes, whatever is given to the run. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimal, isDecimal, isDecimalText } from '../../src/base/decimal.ts';
import { infer, type TypeScope } from '../../src/language/check/infer.ts';
import { compileText } from '../../src/language/expression/compile.ts';
import { fits, isPlainMap, type Kind } from '../../src/language/expression/helpers/define.ts';
import { helpers } from '../../src/language/expression/helpers/index.ts';
import type { ExpressionNode } from '../../src/language/expression/node.ts';
import {
  booleanType,
  decimalType,
  integerType,
  listOf,
  text,
  timeType,
  type Field,
  type Type,
} from '../../src/language/expression/type.ts';
import {
  EvaluationError,
  isList,
  Moment,
  Span,
  type Value,
} from '../../src/language/expression/value.ts';
import { Problems } from '../../src/language/problems.ts';

/** A name in the scope: its type, and values that have it. */
interface Variable {
  readonly type: Type;
  readonly values: fc.Arbitrary<Value>;
}

const numberText = fc
  .tuple(fc.integer({ min: -999, max: 999 }), fc.constantFrom('', '.5', '.10'))
  .map(([whole, rest]) => `${whole}${rest}`);
const word = fc.constantFrom('', 'a', 'b', 'Buy', '1.0', '{{ x }}', 'a,b');
const side = fc.constantFrom('buy', 'sell');
const sideType: Type = { kind: 'text', values: ['buy', 'sell'] };
const numberTextType: Type = { kind: 'text', format: 'decimal' };
const rowType: Type = {
  kind: 'record',
  fields: new Map<string, Field>([
    ['price', { type: numberTextType }],
    ['side', { type: sideType }],
    ['mark', { type: numberTextType, isOptional: true }],
  ]),
};
const row: fc.Arbitrary<Value> = fc
  .record({ price: numberText, side, mark: numberText }, { requiredKeys: ['price', 'side'] })
  .map((found) => ({ ...found }));

const variables: Readonly<Record<string, Variable>> = {
  word: { type: text, values: word },
  side: { type: sideType, values: side },
  whole: { type: integerType, values: fc.integer({ min: -20, max: 20 }) },
  number: { type: decimalType, values: numberText.map(decimal) },
  written: { type: numberTextType, values: numberText },
  isOn: { type: booleanType, values: fc.boolean() },
  moment: { type: timeType, values: fc.nat().map((ms) => new Moment(Date.UTC(2000, 0) + ms)) },
  span: { type: { kind: 'duration' }, values: fc.nat().map((ms) => new Span(ms)) },
  numbers: {
    type: listOf(decimalType),
    values: fc.array(numberText.map(decimal), { maxLength: 3 }),
  },
  words: { type: listOf(text), values: fc.array(word, { maxLength: 3 }) },
  rows: { type: listOf(rowType), values: fc.array(row, { maxLength: 3 }) },
  row: { type: rowType, values: row },
  totals: {
    type: { kind: 'map', values: integerType },
    values: fc
      .dictionary(fc.constantFrom('a', 'b'), fc.nat({ max: 9 }))
      .map((found) => ({ ...found })),
  },
};

/** Parts of expressions that a helper may want as an argument of a kind, and some it may not. */
const leaves = (kind: Kind): fc.Arbitrary<string> => {
  const fitting = Object.entries(variables)
    .filter(([, { type }]) => fits(type, kind))
    .map(([name]) => `inputs.${name}`);
  const literals = ["'a'", "'price'", "'desc'", "'-2h'", '0', '2', '0.50', 'true'];
  const paths = ['inputs.row.price', 'inputs.row.side', 'inputs.rows.0', 'inputs.totals.a'];
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...fitting) },
    { weight: 3, arbitrary: fc.constantFrom(...literals) },
    { weight: 1, arbitrary: fc.constantFrom(...paths, 'inputs.row.mark') },
  );
};

const named: Readonly<Record<string, fc.Arbitrary<string>>> = {
  by: fc.constantFrom("'price'", "'mark'"),
  order: fc.constantFrom("'asc'", "'desc'"),
  mode: fc.constantFrom("'down'", "'half-up'"),
  scale: fc.constantFrom('0', '4'),
  tz: fc.constantFrom("'+08:00'", "'UTC'", "'Europe/Berlin'"),
};

const terms = new Map<string, fc.Arbitrary<string>>();

/** Expressions that may be of a kind, made once for each kind and depth. */
function termOf(kind: Kind, depth: number): fc.Arbitrary<string> {
  const name = `${kind} ${depth}`;
  const made = terms.get(name) ?? newTerm(kind, depth);
  terms.set(name, made);
  return made;
}

function newTerm(kind: Kind, depth: number): fc.Arbitrary<string> {
  if (depth === 0) return leaves(kind);
  const calls = [...helpers].flatMap(([name, { gives }]) => {
    const isSure = typeof gives !== 'function';
    if (isSure && !fits(gives, kind)) return [];
    const arbitrary = callOf(name, depth - 1).map((call) => `(${call})`);
    return [{ weight: isSure ? 4 : 1, arbitrary }];
  });
  return fc.oneof(
    { weight: 1, arbitrary: leaves(kind) },
    { weight: 1, arbitrary: fc.oneof(...calls) },
  );
}

/** Calls whose arguments have to fit each other, which chance alone seldom brings about. */
const likely: Readonly<Record<string, readonly string[]>> = {
  at: ['at inputs.numbers 0', 'at inputs.rows 1'],
  pluck: [
    "pluck inputs.rows 'price'",
    "pluck inputs.rows 'side'",
    "pluck inputs.rows 'mark'",
    "pluck inputs.rows 'mark' default=0",
  ],
  filter: [
    "filter inputs.rows 'price' 'gt' inputs.number",
    "filter inputs.rows 'side' 'ne' inputs.word",
  ],
  zip: ['zip inputs.numbers inputs.numbers'],
  addTime: ['addTime inputs.moment inputs.span', "addTime inputs.moment '-2h'"],
  windows: ['windows inputs.moment inputs.moment days=2'],
  ladder: ['ladder from=20 to=10 count=2 tick=0.50 total=inputs.whole lot=1'],
};

function callOf(name: string, depth: number): fc.Arbitrary<string> {
  const anyCall = callByKinds(name, depth);
  const known = likely[name];
  return known === undefined ? anyCall : fc.oneof(anyCall, fc.constantFrom(...known));
}

function callByKinds(name: string, depth: number): fc.Arbitrary<string> {
  const { takes = [], rest, named: options = {} } = helpers.get(name) ?? {};
  const positional = [...takes, ...(rest ? [rest] : [])].map((kind) => termOf(kind, depth));
  const optional = Object.entries(options).map(([option, { kind }]) =>
    fc
      .tuple(fc.boolean(), named[option] ?? leaves(kind))
      .map(([isGiven, value]) => (isGiven ? `${option}=${value}` : '')),
  );
  return fc
    .tuple(fc.tuple(...positional), fc.tuple(...optional))
    .map(([args, more]) => [name, ...args, ...more.filter((option) => option !== '')].join(' '));
}

const scope: TypeScope = {
  roots: new Map<string, Type>([
    [
      'inputs',
      {
        kind: 'record',
        fields: new Map(Object.entries(variables).map(([name, { type }]) => [name, { type }])),
      },
    ],
  ]),
  later: new Set(),
};

const place = { line: 1, column: 1, offset: 0 };
let nextOffset = 0; // each problem in its own place, so that all are reported
const somewhere = () => {
  nextOffset += 1;
  return { file: 'x', start: { ...place, offset: nextOffset }, end: place };
};

/** Whether a value is one of a type. */
function has(value: Value, type: Type): boolean {
  switch (type.kind) {
    case 'any':
      return true;
    case 'text':
      return (
        typeof value === 'string' &&
        (type.values?.includes(value) ?? true) &&
        (type.format !== 'decimal' || isDecimalText(value))
      );
    case 'integer':
      return Number.isSafeInteger(value);
    case 'decimal':
      return isDecimal(value) || Number.isSafeInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'time':
      return value instanceof Moment;
    case 'duration':
      return value instanceof Span;
    case 'null':
      return value === null;
    case 'list':
      return isList(value) && value.every((item) => has(item, type.items));
    case 'map':
      return isPlainMap(value) && Object.values(value).every((item) => has(item, type.values));
    case 'record':
      return (
        isPlainMap(value) &&
        [...type.fields].every(([name, field]) => {
          const item = value[name];
          return item === undefined ? field.isOptional === true : has(item, field.type);
        })
      );
  }
}

// What a value decides, not its type: these may stop a run that was checked.
const decidedByValues: readonly RegExp[] = [
  /is in seconds; a time is in milliseconds/,
  /is not a time$|has no offset from UTC$|there are more than \d+ windows/, // a text that is composed
  /division by zero|has no member|takes lists of one length|more than 10,000/,
  /must be .* not |must be above 0|out of range|longer than 256 KiB|^ladder: /,
  /is not a duration/,
  /^inputs\.(rows\.0|totals\.a)[.\w]* has no value/, // a list may be shorter, a map without the key
];
const namesField = /\b(pluck|filter) (\S+|\(.*\)) (\(|inputs)|by=(\(|inputs)/; // the name of the field is a value itself

/** Whether the checker takes a part of it for any value: then it gives no reason of what fits. */
function isPartlyUnknown(node: ExpressionNode): boolean {
  const parts = node.kind === 'call' ? [...node.positional, ...node.named.values()] : [];
  return holdsAny(infer(node, scope, new Problems())) || parts.some(isPartlyUnknown);
}

function holdsAny(type: Type): boolean {
  switch (type.kind) {
    case 'any':
      return true;
    case 'list':
      return holdsAny(type.items);
    case 'map':
      return holdsAny(type.values);
    case 'record':
      return [...type.fields.values()].some((field) => holdsAny(field.type));
    default:
      return false;
  }
}

const expression = fc.oneof(...[...helpers.keys()].map((name) => callOf(name, 2)));
const given = fc.record(
  Object.fromEntries(Object.entries(variables).map(([name, { values }]) => [name, values])),
);

test('a valid expression evaluates to its inferred type', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(expression, given, (source, inputs) => {
      const problems = new Problems();
      const [part] = compileText(`{{ ${source} }}`, somewhere, problems) ?? [];
      if (part === undefined || typeof part === 'string') return;
      const type = infer(part.node, scope, problems);
      if (problems.hasErrors) return;
      const name = source.split(' ')[0] ?? '';
      let value: Value;
      try {
        const found = part.evaluate({ inputs: { ...inputs }, run: { time: new Moment(0) } });
        value = found.known ? found.value : null;
      } catch (error) {
        if (!(error instanceof EvaluationError)) throw error;
        if (isPartlyUnknown(part.node)) return;
        const isAllowed = decidedByValues.some((pattern) => pattern.test(error.message));
        const isNamed =
          error.message.startsWith('a member has no field') && namesField.test(source);
        expect(isAllowed || isNamed ? '' : error.message, source).toBe('');
        return;
      }
      seen.add(name);
      expect(has(value, type), `${source} is not ${JSON.stringify(type)}`).toBe(true);
    }),
    { numRuns: 8_000 },
  );
  const unseen = [...helpers.keys()].filter((name) => !seen.has(name));
  expect(unseen).toEqual([]);
});

test.each([
  ["join (last (zip inputs.rows inputs.numbers)) ','", true],
  ['sum (last (zip inputs.rows inputs.numbers))', true],
  ["join (last (zip inputs.words inputs.numbers)) ','", false],
])(
  '%s: a record whose values are used is refused unless each of them fits',
  (source, isRefused) => {
    const problems = new Problems();
    const [part] = compileText(`{{ ${source} }}`, somewhere, problems) ?? [];
    if (part === undefined || typeof part === 'string') throw new Error('it is an expression');
    infer(part.node, scope, problems);
    expect(problems.hasErrors).toBe(isRefused);
  },
);
