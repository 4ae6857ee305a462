/** Reads the state that a write sets, by the declaration of its operation. */
import { decimal, decimalText, isDecimalText } from '../../base/decimal.ts';
import { InternalError } from '../../base/error.ts';
import { fieldOf, isRecord } from '../../base/json.ts';
import { listed } from '../../base/text.ts';
import { checkInput } from './check.ts';
import type { CallOptions, Exchange } from './exchange.ts';
import { isOperation, operationOf, type OperationName } from './operations/index.ts';
import type { ShownValue, StateReading } from './state-reading.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A write that may set a state. */
export interface Setting {
  readonly operation: OperationName;
  readonly input: Fields;
}

/** The distinct values that an account shows, smallest first; never empty. */
export type ShownState = readonly [string, ...string[]];

/** The read that shows the state, or undefined if nothing shows that of this write. */
export function readOfState(
  setting: Setting,
): { readonly operation: OperationName; readonly input: Fields } | undefined {
  const reading = readingOf(setting);
  if (reading === undefined) return undefined;
  const { operation, input: taken, where = {} } = reading;
  if (!isOperation(operation)) {
    throw new InternalError(`a declaration names ${operation}, which is not an operation`);
  }
  const named = [...Object.values(taken), ...Object.values(where)];
  if (named.some((field) => typeof setting.input[field] !== 'string')) return undefined;
  const input = Object.entries(taken).map(([field, from]) => [field, setting.input[from]]);
  return { operation, input: Object.fromEntries(input) };
}

/**
 * Whether rows that the account gets later belong to the state, too: then it is known only at the time of the
 * write.
 */
export function hasAnyRow(setting: Setting): boolean {
  const { rows, where } = readingOf(setting) ?? {};
  return rows !== undefined && where === undefined;
}

/**
 * Reads the state. Undefined if nothing shows it.
 * @throws RefusedError, UnavailableError, AnswerError
 */
export async function shownState(
  setting: Setting,
  exchange: Exchange,
  options: CallOptions,
): Promise<ShownState | undefined> {
  const read = readOfState(setting);
  if (read === undefined) return undefined;
  const { operation, input }: { readonly operation: OperationName; readonly input: unknown } = read;
  checkInput(operation, input);
  const answer: unknown = await exchange.call(operation, input, options);
  return stateIn(setting, answer);
}

function stateIn(setting: Setting, answer: unknown): ShownState | undefined {
  const reading = readingOf(setting);
  if (reading === undefined) return undefined;
  const { value, where = {} } = reading;
  const selected = rowsOf(reading, answer).filter((row) =>
    Object.entries(where).every(([field, from]) => isWord(row[field], setting.input[from])),
  );
  const texts = selected.flatMap((row) =>
    value.filter((shown) => meets(shown, row, setting)).map(({ field }) => plain(row[field])),
  );
  const values = texts.flatMap((text) => text ?? []);
  // One value that cannot be read makes the whole state unknown.
  if (values.length < texts.length) return undefined;
  const [first, ...others] = [...new Set(values)].sort((a, b) =>
    decimal(a).lt(decimal(b)) ? -1 : 1,
  );
  return first === undefined ? undefined : [first, ...others];
}

/** Whether the account shows this value, and no other. */
export function showsOnly([first, ...others]: ShownState, value: string): boolean {
  return others.length === 0 && first === plain(value);
}

/** The values as text: `5× and 7×`. */
export function stateWords(state: readonly string[], unit: string): string {
  return listed(state.map((value) => `${value}${unit}`));
}

/** Whether an operation sets a leverage. */
export function setsLeverage(name: string | undefined): boolean {
  return name !== undefined && isOperation(name) && operationOf(name).sets?.value === 'leverage';
}

function readingOf({ operation }: Setting): StateReading | undefined {
  return operationOf(operation).sets?.shownBy;
}

function rowsOf({ rows }: StateReading, answer: unknown): readonly Fields[] {
  if (rows === undefined) return isRecord(answer) ? [answer] : [];
  const list = rows === '' ? answer : isRecord(answer) && fieldOf(answer, rows);
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

function meets(
  { row: inRow = {}, write = {} }: ShownValue,
  row: Fields,
  { input }: Setting,
): boolean {
  return (
    Object.entries(inRow).every(([field, words]) =>
      words.some((word) => isWord(row[field], word)),
    ) &&
    Object.entries(write).every(([field, words]) =>
      words?.some((word) => word === (input[field] ?? '')),
    )
  );
}

function isWord(a: unknown, b: unknown): boolean {
  return typeof a === 'string' && typeof b === 'string' && a.toLowerCase() === b.toLowerCase();
}

/** A number in one notation: `5.0` is `5`. */
function plain(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && isDecimalText(text) ? decimalText(decimal(text)) : undefined;
}
