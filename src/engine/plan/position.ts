/** The positions that a planned order is checked against. */
import { futuresLine } from '../../exchange/api/terms.ts';
import { orderOf, type GuardedWrite } from './limit-check.ts';
import type { PlanContext } from './plan-context.ts';
import type { PlannedAction } from './plan.ts';
import { failureOf } from './read-failure.ts';

/** The positions of the order's symbol; undefined if no limit needs them, or nothing is read. */
export async function positionOf(
  write: GuardedWrite,
  { limits, isOffline, recorded, observer, naming }: PlanContext,
): Promise<PlannedAction['position']> {
  const { symbol, line: written } = orderOf(write) ?? {};
  const line = futuresLine(written);
  if (isOffline || line === undefined || symbol === undefined) return undefined;
  if (!limits.needsPosition(write)) return undefined;
  // A plan is checked with what it was reviewed with; the run reads it again before each order.
  if (recorded !== undefined) return recorded.actions.get(write.address)?.position;
  try {
    const held = await observer.held(line, naming.destination.family);
    return held.get(symbol.toUpperCase()) ?? {};
  } catch (error) {
    const failure = failureOf(error);
    const words = 'code' in failure ? `${failure.code} ${failure.message}` : '';
    return { unread: `they cannot be read: ${words}` };
  }
}
