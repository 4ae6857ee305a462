/** The positions that a planned order is checked against. */
import { futuresLine } from '../../exchange/api/terms.ts';
import { orderOf, type GuardedWrite } from './limit-check.ts';
import type { PlanContext } from './plan-context.ts';
import type { PlannedAction } from './plan.ts';
import { failureOf } from './read-failure.ts';
import { asksNobody } from './recorded.ts';

/** The positions of the order's symbol; undefined if no limit needs them, or nothing is read. */
export async function positionOf(
  write: GuardedWrite,
  context: PlanContext,
): Promise<PlannedAction['position']> {
  const { limits, isOffline, recorded, observer, naming } = context;
  const { symbol, line: written } = orderOf(write) ?? {};
  const line = futuresLine(written);
  if (isOffline || line === undefined || symbol === undefined) return undefined;
  if (!limits.needsPosition(write)) return undefined;
  if (asksNobody(context)) return recorded?.actions.get(write.address)?.position;
  try {
    const held = await observer.held(line, naming.destination.family);
    return held.get(symbol.toUpperCase()) ?? {};
  } catch (error) {
    const failure = failureOf(error);
    const words = 'code' in failure ? `${failure.code} ${failure.message}` : '';
    return { unread: `they cannot be read: ${words}` };
  }
}
