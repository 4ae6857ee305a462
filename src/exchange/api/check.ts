/** Validates inputs, outputs and our own documents against their schemas; the only importer of ajv. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { isInSeconds, lastMoment } from '../../base/clock.ts';
import { decimal } from '../../base/decimal.ts';
import { fieldOf, plainJson } from '../../base/json.ts';
import { listed, nearWord } from '../../base/text.ts';
import { checkedFieldsOf } from './checked-fields.ts';
import { fieldNamed, symbolsOfOthers, withMeanings } from './other-names.ts';
import { deviationText } from './deviation.ts';
import { AnswerError, InputError, type InputProblem } from './exchange.ts';
import {
  operationOf,
  operations,
  type Input,
  type OperationName,
  type Output,
} from './operations/index.ts';
import { readAnswer } from './read-answer.ts';
import type { JsonSchema, Schema } from './schema.ts';
import { formats } from './vocabulary.ts';

/** @throws InputError with all problems, when the input violates the API schema */
export function checkInput<N extends OperationName>(
  name: N,
  input: unknown,
): asserts input is Input<N> {
  const problems = inputProblems(name, input);
  if (problems.length > 0) throw new InputError(name, problems);
}

/**
 * Checks that data is exactly as the interface declares it, except for new fields.
 * @throws AnswerError with the first deviation
 */
export function checkOutput<N extends OperationName>(
  name: N,
  data: unknown,
): asserts data is Output<N> {
  const { deviations } = readAnswer(name, plainJson(data ?? null));
  const first = deviations.find(({ came }) => came !== 'undeclared');
  if (first !== undefined) throw new AnswerError(name, deviationText(first));
}

/**
 * All problems of an input.
 * @param options `by: 'exchange'` reports only the problems that an exchange refuses. A client also
 * refuses input that an exchange would misread: unknown fields, times in seconds, and times that no
 * calendar has.
 */
export function inputProblems(
  name: OperationName,
  input: unknown,
  { by = 'client' }: { readonly by?: 'client' | 'exchange' } = {},
): InputProblem[] {
  const validate = inputValidator(name);
  const problems = validate(input) ? [] : problemsOf(validate, operations[name].input.json);
  if (by === 'client') problems.push(...unknownFieldsOf(name, input), ...timesIn(name, input));
  const all = [...problems, ...brokenRules(name, input), ...sizesOver(name, input)];
  if (by === 'exchange') return all;
  return [...withMeanings(all, input), ...symbolsOfOthers(checkedFieldsOf(name).symbols, input)];
}

/** All schema problems of one of our own documents, such as a scenario. */
export function schemaProblems(schema: JsonSchema, value: unknown): InputProblem[] {
  const validate = schemaValidators.get(schema) ?? ajv.compile(schema);
  schemaValidators.set(schema, validate);
  return validate(value) ? [] : problemsOf(validate, schema);
}

const schemaValidators = new WeakMap<JsonSchema, ValidateFunction>();

/** The first problem of a stored value; undefined if it has the shape of the schema. */
export function shapeProblem(schema: JsonSchema, value: unknown): string | undefined {
  const validate = shapeValidators.get(schema) ?? shapesAjv.compile(schema);
  shapeValidators.set(schema, validate);
  if (validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  const field = error?.instancePath.slice(1).replaceAll('/', '.') ?? '';
  return `${field} ${error?.message ?? 'is not valid'}`.trim();
}

/** Makes the check whether a stored value has a shape; fields that the schema does not name are accepted. */
export function shapeCheck<T>({ json }: Schema<T>): (value: unknown) => value is T {
  checkedShapes.push(json);
  return (value): value is T => shapeProblem(json, value) === undefined;
}

/** The shapes of all such checks: the build compiles them (.ci/validators.mjs). */
export const checkedShapes: JsonSchema[] = [];

const shapeValidators = new WeakMap<JsonSchema, ValidateFunction>();

const ajv = withFormats(
  new Ajv({
    allErrors: true, // local data of known size: report all problems at once
    strict: false,
    ownProperties: true,
    validateFormats: true,
    logger: false,
  }),
);

/**
 * Validators for stored values, of which the first problem is enough. None of their fields is named like an
 * inherited property, so own properties need no check.
 */
const shapesAjv = withFormats(new Ajv({ strict: false, validateFormats: true, logger: false }));

function withFormats(made: Ajv): Ajv {
  made.addFormat('decimal', isFormat(formats.decimal));
  made.addFormat('decimal-or-empty', emptyOr(formats.decimal));
  made.addFormat('millis', isFormat(formats.millis));
  made.addFormat('millis-or-empty', emptyOr(formats.millis));
  made.addFormat('id', isFormat(formats.id));
  made.addFormat('count', isFormat(formats.count));
  made.addFormat('symbol', isFormat(formats.symbol));
  return made;
}

const inputValidators = new Map<OperationName, ValidateFunction>();

/** Compiled on first use: compiling all at the start takes a fifth of a second. */
function inputValidator(name: OperationName): ValidateFunction {
  const known = inputValidators.get(name) ?? ajv.compile(operations[name].input.json);
  inputValidators.set(name, known);
  return known;
}

function isFormat(pattern: RegExp): (text: string) => boolean {
  return (text) => pattern.test(text);
}

function emptyOr(pattern: RegExp): (text: string) => boolean {
  return (text) => text === '' || pattern.test(text);
}

const formatWords: Readonly<Record<string, string>> = {
  decimal: 'a decimal number such as 0.05',
  'decimal-or-empty': 'a decimal number such as 0.05, or empty',
  millis: 'Unix milliseconds',
  id: 'a whole number as text',
  count: 'a whole number from 1',
  symbol: 'a symbol such as BTCUSDT',
};

function problemsOf({ errors }: ValidateFunction, schema: JsonSchema): InputProblem[] {
  return (errors ?? []).flatMap((error) => problemOf(error, schema));
}

function problemOf(error: ErrorObject, schema: JsonSchema): InputProblem[] {
  const path = error.instancePath.split('/').slice(1);
  const field = path.join('.') || 'the input';
  const params: Readonly<Record<string, unknown>> = error.params;
  switch (error.keyword) {
    case 'required': {
      const missing = String(params['missingProperty']);
      return [{ path: [...path, missing], keyword: 'required', message: `${missing} is missing` }];
    }
    case 'type':
      return [{ path, keyword: 'type', message: `${field} must be of type ${params['type']}` }];
    case 'enum': {
      const allowed = Array.isArray(params['allowedValues'])
        ? params['allowedValues'].map(String)
        : [];
      return [
        { path, keyword: 'enum', allowed, message: `${field} must be ${listed(allowed, 'or')}` },
      ];
    }
    case 'format': {
      const wanted = formatWords[String(params['format'])] ?? String(params['format']);
      return [{ path, keyword: 'format', message: `${field} must be ${wanted}` }];
    }
    case 'additionalProperties': {
      const unknown = String(params['additionalProperty']);
      return [
        {
          path: [...path, unknown],
          keyword: 'unknown',
          message: `${unknown} is not known ${path.length === 0 ? 'here' : `in ${field}`}`,
        },
      ];
    }
    case 'pattern':
    case 'minLength':
    case 'maxLength':
    case 'minimum':
    case 'maximum':
    case 'minItems':
    case 'maxItems':
    case 'minProperties':
    case 'maxProperties':
      return [{ path, keyword: 'range', message: `${field} ${rangeWords(error, schema)}` }];
    default: // anyOf and if/then repeat the problems of their parts
      return [];
  }
}

/** The requirement of a limit in words; for a pattern, the description in its schema. */
function rangeWords(
  { schemaPath, keyword, params, message }: ErrorObject,
  schema: unknown,
): string {
  const limit: unknown = params['limit'];
  switch (keyword) {
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'pattern': {
      const place = schemaPath.split('/').slice(1, -1).reduce(fieldOf, schema);
      const words = fieldOf(place, 'patternErrorMessage');
      return typeof words === 'string' ? words : (message ?? 'is not allowed');
    }
    case 'minItems':
    case 'minProperties':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} entries`;
    case 'maxItems':
    case 'maxProperties':
      return `must have at most ${limit} entries`;
    default:
      return message ?? 'is out of range';
  }
}

function unknownFieldsOf(name: OperationName, input: unknown): InputProblem[] {
  const known = fieldsOf(name);
  return keysOf(input)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const near = fieldNamed(key, known) ?? nearWord(key, known);
      const hint = near
        ? `did you mean ${JSON.stringify(near)}?`
        : `it has ${listed(known) || 'no fields'}`;
      return {
        path: [key],
        keyword: 'unknown',
        allowed: known,
        message: `${name} has no field ${JSON.stringify(key)}`,
        hint,
      };
    });
}

/** Names of an operation's input fields. */
export function fieldsOf(name: OperationName): readonly string[] {
  return checkedFieldsOf(name).all;
}

function timesIn(name: OperationName, input: unknown): InputProblem[] {
  return checkedFieldsOf(name).times.flatMap((field): InputProblem[] => {
    const value = fieldOf(input, field);
    if (typeof value !== 'string') return [];
    if (formats.millis.test(value) && Number(value) > lastMoment) {
      return [{ path: [field], keyword: 'range', message: `${field} is at most ${lastMoment}` }];
    }
    if (!isInSeconds(value)) return [];
    const message = `${field} must be Unix milliseconds; ${value} is in seconds`;
    return [{ path: [field], keyword: 'rule', message, hint: `write ${value}000` }];
  });
}

function brokenRules(name: OperationName, input: unknown): InputProblem[] {
  return (operationOf(name).requiredWhen ?? [])
    .filter(({ when, require, orElse }) => {
      if (fieldOf(input, require) !== undefined) return false;
      if (orElse !== undefined && fieldOf(input, orElse) !== undefined) return false;
      return Object.entries(when).every(([field, values]) =>
        values.includes(String(fieldOf(input, field))),
      );
    })
    .map(({ require, orElse, because }) => ({
      path: [require],
      keyword: 'required',
      message: `${require} is missing: ${because}`,
      ...(orElse !== undefined && { orElse }),
    }));
}

function sizesOver(name: OperationName, input: unknown): InputProblem[] {
  const page = operationOf(name).page;
  if (page === undefined) return [];
  const { field, maximum } = page.size;
  const size = fieldOf(input, field);
  if (typeof size !== 'string' || !formats.count.test(size)) return [];
  if (decimal(size).lte(String(maximum))) return [];
  return [{ path: [field], keyword: 'range', message: `${field} is at most ${maximum}` }];
}

function keysOf(value: unknown): string[] {
  return value !== null && typeof value === 'object' ? Object.keys(value) : [];
}
