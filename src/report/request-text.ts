/** The request of a write as text: its action, and every field that is not the default. */
import { isDecimalText } from '../base/decimal.ts';
import { isRecord, type Json } from '../base/json.ts';
import type { OrderRead } from '../exchange/api/keyed-write.ts';
import { isOrderId, isOrderKey } from '../exchange/api/meant-order.ts';
import type { StateFields } from '../exchange/api/operation.ts';
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

/** A write that sets a state: `leverage USDT-FUTURES BTCUSDT 5×`. */
export function stateRequest(sets: StateFields, input: Json | undefined): RequestWords {
  const terms = restOf(input, [...sets.target, sets.value]);
  return { what: `${sets.value} ${stateWords(sets, input)}`, terms };
}

/** The change of a state: `5× → 7×`; `?` for a value that is not known. */
export function stateChange(
  { value, unit }: StateFields,
  was: string | undefined,
  input: Json | undefined,
): string {
  const before = was === undefined ? '?' : `${plainText(was, 40)}${unit}`;
  return `${before} → ${wordAt(input, value)}${unit}`;
}

/** The state that a request sets: `USDT-FUTURES 5×`. */
export function stateWords(sets: StateFields, input: Json | undefined): string {
  return `${targetWords(sets, input)} ${wordAt(input, sets.value)}${sets.unit}`;
}

/** The target whose state a request sets: `USDT-FUTURES BTCUSDT`. */
export function targetWords({ target }: StateFields, input: Json | undefined): string {
  return target
    .map((field) => wordAt(input, field))
    .filter((word) => word !== '')
    .join(' ');
}

/** A write that ends an order: `cancels order 123 of BTCUSDT`. */
export function endRequest({ input: fields }: OrderRead, input: Json | undefined): RequestWords {
  const [name = ''] = Object.values(fields).filter((field) => isNameOfOrder(field, input));
  const symbol = wordAt(input, 'symbol');
  const what = `cancels order ${wordAt(input, name)}${symbol === '' ? '' : ` of ${symbol}`}`;
  return { what, terms: restOf(input, [...Object.values(fields), 'marginCoin', 'category']) };
}

/** How an order ended that a write was to cancel: `cancelled, 0.004 of 0.010 filled`. */
export function endWords(output: Json | undefined): string {
  if (textAt(output, 'status') === 'filled') return 'filled before it was cancelled';
  const filled = textAt(output, 'filled') ?? '0';
  if (!/[1-9]/.test(filled)) return 'cancelled';
  return `cancelled, ${wordAt(output, 'filled')} of ${wordAt(output, 'size')} filled`;
}

/** Whether a field names the order that a request ends; the first one that is given decides. */
function isNameOfOrder(field: string, input: Json | undefined): boolean {
  return (isOrderId(field) || isOrderKey(field)) && wordAt(input, field) !== '';
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
  if (after === undefined) return plainText(JSON.stringify(value), wordMax);
  return plainText(textAt(value, 'text') ?? `(after ${after})`, wordMax);
}

/** Groups the digits of a plain number and leaves any other text unchanged. */
export function groupedNumber(text: string): string {
  return isDecimalText(text) ? grouped(text) : text;
}
