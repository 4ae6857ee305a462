/** Orders whose value only the run knows: why, which step makes it known, and which limits bound it. */
import { list, optional, record, text, truth, type Infer } from '../../exchange/api/schema.ts';
import type { Address } from '../journal/entry.ts';

const unknownOrder = record({
  address: text({ description: 'The order, or the step that may place several' }),
  account: optional(text({ description: 'Profile of its account, in a plan with several' })),
  isSeveral: truth,
  because: text({ description: 'Why its value is not known' }),
  advice: optional(text({ description: 'What makes it known: move prices above leverage' })),
  bounds: list(record({ guard: text(), limit: text() }), {
    description: 'Guards on its value',
  }),
  isBounded: truth,
});

export const unknownOrders = list(unknownOrder, {
  description: 'Orders whose value is known only during the run',
});

export type UnknownOrder = Infer<typeof unknownOrder>;

/** An order with an unknown value, noted while its step is planned. */
export interface NotedOrder {
  readonly address: Address;
  /** The profiles on which the order may be placed; undefined for a profile that only the run knows. */
  readonly profiles: readonly (string | undefined)[];
  readonly isSeveral: boolean;
  readonly because: string;
  /** The action whose response determines the order's value. */
  readonly after: string | undefined;
}

/** A read that only the run makes. */
export interface DeferredRead {
  readonly path: string;
  /** The step before the read: its response is used, or it comes first. */
  readonly after: string;
  readonly usesIt: boolean;
  /** The first step of the plan that changes something or takes time. */
  readonly first: string;
}
