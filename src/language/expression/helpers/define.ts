/** The definition of a helper, and how helpers read their arguments. */
import { isInSeconds, lengthIn, type Millis } from '../../../base/clock.ts';
import {
  isDecimal,
  isDecimalText,
  wholeDecimal,
  writtenDecimal,
  type Decimal,
} from '../../../base/decimal.ts';
import { listed, nearWord } from '../../../base/text.ts';
import { timeHint, writtenLocal, writtenMoment } from '../../written-time.ts';
import { isTime, isNumeric, isScalar, membersOf, type Type } from '../type.ts';
import {
  EvaluationError,
  isList,
  Moment,
  Span,
  toJson,
  TooManyError,
  Unknown,
  type Value,
} from '../value.ts';

/**
 * The type of an argument. `collection` is a list, or a map whose values are used; `numbers` and
 * `scalars` are collections of such members.
 */
export type Kind =
  | 'number'
  | 'text'
  | 'boolean'
  | 'time'
  | 'duration'
  | 'collection'
  | 'numbers'
  | 'scalars'
  | 'scalar'
  | 'any';

export interface Helper {
  readonly group: 'decimals' | 'comparison' | 'logic' | 'lists' | 'text' | 'time' | 'trading';
  readonly usage: string;
  readonly description: string;
  readonly example: readonly [expression: string, result: string];
  readonly takes: readonly Kind[];
  /** Further arguments of this kind; `takes` is then the minimum. */
  readonly rest?: Kind;
  /** The number of required arguments in `takes`; default: all. */
  readonly least?: number;
  readonly named?: Readonly<Record<string, NamedArgument>>;
  /** Named arguments of which exactly one is required. */
  readonly oneOf?: readonly string[];
  /** Additional requirements for an argument of `takes`, by position. */
  readonly proofs?: readonly (Proof | undefined)[];
  /** When the helper uses the time of the run. */
  readonly needsTime?: 'always' | 'without arguments';
  readonly gives: Type | ((args: readonly Type[]) => Type);
  /** The arguments that may be missing: the first one, or all but the last. */
  readonly mayMiss?: 'first' | 'all-but-last';
  /** Whether the helper accepts a list with unknown members. */
  readonly seesUnknown?: true;
  /** @param itemsMax maximum members of a range */
  readonly evaluate: (args: readonly Value[], named: Named, now: Millis, itemsMax: number) => Value;
}

/** Whether an argument may be missing. */
export function mayMiss({ mayMiss: which }: Helper, index: number, count: number): boolean {
  return which === 'first' ? index === 0 : which === 'all-but-last' && index < count - 1;
}

/** Throws an EvaluationError for a value that is never valid. */
export type Proof = (value: Value) => unknown;

export interface NamedArgument {
  readonly kind: Kind;
  readonly isRequired?: true;
  readonly proof?: Proof;
}

export type Named = Readonly<Record<string, Value>>;

/** Whether a type is accepted for a kind of argument. */
export function fits(type: Type, kind: Kind): boolean {
  if (type.kind === 'any' || kind === 'any') return true;
  switch (kind) {
    case 'number':
      return isNumeric(type);
    case 'time':
      return isTime(type);
    case 'text':
    case 'boolean':
      return type.kind === kind;
    case 'duration':
      return type.kind === 'duration' || type.kind === 'text';
    case 'collection':
      return membersOf(type) !== undefined;
    case 'numbers':
      return everyMember(type, isNumeric);
    case 'scalars':
      return everyMember(type, isScalar);
    case 'scalar':
      return isScalar(type);
  }
}

/** Whether a type is a collection whose members all match; each field of a record counts. */
function everyMember(type: Type, passes: (member: Type) => boolean): boolean {
  if (type.kind === 'record') return [...type.fields.values()].every((field) => passes(field.type));
  const members = membersOf(type);
  return members !== undefined && passes(members);
}

/** @throws EvaluationError for anything that is not a number */
export function numberOf(value: Value | undefined): Decimal {
  if (isDecimal(value)) return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return wholeDecimal(value);
  if (typeof value === 'string' && isDecimalText(value)) return writtenDecimal(value);
  throw new EvaluationError(`${shown(value)} is not a number`);
}

/** Whether a value is neither missing, null nor empty text. */
export function isPresent(value: Value | undefined): value is Value {
  return value !== undefined && value !== null && value !== '';
}

/** An integer of limited size, for counts, positions and scales. */
export function countOf(value: Value | undefined, what: string, most = 1_000_000): number {
  const number = Number(numberOf(value).toFixed());
  if (Number.isInteger(number) && Math.abs(number) <= most) return number;
  throw new EvaluationError(`${what} must be a whole number up to ${most}, not ${shown(value)}`);
}

export function textOf(value: Value | undefined): string {
  if (typeof value === 'string') return value;
  const json = value === undefined ? undefined : toJson(value);
  if (typeof json === 'number' || typeof json === 'boolean') return String(json);
  if (typeof json === 'string') return json;
  throw new EvaluationError(`${shown(value)} is not text`);
}

const textMax = 256 * 1024; // characters; a few nested calls could create a text of gigabytes

/** @throws EvaluationError when the text would be longer than 256 KiB */
export function joined(parts: readonly string[], between: string): string {
  const length = parts.reduce((sum, part) => sum + part.length + between.length, 0);
  if (length <= textMax) return parts.join(between);
  throw new TooManyError('the text would be longer than 256 KiB');
}

export function truthOf(value: Value | undefined): boolean {
  if (typeof value === 'boolean') return value;
  throw new EvaluationError(`${shown(value)} is not true or false`);
}

/** The members of a list, or the values of a map. */
export function membersIn(value: Value | undefined): readonly Value[] {
  if (value !== undefined && isList(value)) return value;
  if (isPlainMap(value)) return Object.values(value);
  throw new EvaluationError(`${shown(value)} is not a list`);
}

/** @throws EvaluationError for anything that is not a time */
export function momentOf(value: Value | undefined): Millis {
  if (value instanceof Moment) return value.ms;
  if (typeof value === 'number' || typeof value === 'string') refuseSeconds(String(value));
  if (typeof value === 'number') return value;
  const moment = typeof value === 'string' ? writtenMoment(value) : undefined;
  if (moment !== undefined) return moment;
  if (typeof value !== 'string' || writtenLocal(value) === undefined) {
    throw new EvaluationError(`${shown(value)} is not a time`, timeHint);
  }
  const hint = `write ${value}Z, or read it in a zone: time '${value}' tz='Europe/Berlin'`;
  throw new EvaluationError(`${shown(value)} has no offset from UTC`, hint);
}

/** @throws EvaluationError for a time that must be in seconds */
export function refuseSeconds(text: string): void {
  if (!isInSeconds(text)) return;
  throw new EvaluationError(`${text} is in seconds; a time is in milliseconds`, `write ${text}000`);
}

export function spanOf(value: Value | undefined): Millis {
  if (value instanceof Span) return value.ms;
  const [, sign = '', text = ''] =
    typeof value === 'string' ? (/^(-?)(.*)$/s.exec(value) ?? []) : [];
  const length = lengthIn(text);
  if (length !== undefined) return sign === '-' ? -length : length;
  throw new EvaluationError(`${shown(value)} is not a duration such as 10s, 5m or 2h`);
}

export function isPlainMap(value: Value | undefined): value is { readonly [key: string]: Value } {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !isDecimal(value) &&
    !(value instanceof Moment || value instanceof Span || value instanceof Unknown)
  );
}

/** One of an argument's allowed words. @throws EvaluationError with a suggestion */
export function wordOf<W extends string>(
  value: Value | undefined,
  what: string,
  words: readonly W[],
): W {
  const word = textOf(value);
  const found = words.find((known) => known === word);
  if (found !== undefined) return found;
  const near = nearWord(word, words);
  throw new EvaluationError(
    `${what} must be ${listed(words, 'or')}, not ${shown(word)}`,
    near === undefined ? undefined : `did you mean '${near}'?`,
  );
}

/** A value in an error message: short, on one line. */
export function shown(value: Value | undefined): string {
  const json = value === undefined ? 'nothing' : JSON.stringify(toJson(value));
  return json.length > 60 ? `${json.slice(0, 57)}…` : json;
}
