/** The values of expressions: those of JSON, plus exact decimals, times, durations and unknown values. */
import type { Millis } from '../../base/clock.ts';
import { decimalText, isDecimal, writtenDecimal, type Decimal } from '../../base/decimal.ts';
import { DeskhandError, exits } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import type { SourceRange } from '../source-range.ts';

/** A time; sent to the exchange as Unix milliseconds. */
export class Moment {
  readonly ms: Millis;

  constructor(ms: Millis) {
    this.ms = ms;
  }
}

/** A duration. */
export class Span {
  readonly ms: Millis;

  constructor(ms: Millis) {
    this.ms = ms;
  }
}

/** A value that exists only after a step was executed; expressions over it are unknown, too. */
export class Unknown {
  /** The step that makes the value known, with its item: `subs[alpha]`. */
  readonly after: string;

  constructor(after: string) {
    this.after = after;
  }
}

export type Value =
  | string
  | number
  | boolean
  | null
  | Decimal
  | Moment
  | Span
  | Unknown
  | readonly Value[]
  | { readonly [key: string]: Value };

/** The roots of an expression. Which of them are available depends on the field. */
export type Root =
  | 'inputs'
  | 'steps'
  | 'each'
  | 'response'
  | 'row'
  | 'rows'
  | 'joined'
  | 'run'
  | 'secrets'
  | 'failure'
  | 'account'
  | 'this'
  | '@index'
  | '@first'
  | '@last';

const roots: Readonly<Record<Root, true>> = {
  inputs: true,
  steps: true,
  each: true,
  response: true,
  row: true,
  rows: true,
  joined: true,
  run: true,
  secrets: true,
  failure: true,
  account: true,
  this: true,
  '@index': true,
  '@first': true,
  '@last': true,
};

export function isRoot(word: string): word is Root {
  return Object.hasOwn(roots, word);
}

export type Scope = Readonly<Partial<Record<Root, Value>>>;

/**
 * The result of an evaluation. `known: true` has a value without any unknown part. Otherwise
 * `after` is the step it waits for, and `partial` the list or map with `Unknown` leaves if at least
 * its structure is known.
 */
export type Lookup =
  | { readonly known: true; readonly value: Value }
  | { readonly known: false; readonly after: string; readonly partial?: Value };

/** An expression could not be evaluated: a missing field, or invalid arguments of a helper. */
export class EvaluationError extends DeskhandError {
  /** The location of the expression; absent for an error of several. */
  at?: SourceRange;

  constructor(message: string, hint?: string) {
    super(message, {
      code: 'evaluation',
      actor: 'author',
      exit: exits.stopped,
      ...(hint && { hint }),
    });
  }
}

/** Maximum items of a for-each and members of a range, unless a profile raises it. */
export const itemsDefault = 10_000;

/** The highest limit of items that a profile can set: all items of a run are kept in memory. */
export const itemsHighest = 100_000;

/** Maximum items of all steps of a run, with those of nested playbooks. */
export function itemsOfRun(itemsMax: number): number {
  return 2 * itemsMax;
}

/** The remedy for too many items. */
export function itemsHint(itemsMax: number): string {
  return itemsMax < itemsHighest
    ? `split the playbook, or raise plan.items in the profile (at most ${itemsHighest})`
    : 'split the playbook';
}

/** A value above a limit: too many members, digits, characters or parts. */
export class TooManyError extends EvaluationError {}

/** A number as written: integers of up to 15 digits are integers, others keep every digit. */
export function numberIn(source: string): number | Decimal {
  return /^-?\d{1,15}$/.test(source) ? Number(source) : writtenDecimal(source);
}

/** A value as JSON, for journals, plans and webhooks: decimals and times become texts. */
export function toJson(value: Value): Json {
  if (value === null || typeof value !== 'object') return value;
  if (isDecimal(value)) return decimalText(value);
  if (value instanceof Moment) return String(value.ms);
  if (value instanceof Span) return value.ms;
  if (value instanceof Unknown) return { 'known-after': value.after };
  if (isList(value)) return value.map(toJson);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toJson(item)]));
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}
