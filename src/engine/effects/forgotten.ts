/** Orders that a restored store forgot: they have our names, and no journal knows them. */
import { listedLineOf, type ListedLine } from '../../exchange/api/meant-order.ts';
import { ofForgotten } from '../journal/doubt.ts';
import type { Outcome } from '../journal/entry.ts';
import { isOurName } from '../journal/identity.ts';
import { namesIn } from '../journal/writes.ts';
import type { WriteJob } from '../interpreter/jobs.ts';
import { ordersByName } from '../plan/found-orders.ts';
import type { EffectContext } from './effect-context.ts';
import { searchFrom } from './reconcile.ts';

/**
 * The doubt about a write whose own order was not found, in a run whose store forgot confirmed entries.
 * An order that depends on a read of the run has another clientOid when the read is repeated: the sent
 * order may be one that no journal knows.
 * @returns undefined if there are no such orders
 */
export async function doubtOfForgotten(
  { operation, input }: WriteJob['call'],
  context: EffectContext,
): Promise<Outcome | undefined> {
  const line = listedLineOf(operation, input);
  if (line === undefined) return undefined;
  const strange = await strangeOrders(line, context);
  return strange.length === 0 ? undefined : ofForgotten(strange);
}

/** The clientOids of orders of a product line that only deskhand can have made, and no journal knows. */
export async function strangeOrders(
  { line, lists }: ListedLine,
  context: Pick<EffectContext, 'forgot' | 'exchange' | 'halt' | 'namesElsewhere' | 'entries'>,
): Promise<readonly string[]> {
  const { forgot, exchange, halt: signal } = context;
  if (forgot === undefined) return [];
  const now = await exchange.serverTime(signal);
  const since = searchFrom([{ signedAt: forgot.since }], now);
  const there = await ordersByName(exchange, { line, lists, since, now, signal });
  const known = await context.namesElsewhere();
  const ours = new Set(namesIn(await context.entries()));
  return [...there.keys()].filter((name) => isOurName(name) && !ours.has(name) && !known.has(name));
}
