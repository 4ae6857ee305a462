/** The position mode of an account: its settings show it, or rows of its futures orders if its family is not known. */
import { DeskhandError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { RefusedError, type CallOptions, type Exchange } from './exchange.ts';
import type { Family } from './family.ts';
import type { ModeHints } from './keyed-write.ts';
import { keyedWriteOf, lineOfWrite } from './meant-order.ts';
import type { OperationName } from './operations/index.ts';
import { futuresLine, type PositionMode } from './terms.ts';
import type { ProductType } from './vocabulary.ts';

type Reader = Pick<Exchange, 'call'>;

/** Any symbol of a product line shows the mode, which is that of the line. */
interface ShownBy {
  readonly symbol: string;
  readonly productType: ProductType;
  readonly marginCoin: string;
}

/** A symbol that every account has. */
export const usualSymbol: ShownBy = {
  symbol: 'BTCUSDT',
  productType: 'USDT-FUTURES',
  marginCoin: 'USDT',
};

/** The position mode that the settings of an account show; undefined if they show none. */
export async function positionModeOf(
  exchange: Reader,
  family: Family,
  by: ShownBy,
  options: CallOptions = {},
): Promise<string | undefined> {
  const mode: unknown = await modes[family](exchange, by, options);
  return typeof mode === 'string' && mode !== '' ? mode : undefined;
}

const modes: Readonly<
  Record<Family, (exchange: Reader, by: ShownBy, options: CallOptions) => Promise<unknown>>
> = {
  classic: async (exchange, by, options) =>
    (await exchange.call('futures/get-account', { ...by }, options)).posMode,
  unified: async (exchange, _by, options) =>
    (await exchange.call('account/get-settings', {}, options)).holdMode,
};

/** The modes in the open orders of a product line, or in its closed ones if none is open. */
async function modesOfOrders(
  exchange: Reader,
  category: ProductType,
  options: CallOptions,
): Promise<ReadonlySet<string>> {
  const { list: open } = await exchange.call('order/list-open', { category }, options);
  const rows =
    open.length > 0
      ? open
      : (await exchange.call('order/list-history', { category }, options)).list;
  const shown = new Set<string>();
  for (const { holdMode } of rows)
    if (typeof holdMode === 'string' && holdMode) shown.add(holdMode);
  return shown;
}

export interface Write {
  readonly operation: OperationName;
  readonly input: object;
}

/** A mode, and what shows it. */
interface Known {
  readonly mode: string;
  readonly by: string;
}

/**
 * The error of a write; if the write was refused because of the account's position mode and the account shows
 * that mode, the error names it and the input to write.
 */
export async function withMode(
  error: unknown,
  write: Write,
  { exchange, family }: { readonly exchange: Reader; readonly family: Family | undefined },
  options: CallOptions = {},
): Promise<unknown> {
  const { operation } = write;
  const mode = keyedWriteOf(operation)?.checked.mode;
  if (!(error instanceof RefusedError) || error.answer.code !== mode?.code) return error;
  try {
    const known = await knownMode(write, exchange, family, options);
    const writes: Readonly<Record<string, ModeHints>> = {
      one_way_mode: mode.oneWay,
      hedge_mode: mode.hedge,
    };
    const fields = known && writes[known.mode]?.refused;
    if (known === undefined || fields === undefined) return error;
    const hint = `this account is in ${known.mode}, by its ${known.by}: ${fields}`;
    return new RefusedError(operation, error.answer, hint);
  } catch (failed) {
    if (failed instanceof DeskhandError) return error; // the refusal is what happened
    throw failed;
  }
}

async function knownMode(
  { operation, input }: Write,
  exchange: Reader,
  family: Family | undefined,
  options: CallOptions,
): Promise<Known | undefined> {
  const category = futuresLine(lineOfWrite(operation, input));
  if (category === undefined) return undefined;
  if (family !== undefined) {
    const mode = await modeOfLine({ operation, input }, category, { exchange, family }, options);
    return mode === undefined ? undefined : { mode, by: 'settings' };
  }
  const [mode, other] = await modesOfOrders(exchange, category, options);
  if (mode === undefined || other !== undefined) return undefined;
  return { mode, by: `${category} orders` };
}

async function modeOfLine(
  { operation, input }: Write,
  line: ProductType,
  { exchange, family }: { readonly exchange: Reader; readonly family: Family },
  options: CallOptions,
): Promise<string | undefined> {
  const by = { ...usualSymbol, ...(isRecord(input) && shownBy(operation, input, line)) };
  return positionModeOf(exchange, family, by, options);
}

/**
 * The position mode in which a futures order of a product line would be placed, by the settings of the account;
 * undefined if they show none, or cannot be read.
 */
export async function modeBefore(
  write: Write,
  line: ProductType,
  account: { readonly exchange: Reader; readonly family: Family },
  options: CallOptions = {},
): Promise<PositionMode | undefined> {
  try {
    const mode = await modeOfLine(write, line, account, options);
    return mode === 'one_way_mode' || mode === 'hedge_mode' ? mode : undefined;
  } catch (error) {
    if (error instanceof DeskhandError) return undefined; // the exchange checks it, too
    throw error;
  }
}

/** The symbol of a write, which its product line is sure to have. */
function shownBy(
  operation: OperationName,
  input: Readonly<Record<string, unknown>>,
  productType: ProductType,
): ShownBy | undefined {
  const { symbol: named, coin } = keyedWriteOf(operation)?.fields ?? {};
  const [symbol, marginCoin] = [named, coin].map((field) => field && input[field]);
  if (typeof symbol !== 'string' || typeof marginCoin !== 'string') return undefined;
  return { symbol, productType, marginCoin };
}
