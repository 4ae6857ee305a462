/** The open orders of an account, read from its exchange now. */
import { fieldOf, isRecord } from '../../base/json.ts';
import type { OrderList, OrderRowFields } from '../../exchange/api/keyed-write.ts';
import { declared, tradedLines } from '../../exchange/api/meant-order.ts';
import { operationOf } from '../../exchange/api/operations/index.ts';
import { readAll } from '../../exchange/api/reading.ts';
import type { Config } from '../config/load.ts';
import type { Profile } from '../config/profile.ts';
import type { AppContext } from '../app-context.ts';
import { openWork } from './work.ts';

/** A row of an open order, and the meaning of its fields. */
export interface OpenOrder {
  readonly row: Readonly<Record<string, unknown>>;
  readonly fields: OrderRowFields;
}

/** @returns undefined when the exchange sent no list */
export async function openOrdersOf(
  profile: Profile,
  config: Config,
  context: AppContext,
  signal: AbortSignal,
): Promise<readonly OpenOrder[] | undefined> {
  const session = await openWork(context, config, profile, { needsKey: true });
  try {
    const { exchange, destination } = session;
    const now = await exchange.serverTime(signal);
    const found: OpenOrder[] = [];
    for (const { list, input } of readsOf([...tradedLines(destination.family).values()])) {
      const operation = declared(list.operation);
      const { answer } = await readAll(operation, input, { exchange, options: { signal }, now });
      const rows = fieldOf(answer, operationOf(operation).page?.rows ?? '');
      if (!Array.isArray(rows)) return undefined;
      found.push(...rows.filter(isRecord).map((row) => ({ row, fields: list.row })));
    }
    return found;
  } finally {
    await session.close();
  }
}

interface ListRead {
  readonly list: OrderList;
  readonly input: Readonly<Record<string, string>>;
}

/** The reads of lists of product lines: one for a list that shows all lines, else one for each line. */
function readsOf(
  lines: readonly { readonly line: string; readonly lists: { readonly open: OrderList } }[],
): readonly ListRead[] {
  const reads = new Map<string, ListRead>();
  for (const { line, lists } of lines) {
    const { open: list } = lists;
    const { required } = operationOf(declared(list.operation)).input.json;
    const isNeeded = Array.isArray(required) && required.includes(list.line);
    const input = isNeeded ? { [list.line]: line } : {};
    reads.set(`${list.operation} ${input[list.line] ?? ''}`, { list, input });
  }
  return [...reads.values()];
}
