/** The value of a planned step for later steps. */
import { evaluateTemplate } from '../../language/expression/evaluate.ts';
import {
  EvaluationError,
  Unknown,
  type Scope,
  type Value,
} from '../../language/expression/value.ts';
import type { Playbook, Step, Template } from '../../language/playbook.ts';
import { failedField, isPartial } from '../../language/partial.ts';
import { countsRows, writtenFile } from '../../language/written-file.ts';
import { isFailure } from '../journal/decisions.ts';
import { withItems } from './failed-items.ts';
import type { PlannedItem, PlanContext } from './plan-context.ts';
import { nameOf } from './step-files.ts';
import type { Item } from './items.ts';
import type { PlannedAction } from './plan.ts';

/** The unknown value of a step. */
export function unknownStep(step: Step, after: string): Value {
  const unknown = new Unknown(after);
  const outputs =
    step.outputs && step.forEach === undefined
      ? Object.fromEntries([...step.outputs.keys()].map((name) => [name, unknown]))
      : unknown;
  const failed = isPartial(step) && { [failedField]: unknown };
  const files = { file: unknown, files: unknown, rows: unknown, manifest: unknown };
  return { outputs, response: unknown, ...failed, ...files };
}

export function valueOf(
  step: Step,
  items: readonly Item[],
  planned: readonly PlannedItem[],
  context: Pick<PlanContext, 'decided' | 'decisions'>,
): Value {
  const [first] = planned;
  if (first?.isOver && items.length === 1 && items[0]?.key === undefined) {
    return { outputs: null, response: null };
  }
  // The run leaves out the items of which the read fails again.
  if (planned.some(({ action }) => isFailedRead(action))) return unknownStep(step, step.path);
  const failed = isPartial(step) && { [failedField]: failedOf(step, items, context) };
  const values = items.flatMap((item, index) => {
    const { response = new Unknown(item.address), isOver = false } = planned[index] ?? {};
    if (isOver) return [];
    const outputs = outputsOf(step, item, response);
    return [{ key: item.key, response, outputs, ...writtenBy(step, item) }];
  });
  const [only] = values;
  if (items.length === 1 && only !== undefined && only.key === undefined) {
    const { key: _none, ...value } = only;
    return value;
  }
  const byKey = (pick: (value: (typeof values)[number]) => Value): Value =>
    Object.fromEntries(values.map((value) => [value.key ?? '', pick(value)]));
  return {
    outputs: byKey(({ outputs }) => outputs),
    response: byKey(({ response }) => response),
    ...failed,
    ...(writtenFile(step) && {
      file: byKey(({ file }) => file),
      files: new Unknown(step.path), // of an item that is skipped there is none
    }),
    ...(countsRows(step) && { rows: byKey(({ rows }) => rows) }),
    ...(step.write && { manifest: byKey(({ manifest }) => manifest) }),
  };
}

/** The items without a result: only the run knows which fail, unless an earlier attempt decided it. */
function failedOf(
  { path }: Step,
  items: readonly Item[],
  { decided, decisions }: Pick<PlanContext, 'decided' | 'decisions'>,
): Value {
  const ended = decided === undefined ? undefined : decisions.step(path).closed.findLast(isFailure);
  const recorded = ended?.failed;
  return recorded === undefined ? new Unknown(path) : withItems(recorded, items);
}

function isFailedRead({ change }: PlannedAction): boolean {
  return change.kind === 'read' && change.failed !== undefined;
}

interface PlannedFile {
  readonly file: Value;
  readonly files: Value;
  readonly rows: Value;
  readonly manifest: Value;
}

/** The file that a step writes, as far as known: only the run counts the rows. */
function writtenBy(step: Step, { scope }: Item): PlannedFile {
  const unknown = new Unknown(step.path);
  const file = nameOf(step, scope);
  if (file === undefined)
    return { file: unknown, files: unknown, rows: unknown, manifest: unknown };
  return { file, files: [file], rows: unknown, manifest: unknown };
}

/** Outputs over a response that may be unknown: each is known or waits separately. */
function outputsOf(step: Step, item: Item, response: Value): Value {
  if (step.outputs === undefined) return response;
  const scope = { ...item.scope, response };
  return Object.fromEntries(
    [...step.outputs].map(([name, template]) => [name, valueIn(template, scope)]),
  );
}

/** The outputs of a playbook; one that cannot be evaluated is null, for example after a skipped step. */
export function outputsIn({ outputs }: Playbook, scope: Scope): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    [...outputs].map(([name, template]) => [name, valueOrNull(template, scope)]),
  );
}

function valueOrNull(template: Template, scope: Scope): Value {
  try {
    return valueIn(template, scope);
  } catch (error) {
    if (error instanceof EvaluationError) return null;
    throw error;
  }
}

function valueIn(template: Template, scope: Scope): Value {
  const found = evaluateTemplate(template, scope);
  return found.known ? found.value : new Unknown(found.after);
}
