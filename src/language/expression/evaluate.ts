/** Evaluates templates over a scope: values with their types, and inputs in wire form. */
import { decimalText, isDecimal, isDecimalText } from '../../base/decimal.ts';
import { fieldOf, type Json } from '../../base/json.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import type { Template } from '../playbook.ts';
import { fieldMoment, timeHint } from '../written-time.ts';
import { joined, shown, textOf } from './helpers/define.ts';
import { lookupOf } from './interpret.ts';
import {
  EvaluationError,
  isList,
  Moment,
  numberIn,
  Span,
  toJson,
  Unknown,
  type Lookup,
  type Scope,
  type Value,
} from './value.ts';

/**
 * Evaluates a template. A single expression keeps its type; inside a longer text only scalars are
 * allowed; lists and maps are evaluated leaf by leaf.
 * @throws EvaluationError when a path has no value or a helper refuses its arguments
 */
export function evaluateTemplate(template: Template, scope: Scope): Lookup {
  return lookupOf(valueOf(template, scope));
}

function valueOf(template: Template, scope: Scope): Value {
  switch (template.kind) {
    case 'literal':
      return literalValue(template);
    case 'expression': {
      const found = template.expression.evaluate(scope);
      return found.known ? found.value : (found.partial ?? new Unknown(found.after));
    }
    case 'text': {
      const texts: string[] = [];
      for (const part of template.parts) {
        if (typeof part === 'string') {
          texts.push(part);
          continue;
        }
        const found = part.evaluate(scope);
        if (!found.known) return new Unknown(found.after);
        texts.push(scalarText(found.value, part.text));
      }
      return joined(texts, '');
    }
    case 'prose':
      throw new EvaluationError('a text with blocks is allowed only on a page');
    case 'list':
      return template.items.map((item) => valueOf(item, scope));
    case 'map':
      return Object.fromEntries(
        [...template.entries].map(([key, item]) => [key, valueOf(item, scope)]),
      );
  }
}

/** A text with what is known of it, and `(after STEP)` for what is not; undefined for another template. */
export function textSoFar(template: Template, scope: Scope): string | undefined {
  if (template.kind !== 'text') return undefined;
  const texts = template.parts.map((part) => {
    if (typeof part === 'string') return part;
    const found = part.evaluate(scope);
    return found.known ? scalarText(found.value, part.text) : `(after ${found.after})`;
  });
  return texts.join('');
}

/** The value of a literal. A number keeps its digits from the file. */
export function literalValue({ value, source }: Literal): Value {
  return typeof value === 'number' && isDecimalText(source) ? numberIn(source) : value;
}

type Literal = Pick<Extract<Template, { kind: 'literal' }>, 'value' | 'source'>;

function scalarText(value: Value, expression: string): string {
  if (value === null || isList(value) || (typeof value === 'object' && !isScalarObject(value))) {
    throw new EvaluationError(
      `${expression} is not a single value and cannot be used inside a text`,
    );
  }
  return textOf(value);
}

function isScalarObject(value: object): boolean {
  return isDecimal(value) || value instanceof Moment || value instanceof Span;
}

export interface WiredInput {
  /** Fields with known values, ready for validation. */
  readonly input: Readonly<Record<string, Json>>;
  /** Steps that fields wait for, by field. */
  readonly unknown: ReadonlyMap<string, string>;
}

/**
 * The input of an operation. Where the API requires text, numbers become exact decimal text; where it
 * requires Unix milliseconds, so do times and texts such as 2026-11-01; other texts stay as written.
 * @throws EvaluationError
 */
export function wireInput(
  operation: OperationName,
  fields: ReadonlyMap<string, Template>,
  scope: Scope,
): WiredInput {
  const properties = fieldOf(operationOf(operation).input.json, 'properties');
  const input: Record<string, Json> = {};
  const unknown = new Map<string, string>();
  for (const [field, template] of fields) {
    const schema = fieldOf(properties, field);
    if (template.kind === 'literal') {
      input[field] = inMillis(field, literalForWire(template), schema);
      continue;
    }
    const found = evaluateTemplate(template, scope);
    if (!found.known) unknown.set(field, found.after);
    else {
      input[field] = inMillis(field, forWire(found.value, fieldOf(schema, 'type')), schema);
    }
  }
  return { input, unknown };
}

/** A number as written, with all its digits. */
function literalForWire({ value, source }: Literal): Json {
  return typeof value === 'number' && isDecimalText(source) ? source : value;
}

/**
 * Unix milliseconds for a text that is a time, in a field for them; a value of another field is unchanged.
 * @throws EvaluationError for a text that is not a time
 */
function inMillis(field: string, value: Json, schema: unknown): Json {
  if (typeof value !== 'string' || fieldOf(schema, 'format') !== 'millis') return value;
  if (/^\d*$/.test(value)) return value; // checked with the other fields
  const moment = fieldMoment(field, value);
  if (moment !== undefined) return String(moment);
  throw new EvaluationError(`${field}: ${shown(value)} is not a time`, timeHint);
}

function forWire(value: Value, wanted: unknown): Json {
  if (wanted !== 'string') return toJson(value);
  if (isDecimal(value)) return decimalText(value);
  if (typeof value === 'number') return String(value);
  return toJson(value);
}
