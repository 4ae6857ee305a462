/** The position mode of an account, which no operation returns: rows of its futures orders show it. */
import { DeskhandError } from '../../base/error.ts';
import { RefusedError, type CallOptions, type Exchange } from './exchange.ts';
import { futuresProductTypes, type ProductType } from './vocabulary.ts';

/** The modes in the open orders of a product line, or in its closed ones if none is open. */
export async function positionModesIn(
  exchange: Pick<Exchange, 'call'>,
  category: ProductType,
  options: CallOptions = {},
): Promise<ReadonlySet<string>> {
  const { list: open } = await exchange.call('order/list-open', { category }, options);
  const rows =
    open.length > 0
      ? open
      : (await exchange.call('order/list-history', { category }, options)).list;
  const modes = new Set<string>();
  for (const { holdMode } of rows)
    if (typeof holdMode === 'string' && holdMode) modes.add(holdMode);
  return modes;
}

/**
 * The error of a write; if the write was refused because of the account's position mode and orders show
 * that mode, the error names it and the input to write.
 */
export async function withMode(
  error: unknown,
  input: Readonly<Record<string, unknown>>,
  exchange: Pick<Exchange, 'call'>,
  options: CallOptions = {},
): Promise<unknown> {
  const category = futuresProductTypes.find((line) => line === input['productType']);
  if (!(error instanceof RefusedError) || error.answer.code !== wrongMode) return error;
  if (category === undefined) return error;
  try {
    const [mode = '', other] = await positionModesIn(exchange, category, options);
    const fields = other === undefined ? writes[mode] : undefined;
    if (fields === undefined) return error;
    const hint = `this account is in ${mode}, by its ${category} orders: ${fields}`;
    return new RefusedError('futures/place-order', error.answer, hint);
  } catch (failed) {
    if (failed instanceof DeskhandError) return error; // the refusal is what happened
    throw failed;
  }
}

const wrongMode = '40774';

const writes: Readonly<Record<string, string>> = {
  one_way_mode: 'remove tradeSide, and close with reduceOnly: YES',
  hedge_mode: 'write tradeSide: open or close, and remove reduceOnly',
};
