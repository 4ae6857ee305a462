/** A read of a plan, cut down to the values that expressions use: its run evaluates with them. */
import type { Json } from '../base/json.ts';
import { list, record, text, type Schema } from '../api/schema.ts';

export interface FrozenRead {
  /** A step, or one item of it. */
  readonly address: string;
  readonly values: Json;
}

const anything: Schema<Json> = { json: {} };

export const frozenReads: Schema<readonly FrozenRead[]> = list(
  record({ address: text(), values: anything }),
  { description: 'Values read before the first write that expressions use' },
);
