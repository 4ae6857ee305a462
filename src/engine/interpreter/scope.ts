/** The names that completed or failed steps add to the scope of later ones. */
import type { Json } from '../../base/json.ts';
import { withStepValue } from '../plan/scope.ts';
import type { Scope, Value } from '../../language/expression/value.ts';
import { failedField } from '../../language/partial.ts';
import type { Step } from '../../language/playbook.ts';
import { writtenFile } from '../../language/written-file.ts';
import type { StepResult } from './outcome.ts';
import { fileValues } from './written-files.ts';

/** The scope after a step: `steps.<id>` has its outputs, its response, and its file. */
export function withStep(scope: Scope, step: Step, result: StepResult): Scope {
  return withStepValue(scope, step.id, stepValue(result, step));
}

/** The scope with `failure`, for `on-failure`. */
export function withFailure(
  scope: Scope,
  failure: { readonly step: string; readonly code: string; readonly message: string },
): Scope {
  const { step, code, message } = failure;
  return { ...scope, failure: { step, code, message } };
}

function stepValue({ status, items, failed }: StepResult, step: Step): Value {
  const [first] = items;
  if (items.length === 1 && first !== undefined && first.key === undefined) {
    return { outputs: first.outputs, response: first.response, ...fileValues(first) };
  }
  const done = items.filter((item) => item.status === 'done');
  const byKey = (pick: (item: StepResult['items'][number]) => Json): Value =>
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
