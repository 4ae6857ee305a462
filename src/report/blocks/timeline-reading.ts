/** A row of the time line for screen readers: when it was, and what was sent. */
import type { Millis } from '../../base/clock.ts';
import { count, spoken } from '../../base/text.ts';
import type { SpanKind } from '../spans.ts';
import type { Extent } from '../timing.ts';

/** The requests that an action sent. */
export interface Sent {
  readonly kinds: readonly SpanKind[];
  /** Whether the action placed an order. */
  readonly isOrder: boolean;
}

/**
 * The text of a row.
 * @param whole length of the run
 */
export function readingOf(
  extent: Extent | undefined,
  sent: readonly Sent[],
  whole: Millis,
): string {
  if (extent === undefined) return 'nothing was sent';
  const orders = sent.filter(({ isOrder }) => isOrder).length;
  const kinds = new Map<SpanKind, number>();
  for (const kind of sent.flatMap((each) => each.kinds)) {
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const words = [
    ...(orders === 0 ? [] : [`${count(orders, 'order')} placed`]),
    ...[...kinds].map(([kind, n]) => count(n, ...kindNouns[kind])),
  ];
  const time = `from ${spoken(extent.from)} to ${spoken(Math.min(extent.to, whole))}`;
  return `${time}: ${words.length === 0 ? 'no request' : words.join(', ')}`;
}

const kindNouns: Readonly<Record<SpanKind, readonly [one: string, many: string]>> = {
  request: ['request', 'requests'],
  refused: ['refused request', 'refused requests'],
  lost: ['request without a response', 'requests without a response'],
  limit: ['wait for a slot of the rate limit', 'waits for a slot of the rate limit'],
  retry: ['pause before another attempt', 'pauses before another attempt'],
  poll: ['pause before the next poll', 'pauses before the next poll'],
  'look-up': ['pause before the next lookup', 'pauses before the next lookup'],
};
