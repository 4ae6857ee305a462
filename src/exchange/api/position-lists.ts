/** The lists of open futures positions, one for each account family, and what a decision reads of their rows. */
import { decimal, decimalText } from '../../base/decimal.ts';
import { fieldOf, isRecord } from '../../base/json.ts';
import { checkInput } from './check.ts';
import type { CallOptions, Exchange } from './exchange.ts';
import type { Family } from './family.ts';
import { neededField } from './needed.ts';
import type { ProductType } from './vocabulary.ts';

const lists = {
  classic: { operation: 'futures/list-positions', line: 'productType', side: 'holdSide' },
  unified: { operation: 'trade/list-positions', line: 'category', side: 'posSide', rows: 'list' },
} as const;

/**
 * The sizes of a symbol's positions in the base coin, by direction; a direction without a position
 * is absent.
 */
export interface HeldSizes {
  readonly long?: string;
  readonly short?: string;
}

/**
 * The positions of a product line, by symbol in upper case.
 * @param family without one the classic list is read
 * @throws RefusedError, UnavailableError, AnswerError
 */
export async function heldPositions(
  line: ProductType,
  family: Family | undefined,
  { exchange, options }: { readonly exchange: Exchange; readonly options: CallOptions },
): Promise<ReadonlyMap<string, HeldSizes>> {
  const list = lists[family ?? 'classic'];
  const input: unknown = { [list.line]: line };
  checkInput(list.operation, input);
  const answer: unknown = await exchange.call(list.operation, input, options);
  const rows = 'rows' in list ? fieldOf(answer, list.rows) : answer;
  const held = new Map<string, HeldSizes>();
  for (const row of Array.isArray(rows) ? rows.filter(isRecord) : []) {
    const named = { name: () => 'a position', fields: row };
    const symbol = neededField(list.operation, named, 'symbol').toUpperCase();
    const side = neededField(list.operation, named, list.side) === 'short' ? 'short' : 'long';
    const size = decimal(neededField(list.operation, named, 'total')).abs();
    const before = held.get(symbol) ?? {};
    const sum = size.plus(decimal(before[side] ?? '0'));
    held.set(symbol, { ...before, [side]: decimalText(sum) });
  }
  return held;
}
