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
import type { Json } from '../base/json.ts';
import { listed, nearWord } from '../base/text.ts';
import { evaluateTemplate } from './expression/evaluate.ts';
import { refuseDeep } from './expression/extent.ts';
import { timeHint } from './written-time.ts';
import { isPlainMap, refuseSeconds, spanOf } from './expression/helpers/define.ts';
import {
  EvaluationError,
  isList,
  Moment,
  Span,
  Unknown,
  type Scope,
  type Value,
} from './expression/value.ts';
import { listOf, mapOf, shown } from './given-collections.ts';
import { InputReading, recordIn, type MemberIssue } from './input-members.ts';
import { originOf } from './origin.ts';
import { expressionsIn } from './template.ts';
import { isMatch, patternTextMax } from './pattern.ts';
import type { DeclaredType, InputDeclaration, Playbook, Template } from './playbook.ts';

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
  const failed = new Set<string>();
  for (const [name, declared] of playbook.inputs) {
    const value = given.get(name);
    if (value === undefined && dependsOn(failed, declared)) {
      failed.add(name); // a consequence, which is not reported
      continue;
    }
    const reading = new InputReading({ ...scopeOf(times), inputs });
    try {
      const read = valueOf(declared, value, reading);
      if (reading.issues.length === 0) inputs[name] = read;
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      reading.add(error.message, error.hint);
    }
    if (reading.issues.length > 0) failed.add(name);
    problems.push(...reading.issues.map((issue) => problemOf(name, value, issue)));
  }
  return { inputs, problems };
}

/** Whether the default of an input uses one of these inputs. */
function dependsOn(failed: ReadonlySet<string>, { default: initial }: InputDeclaration): boolean {
  if (initial === undefined || failed.size === 0) return false;
  return expressionsIn(initial).some(({ references }) =>
    references.some(({ root, path: [name = ''] }) => root === 'inputs' && failed.has(name)),
  );
}

/** A problem of an input or of its member, with the place in the file that it was read from. */
function problemOf(name: string, given: unknown, { path, message, hint }: MemberIssue): InputIssue {
  const place = originOf(given)?.(path);
  const below = /^\d+$/.test(path[0] ?? '') ? path.slice(1) : path; // the place has the row
  const member = below.join('.') || name;
  const text = place === undefined ? [name, ...path].join('.') : `${place}: ${member}`;
  return { name, message: `${text}: ${message}`, ...(hint !== undefined && { hint }) };
}

function scopeOf({ time, scheduledFor = time }: RunTimes): Scope {
  return time && scheduledFor ? { run: { time, 'scheduled-for': scheduledFor } } : {};
}

function valueOf(
  declared: InputDeclaration,
  given: Json | Value | undefined,
  reading: InputReading,
): Value {
  if (given !== undefined) return typed(declared, given, reading);
  if (declared.default === undefined) {
    throw new EvaluationError(
      'a value is required',
      `give it with --var ${declared.name}=… or DESKHAND_VAR_${declared.name}; an empty variable counts as not set`,
    );
  }
  return defaultIn(declared, declared.default, reading);
}

/** The first problem of a constant that is given to an input; undefined for an allowed one. */
export function issueOf(declared: DeclaredType, constant: Template): MemberIssue | undefined {
  const reading = new InputReading({});
  try {
    defaultIn(declared, constant, reading);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    reading.add(error.message, error.hint);
  }
  return reading.issues[0];
}

function defaultIn(declared: DeclaredType, initial: Template, reading: InputReading): Value {
  const found = evaluateTemplate(initial, reading.scope);
  // A number keeps its digits.
  const value =
    initial.kind === 'literal' && typeof initial.value === 'number'
      ? initial.source
      : found.known
        ? found.value
        : (found.partial ?? new Unknown(found.after)); // while planning, in a nested playbook
  return typed(declared, value, reading);
}

/** A value of the declared type. @throws EvaluationError */
function typed(declared: DeclaredType, given: Value | Json, reading: InputReading): Value {
  if (given instanceof Unknown) return given; // not known while planning
  switch (declared.type) {
    case 'string':
      return matched(declared, textOf(given));
    case 'enum': {
      const word = textOf(given);
      if (declared.values?.includes(word)) return word;
      throw new EvaluationError(`${shown(given)} is not ${listed(declared.values ?? [], 'or')}`);
    }
    case 'integer':
      return integerOf(declared, given);
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
    case 'list':
    case 'map':
    case 'record':
      return collectionOf(declared.type, declared, given, reading);
  }
}

function integerOf(declared: DeclaredType, given: Value | Json): number {
  const number = numberOf(given);
  if (!/^-?\d+$/.test(number.toFixed()))
    throw new EvaluationError(`${shown(given)} is not a whole number`);
  const whole = Number(bounded(declared, number).toFixed());
  if (Number.isSafeInteger(whole)) return whole;
  throw new EvaluationError(`${shown(given)} is too large; declare it as type: string`);
}

function collectionOf(
  type: 'list' | 'map' | 'record',
  { items, fields = new Map() }: DeclaredType,
  given: Value | Json,
  reading: InputReading,
): Value {
  const member = (name: string, value: Value): Value =>
    items ? reading.member(name, () => typed(items, value, reading)) : exact(value);
  if (type === 'list') {
    const list = listOf(given);
    refuseDeep(list);
    return list.map((value, index) => member(String(index), value));
  }
  const map = mapOf(given, type);
  refuseDeep(map);
  if (type === 'record') {
    return recordIn(fields, map, reading, {
      given: (field, value) => typed(field, value, reading),
      initial: (field, initial) => defaultIn(field, initial, reading),
    });
  }
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, member(key, value)]));
}

/**
 * A value without a declared type, in which a decimal is its text, with all digits: plans and journals record it
 * so, and a run that is resumed from them has the same values.
 */
function exact(given: Value): Value {
  if (typeof given === 'number' && Number.isSafeInteger(given)) return given;
  if (typeof given === 'number' || isDecimal(given)) return decimalText(numberOf(given));
  if (isList(given)) return given.map(exact);
  if (!isPlainMap(given)) return given;
  return Object.fromEntries(Object.entries(given).map(([key, item]) => [key, exact(item)]));
}

function matched({ pattern }: DeclaredType, text: string): string {
  if (pattern === undefined) return text;
  if (text.length > patternTextMax)
    throw new EvaluationError(`${shown(text)} is longer than ${patternTextMax} characters`);
  if (isMatch(pattern, text)) return text;
  throw new EvaluationError(`${shown(text)} does not match ${pattern}`);
}

function bounded({ minimum, maximum }: DeclaredType, value: Decimal): Decimal {
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
