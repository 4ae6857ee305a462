/** The request of a write as text: its action, and every field that is not the default. */
import { isDecimalText } from '../base/decimal.ts';
import { isRecord, type Json } from '../base/json.ts';
import { grouped, plainText } from '../base/text.ts';
import { textAt } from './read-json.ts';

export interface RequestWords {
  /** The action of the request: `BTCUSDT open long 0.010 @ 61,500.0`. */
  readonly what: string;
  /**
   * The other fields: `post_only`, `crossed`, `take-profit 64,000 at market`; an unknown field by its name.
   */
  readonly terms: readonly string[];
}

export function leverageRequest(input: Json | undefined): RequestWords {
  const terms = restOf(input, ['productType', 'leverage']);
  return { what: `leverage ${leverageWords(input)}`, terms };
}

/** The change of a leverage: `5× → 7×`; `?` for a value that is not known. */
export function leverageChange(was: string | undefined, input: Json | undefined): string {
  const before = was === undefined ? '?' : `${plainText(was, 20)}×`;
  return `${before} → ${wordAt(input, 'leverage')}×`;
}

/** The leverage that a request sets: `USDT-FUTURES 5×`. */
export function leverageWords(input: Json | undefined): string {
  return `${wordAt(input, 'productType')} ${wordAt(input, 'leverage')}×`;
}

export function subAccountRequest(input: Json | undefined): RequestWords {
  const terms = restOf(input, ['username']);
  return { what: `sub-account ${wordAt(input, 'username')}`, terms };
}

/** The fields that have no text, each by its name. */
export function restOf(input: Json | undefined, shown: readonly string[]): string[] {
  if (!isRecord(input)) return [];
  return Object.keys(input)
    .filter((field) => !shown.includes(field))
    .map((field) => `${plainText(field, 60)} ${wordAt(input, field) || '""'}`);
}

const wordMax = 100; // characters; the longest field of an order has 64

/** A field as text; in a plan its value may be known only after another step. */
export function wordAt(input: Json | undefined, field: string): string {
  if (!isRecord(input) || !Object.hasOwn(input, field)) return '';
  const value = input[field];
  if (typeof value === 'string') return plainText(value, wordMax);
  const after = textAt(value, 'known-after');
  return plainText(after === undefined ? JSON.stringify(value) : `(after ${after})`, wordMax);
}

/** Groups the digits of a plain number and leaves any other text unchanged. */
export function groupedNumber(text: string): string {
  return isDecimalText(text) ? grouped(text) : text;
}
