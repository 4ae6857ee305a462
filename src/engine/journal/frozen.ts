/** A read of a plan, reduced to the values that expressions use: its run evaluates with them. */
import { anything, list, record, text, type Infer } from '../../exchange/api/schema.ts';

const frozenRead = record({
  /** The address of a step, or of one item of a step. */
  address: text(),
  values: anything,
});

export const frozenReads = list(frozenRead, {
  description: 'Values read before the first write that expressions use',
});

export type FrozenRead = Infer<typeof frozenRead>;
