/** The value of `steps.<id>`, from the results of the step's items. */
import type { Json } from '../../base/json.ts';
import type { Value } from '../../language/expression/value.ts';
import { failedField } from '../../language/partial.ts';
import type { Step } from '../../language/playbook.ts';
import { writtenFile } from '../../language/written-file.ts';
import type { StepStatus } from '../journal/entry.ts';
import type { FailedMember } from './failed-items.ts';
import { fileValues, type WrittenFiles } from './written-files.ts';

/** The result of an item, as far as expressions see it. */
export interface ItemResult extends Partial<WrittenFiles> {
  readonly key?: string;
  readonly status: StepStatus;
  readonly response: Json;
  readonly outputs: Json;
  readonly failure?: object;
}

interface Results {
  readonly status: StepStatus;
  readonly items: readonly ItemResult[];
  readonly failed?: readonly FailedMember[];
}

export function valueOfResults({ status, items, failed }: Results, step: Step): Value {
  const [first] = items;
  if (items.length === 1 && first !== undefined && first.key === undefined) {
    return { outputs: first.outputs, response: first.response, ...fileValues(first) };
  }
  const done = items.filter((item) => item.status === 'done');
  const byKey = (pick: (item: ItemResult) => Json): Value =>
    Object.fromEntries(done.map((item) => [item.key ?? '', pick(item)]));
  // A resumed run cannot tell items that failed from those that max-failures kept from starting.
  const named = step.maxFailures === undefined ? items : items.filter(({ failure }) => !failure);
  const isWriting = writtenFile(step) !== undefined;
  const hasNone = isWriting && status === 'done' && items.length === 0;
  const isFile = hasNone || items.some(({ file }) => file !== undefined);
  return {
    outputs: byKey(({ outputs }) => outputs),
    response: byKey(({ response }) => response),
    keys: named.map(({ key = '' }) => key),
    ...(failed && { [failedField]: failed }),
    ...(isFile && {
      file: byKey(({ file = '' }) => file),
      files: done.flatMap(({ files = [] }) => files),
    }),
    ...(isFile &&
      step.write && {
        rows: byKey(({ rows = 0 }) => rows),
        manifest: byKey(({ manifest = null }) => manifest),
      }),
  };
}
