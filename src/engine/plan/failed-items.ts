/** `steps.ID.failed`: the items of a partial step that have no result, with their values. */
import type { FailedItem } from '../journal/entry.ts';
import { isPlainMap } from '../../language/expression/helpers/define.ts';
import type { Value } from '../../language/expression/value.ts';
import type { Item } from './items.ts';

export type FailedMember = FailedItem & { readonly value: Value };

/** Adds the value of each item to the failures of a step. */
export function withItems(
  failed: readonly FailedItem[],
  items: readonly Item[],
): readonly FailedMember[] {
  const values = new Map(items.map(({ key, scope: { each } }) => [key, valueIn(each)]));
  return failed.map(({ key, code, message }) => ({
    key,
    value: values.get(key) ?? null,
    code,
    message,
  }));
}

function valueIn(each: Value | undefined): Value {
  return (isPlainMap(each) ? each['value'] : undefined) ?? null;
}
