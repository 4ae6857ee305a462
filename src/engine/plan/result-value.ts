/** The value of `steps.<id>`, from the results of the step's items. */
import { isJsonRecord, type Json } from '../../base/json.ts';
import type { Value } from '../../language/expression/value.ts';
import { failedField } from '../../language/partial.ts';
import type { Step } from '../../language/playbook.ts';
import { countsRows, writtenFile } from '../../language/written-file.ts';
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
    const { outputs, response } = first;
    const rows = rowsOf(first, step);
    return { outputs, response, ...fileValues(first), ...(rows !== undefined && { rows }) };
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
    ...(countsRows(step) &&
      (isFile || step.write === undefined) && { rows: byKey((item) => rowsOf(item, step) ?? 0) }),
    ...(isFile && step.write && { manifest: byKey(({ manifest = null }) => manifest) }),
  };
}

/** The number of rows of an item: of its file, or of a table that the run keeps. */
function rowsOf({ rows, response }: ItemResult, step: Step): number | undefined {
  if (rows !== undefined || !countsRows(step) || !isJsonRecord(response)) return rows;
  const kept = response['rows'];
  return Array.isArray(kept) ? kept.length : undefined;
}
