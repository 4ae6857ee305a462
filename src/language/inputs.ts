/** Inputs of a run: given values, defaults, and all problems at once. */
import { momentIn } from '../base/clock.ts';
import {
  decimal,
  decimalText,
  isDecimal,
  isDecimalText,
  writtenDecimal,
  type Decimal,
} from '../base/decimal.ts';
import { isRecord, type Json } from '../base/json.ts';
import { listed, nearWord } from '../base/text.ts';
import { evaluateTemplate } from './expression/evaluate.ts';
import { refuseDeep } from './expression/extent.ts';
import { timeHint } from './written-time.ts';
import { isPlainMap, refuseSeconds, spanOf } from './expression/helpers/define.ts';
import { EvaluationError, Moment, Span, toJson, Unknown, type Value } from './expression/value.ts';
import { isMatch, patternTextMax } from './pattern.ts';
import type { InputDeclaration, Playbook, Template } from './playbook.ts';

export interface InputIssue {
  /** The input's name as given or declared. */
  readonly name: string;
  readonly message: string;
  readonly hint?: string;
}

export interface ResolvedInputs {
  readonly inputs: Readonly<Record<string, Value>>;
  readonly problems: readonly InputIssue[];
}

/** The constant time of a run, and its scheduled time, if any. */
export interface RunTimes {
  readonly time?: Moment;
  readonly scheduledFor?: Moment;
}

/**
 * Texts (from `--var` or the environment) are parsed by the declared type; JSON is validated.
 * @param times those of the run, for defaults such as `{{ daysAgo 7 }}`
 */
export function resolveInputs(
  playbook: Playbook,
  given: ReadonlyMap<string, Json | Value>,
  times: RunTimes = {},
): ResolvedInputs {
  const inputs: Record<string, Value> = {};
  const problems: InputIssue[] = [];
  for (const name of given.keys()) {
    if (playbook.inputs.has(name)) continue;
    const near = nearWord(name, playbook.inputs.keys());
    const hint = near ? { hint: `did you mean ${near}?` } : {};
    problems.push({
      name,
      message: `${playbook.name} has no input ${JSON.stringify(name)}`,
      ...hint,
    });
  }
  for (const [name, declared] of playbook.inputs) {
    try {
      inputs[name] = valueOf(declared, given.get(name), times);
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      const hint = error.hint === undefined ? {} : { hint: error.hint };
      problems.push({ name, message: `${name}: ${error.message}`, ...hint });
    }
  }
  return { inputs, problems };
}

function valueOf(
  declared: InputDeclaration,
  given: Json | Value | undefined,
  times: RunTimes,
): Value {
  if (given !== undefined) return typed(declared, given);
  if (declared.default === undefined) {
    throw new EvaluationError(
      'a value is required',
      `give it with --var ${declared.name}=… or DESKHAND_VAR_${declared.name}; an empty variable counts as not set`,
    );
  }
  return defaultOf(declared, declared.default, times);
}

/** The value of a default. @throws EvaluationError when the declaration does not allow it */
export function defaultOf(declared: Declared, initial: Template, times: RunTimes = {}): Value {
  const { time, scheduledFor = time } = times;
  const run = time && scheduledFor && { time, 'scheduled-for': scheduledFor };
  const found = evaluateTemplate(initial, run ? { run } : {});
  if (!found.known) throw new EvaluationError('its default is not known before the run');
  // A number keeps its digits.
  const value =
    initial.kind === 'literal' && typeof initial.value === 'number' ? initial.source : found.value;
  return typed(declared, value);
}

type Declared = Pick<
  InputDeclaration,
  'type' | 'items' | 'values' | 'pattern' | 'minimum' | 'maximum'
>;

/** A value of the declared type. @throws EvaluationError */
function typed(declared: Declared, given: Value | Json): Value {
  if (given instanceof Unknown) return given; // not known while planning
  switch (declared.type) {
    case 'string':
      return matched(declared, textOf(given));
    case 'enum': {
      const word = textOf(given);
      if (declared.values?.includes(word)) return word;
      throw new EvaluationError(`${shown(given)} is not ${listed(declared.values ?? [], 'or')}`);
    }
    case 'integer': {
      const number = numberOf(given);
      if (!/^-?\d+$/.test(number.toFixed()))
        throw new EvaluationError(`${shown(given)} is not a whole number`);
      const whole = Number(bounded(declared, number).toFixed());
      if (Number.isSafeInteger(whole)) return whole;
      throw new EvaluationError(`${shown(given)} is too large; declare it as type: string`);
    }
    case 'decimal':
      return bounded(declared, numberOf(given));
    case 'boolean':
      if (given === true || given === 'true') return true;
      if (given === false || given === 'false') return false;
      throw new EvaluationError(`${shown(given)} is not true or false`);
    case 'time':
      return momentOf(given);
    case 'duration':
      return durationOf(given);
    case 'list': {
      const list = listOf(given);
      refuseDeep(list);
      return list.map((item) => (declared.items ? typed(declared.items, item) : exact(item)));
    }
    case 'map': {
      const map = mapOf(given);
      refuseDeep(map);
      return Object.fromEntries(
        Object.entries(map).map(([key, item]) => [
          key,
          declared.items ? typed(declared.items, item) : exact(item),
        ]),
      );
    }
  }
}

/** A value without a declared type, in which a number is a decimal as in a default. */
function exact(given: Value): Value {
  if (typeof given === 'number') return Number.isSafeInteger(given) ? given : numberOf(given);
  if (isListValue(given)) return given.map(exact);
  if (!isPlainMap(given)) return given;
  return Object.fromEntries(Object.entries(given).map(([key, item]) => [key, exact(item)]));
}

function matched({ pattern }: Declared, text: string): string {
  if (pattern === undefined) return text;
  if (text.length > patternTextMax)
    throw new EvaluationError(`${shown(text)} is longer than ${patternTextMax} characters`);
  if (isMatch(pattern, text)) return text;
  throw new EvaluationError(`${shown(text)} does not match ${pattern}`);
}

function bounded({ minimum, maximum }: Declared, value: Decimal): Decimal {
  if (minimum !== undefined && value.lt(decimal(minimum))) {
    throw new EvaluationError(`${decimalText(value)} is below ${minimum}`);
  }
  if (maximum !== undefined && value.gt(decimal(maximum))) {
    throw new EvaluationError(`${decimalText(value)} is above ${maximum}`);
  }
  return value;
}

function textOf(given: Value | Json): string {
  if (typeof given === 'string') return given;
  if (typeof given === 'number') return String(given);
  if (isDecimal(given)) return decimalText(given);
  throw new EvaluationError(`${shown(given)} is not text`);
}

function numberOf(given: Value | Json): Decimal {
  if (isDecimal(given)) return given;
  const text = typeof given === 'number' ? String(given) : given;
  if (typeof text === 'string' && isDecimalText(text)) return writtenDecimal(text);
  throw new EvaluationError(`${shown(given)} is not a decimal number`);
}

/** Unix milliseconds, or an ISO date or time with a time zone. */
export function momentOf(given: Value | Json): Moment {
  if (given instanceof Moment) return given;
  const text = textOf(given);
  refuseSeconds(text);
  if (/^\d{10,16}$/.test(text)) return new Moment(Number(text));
  const ms = momentIn(text);
  if (ms !== undefined) return new Moment(ms);
  throw new EvaluationError(`${shown(given)} is not a time`, timeHint);
}

/** The duration in a text such as 10s, or in milliseconds as plans and journals record them. */
function durationOf(given: Value | Json): Span {
  if (given instanceof Span) return given;
  const isRecorded = typeof given === 'number' && Number.isSafeInteger(given) && given >= 0;
  return new Span(isRecorded ? given : spanOf(textOf(given)));
}

/** A list as JSON, or as `a,b,c` on the command line. */
function listOf(given: Value | Json): readonly Value[] {
  if (isListValue(given)) return given;
  if (typeof given !== 'string') throw new EvaluationError(`${shown(given)} is not a list`);
  const parsed = given.trimStart().startsWith('[')
    ? parsedJson(given)
    : given.split(',').map((word) => word.trim());
  if (isListValue(parsed)) return parsed;
  throw new EvaluationError(`${shown(given)} is not a list`);
}

function mapOf(given: Value | Json): Readonly<Record<string, Value>> {
  const value = typeof given === 'string' ? parsedJson(given) : given;
  if (isJsonMap(value)) return value;
  throw new EvaluationError(`${shown(given)} is not a map`, 'write it as JSON: {"a":"1"}');
}

function isListValue(value: unknown): value is readonly Value[] {
  return Array.isArray(value);
}

function isJsonMap(value: unknown): value is Readonly<Record<string, Value>> {
  return (
    isRecord(value) && !isDecimal(value) && !(value instanceof Moment) && !(value instanceof Span)
  );
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(withAllDigits(text));
  } catch {
    throw new EvaluationError(`${shown(text)} is not valid JSON`);
  }
}

/** JSON in which numbers that lose digits when parsed are texts. */
function withAllDigits(json: string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (part) =>
    isDecimalText(part) && String(Number(part)) !== part ? `"${part}"` : part,
  );
}

function shown(value: unknown): string {
  const json = JSON.stringify(
    isDecimal(value) || value instanceof Moment || value instanceof Span ? toJson(value) : value,
  );
  return json === undefined ? 'nothing' : json.slice(0, 60);
}
