/** The value of a planned step for later steps. */
import { evaluateTemplate } from '../playbook/expression/evaluate.ts';
import { toJson, Unknown, type Scope, type Value } from '../playbook/expression/value.ts';
import type { Step, Template } from '../playbook/playbook.ts';
import type { PlannedItem } from './context.ts';
import type { Item } from './items.ts';

/** The unknown value of a step. */
export function unknownStep(step: Step, after: string): Value {
  const unknown = new Unknown(after);
  const outputs =
    step.outputs && step.forEach === undefined
      ? Object.fromEntries([...step.outputs.keys()].map((name) => [name, unknown]))
      : unknown;
  return { outputs, response: unknown, file: unknown, rows: unknown };
}

export function valueOf(
  step: Step,
  items: readonly Item[],
  planned: readonly PlannedItem[],
): Value {
  const [first] = planned;
  if (first?.isOver && items.length === 1 && items[0]?.key === undefined) {
    return { outputs: null, response: null };
  }
  const values = items.flatMap((item, index) => {
    const { response = new Unknown(item.address), isOver = false } = planned[index] ?? {};
    return isOver ? [] : [{ key: item.key, response, outputs: outputsOf(step, item, response) }];
  });
  const [only] = values;
  if (items.length === 1 && only !== undefined && only.key === undefined) {
    const unknown = new Unknown(step.path);
    const file = fileOf(step, items[0]?.scope ?? {}).file ?? unknown;
    return { outputs: only.outputs, response: only.response, file, rows: unknown };
  }
  return {
    outputs: Object.fromEntries(values.map(({ key, outputs }) => [key ?? '', outputs])),
    response: Object.fromEntries(values.map(({ key, response }) => [key ?? '', response])),
  };
}

/** Outputs over a response that may be unknown: each is known or waits separately. */
function outputsOf(step: Step, item: Item, response: Value): Value {
  if (step.outputs === undefined) return response;
  return outputsIn(step.outputs, { ...item.scope, response });
}

export function outputsIn(outputs: ReadonlyMap<string, Template>, scope: Scope): Value {
  return Object.fromEntries(
    [...outputs].map(([name, template]) => {
      const found = evaluateTemplate(template, scope);
      return [name, found.known ? found.value : new Unknown(found.after)];
    }),
  );
}

/** The file of a step, if its name is known. */
export function fileOf(step: Step, scope: Scope): { readonly file?: string } {
  if (step.write === undefined) return {};
  const found = evaluateTemplate(step.write.file, scope);
  const file = found.known ? toJson(found.value) : undefined;
  return typeof file === 'string' ? { file } : {};
}
