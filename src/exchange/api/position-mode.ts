/** The position mode of an account, which no operation returns: rows of its futures orders show it. */
import { DeskhandError } from '../../base/error.ts';
import { RefusedError, type CallOptions, type Exchange } from './exchange.ts';
import type { ModeHints } from './keyed-write.ts';
import { listedLineOf } from './meant-order.ts';
import { operationOf, type OperationName } from './operations/index.ts';
import { futuresLine } from './terms.ts';
import type { ProductType } from './vocabulary.ts';

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
  { operation, input }: { readonly operation: OperationName; readonly input: object },
  exchange: Pick<Exchange, 'call'>,
  options: CallOptions = {},
): Promise<unknown> {
  const mode = operationOf(operation).keyed?.checked.mode;
  if (!(error instanceof RefusedError) || error.answer.code !== mode?.code) return error;
  const category = futuresLine(listedLineOf(operation, input)?.line);
  if (category === undefined) return error;
  try {
    const [shown = '', other] = await positionModesIn(exchange, category, options);
    const writes: Readonly<Record<string, ModeHints>> = {
      one_way_mode: mode.oneWay,
      hedge_mode: mode.hedge,
    };
    const fields = other === undefined ? writes[shown]?.refused : undefined;
    if (fields === undefined) return error;
    const hint = `this account is in ${shown}, by its ${category} orders: ${fields}`;
    return new RefusedError(operation, error.answer, hint);
  } catch (failed) {
    if (failed instanceof DeskhandError) return error; // the refusal is what happened
    throw failed;
  }
}
