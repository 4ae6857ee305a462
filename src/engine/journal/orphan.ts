/** An open order of an earlier run that its playbook no longer has. */
import { list, optional, record, text, type Infer } from '../../exchange/api/schema.ts';

const orphan = record({
  /** The run that placed the order; `address` is its action there. */
  run: text(),
  address: text(),
  account: optional(text({ description: 'Profile of its account, in a run with several' })),
  orderId: text(),
  clientOid: text(),
  symbol: text(),
  side: text(),
  size: text(),
  price: text(),
});

export const orphans = list(orphan, {
  description: 'Resting orders of earlier runs that are no longer in the playbook',
});

/** An open order that its playbook does not contain anymore. */
export type Orphan = Infer<typeof orphan>;
