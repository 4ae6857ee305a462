/** The open orders of an account, read from its exchange now. */
import { fieldOf, isRecord } from '../../base/json.ts';
import { readAll } from '../../exchange/api/reading.ts';
import type { Config } from '../config/load.ts';
import type { Profile } from '../config/profile.ts';
import type { AppContext } from '../app-context.ts';
import { openWork } from './work.ts';

/** An order with the fields that the exchange sends. */
export type OpenOrder = Readonly<Record<string, unknown>>;

/** @returns undefined when the exchange sent no list */
export async function openOrdersOf(
  profile: Profile,
  config: Config,
  context: AppContext,
  signal: AbortSignal,
): Promise<readonly OpenOrder[] | undefined> {
  const session = await openWork(context, config, profile, { needsKey: true });
  try {
    const { exchange } = session;
    const now = await exchange.serverTime(signal);
    const { answer } = await readAll('order/list-open', {}, { exchange, options: { signal }, now });
    const rows = fieldOf(answer, 'list');
    return Array.isArray(rows) ? rows.filter(isRecord) : undefined;
  } finally {
    await session.close();
  }
}
