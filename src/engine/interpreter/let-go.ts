/** The effects that an `approve` step lets go, as far as known before: they are shown, and bound. */
import { isJsonRecord, type Json, type JsonRecord } from '../../base/json.ts';
import { operationOf } from '../../exchange/api/operations/index.ts';
import { letGoBy, stepsBefore } from '../../language/approvals.ts';
import { evaluateTemplate, wireInput } from '../../language/expression/evaluate.ts';
import { isPlainMap } from '../../language/expression/helpers/define.ts';
import { isTrue } from '../../language/expression/known.ts';
import { toJson, type Scope } from '../../language/expression/value.ts';
import type { Playbook, Step } from '../../language/playbook.ts';
import type { LetGo } from '../journal/asked-schema.ts';
import { accountIn } from '../plan/account-context.ts';
import { hasEffect } from '../plan/effect.ts';
import { itemsOf, type Item } from '../plan/items.ts';
import { holdsSecrets } from '../plan/local.ts';
import { inputsOfNested, under } from '../plan/nested.ts';
import { executedItems } from '../plan/reused-item.ts';
import { withOwnValues, withStepValue } from '../plan/scope.ts';
import { unknownStep } from '../plan/step-value.ts';
import { contextFor, type InterpreterContext } from './interpreter-context.ts';
import { failureOf } from './outcome.ts';

/** Everything that an approval lets go, in the order of the playbook. */
export function letGoAfter(
  step: Step,
  scope: Scope,
  context: InterpreterContext,
): readonly LetGo[] {
  const { playbook } = context;
  const bound = new Set(letGoBy(step.id, playbook));
  // A step beside it may or may not have ended: its value is unknown, so that a resume shows the same.
  const before = stepsBefore(step.id, playbook.steps);
  const reused = reusedIn(context); // what an earlier run did is not sent
  const known = new Set([...before, ...reused.keys()]);
  const isShown = (each: Step): boolean => bound.has(each) && !reused.has(each.id);
  return effectsIn(playbook, isShown, onlyAfter(scope, known), context);
}

/** The steps of a playbook that an earlier run did: only those of the run's own. */
export function reusedIn({ reused, within }: Pick<InterpreterContext, 'reused' | 'within'>) {
  return within === '' ? reused : none;
}

const none: InterpreterContext['reused'] = new Map();

/** The effects of a step, as far as a scope decides them. */
export function effectsOf(step: Step, scope: Scope, context: InterpreterContext): readonly LetGo[] {
  if (!hasEffect(step)) return [];
  const whole = (after: string): readonly LetGo[] => [
    { address: step.path, uses: step.uses, after },
  ];
  try {
    const found = itemsOf(step, scope, context.playbook.itemsMax);
    if ('after' in found) return isNever(step, scope) ? [] : whole(found.after);
    const items = executedItems(step, found.items, context.reusedItems);
    return items.flatMap((item) => effectsOfItem(step, item, context));
  } catch (error) {
    failureOf(error); // the step fails later because of it
    return whole(step.path);
  }
}

/** The scope with the values of some steps only. */
function onlyAfter(scope: Scope, ids: ReadonlySet<string>): Scope {
  const { steps } = scope;
  const known = isPlainMap(steps) ? Object.entries(steps).filter(([id]) => ids.has(id)) : [];
  return { ...scope, steps: Object.fromEntries(known) };
}

/** The effects of the chosen steps of a playbook; values of steps that have not ended are unknown. */
function effectsIn(
  playbook: Playbook,
  isChosen: (step: Step) => boolean,
  start: Scope,
  context: InterpreterContext,
): readonly LetGo[] {
  const effects: LetGo[] = [];
  let scope = withOwnValues(start);
  for (const step of playbook.steps) {
    if (isPlainMap(scope.steps) && Object.hasOwn(scope.steps, step.id)) continue;
    if (isChosen(step)) effects.push(...effectsOf(step, scope, context));
    scope = withStepValue(scope, step.id, unknownStep(step, step.path));
  }
  return effects;
}

function effectsOfItem(step: Step, item: Item, around: InterpreterContext): readonly LetGo[] {
  const { action, uses } = step;
  const { address } = item;
  try {
    const condition = step.condition?.evaluate(item.scope);
    if (condition?.known && isNever(step, item.scope)) return [];
    const context = contextFor(step, item, around);
    const { account } = around.accounts.size > 0 ? accountIn(step, context) : {};
    const head = {
      address,
      uses,
      ...(account !== undefined && { account }),
      ...(condition?.known === false && { after: condition.after }),
    };
    switch (action.kind) {
      case 'call': {
        if (operationOf(action.operation).effect === 'read') return [];
        // The order's own name is left out: it follows from the run and from these fields.
        const { input, unknown } = wireInput(action.operation, step.with, item.scope);
        const later = [...unknown].map(([field, after]) => [field, { 'known-after': after }]);
        return [{ ...head, input: { ...input, ...Object.fromEntries(later) } }];
      }
      case 'playbook': {
        const inputs = inputsOfNested(action.playbook, step, item);
        const playbook = under(action.playbook, address);
        const scope = { ...(item.scope.run && { run: item.scope.run }), inputs, steps: {} };
        return effectsIn(playbook, () => true, scope, { ...context, playbook, within: address });
      }
      case 'built-in':
        return [{ ...head, input: shownInput(step, item.scope) }];
      case 'none':
        return [];
    }
  } catch (error) {
    failureOf(error); // the item fails later because of it
    return [{ address, uses, after: address }];
  }
}

/** The fields of a notice or a program, without secrets. */
function shownInput(step: Step, scope: Scope): Json {
  const shown = [...step.with].filter(([name]) => !holdsSecrets.has(name));
  return Object.fromEntries(
    shown.map(([name, template]) => {
      const found = evaluateTemplate(template, scope);
      return [name, found.known ? toJson(found.value) : { 'known-after': found.after }];
    }),
  );
}

/** Whether a condition is known and false; one that fails is left to the run. */
function isNever({ condition }: Step, scope: Scope): boolean {
  if (condition === undefined) return false;
  return condition.evaluate(scope).known && !isTrue(condition, scope);
}

/** A difference between what was approved and what would be sent, in words; undefined if there is none. */
export function differenceFrom(
  approved: readonly LetGo[],
  now: readonly LetGo[],
  step: Step,
): string | undefined {
  const isLeftToRun = ({ address, input }: LetGo): boolean =>
    address === step.path && input === undefined;
  if (approved.some(isLeftToRun)) return undefined;
  const shown = new Map(approved.map((effect) => [effect.address, effect]));
  for (const effect of now) {
    const was = shown.get(effect.address);
    if (was === undefined) return `${effect.address} was not part of it`;
    const field = was.input === undefined ? undefined : otherField(was, effect);
    if (field !== undefined) return `${effect.address}: ${field}`;
  }
  return undefined;
}

function otherField(was: LetGo, is: LetGo): string | undefined {
  if (was.uses !== is.uses) return `was ${was.uses} and is ${is.uses}`;
  if (was.account !== is.account) return 'would go to another account';
  const [before, now] = [fieldsOf(was.input), fieldsOf(is.input)];
  for (const field of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const value = before[field];
    if (value !== undefined && isLater(value)) continue;
    const [then, there] = [textOf(value), textOf(now[field])];
    if (then !== there) return `${field} was ${then} and is ${there}`;
  }
  return undefined;
}

function fieldsOf(input: Json | undefined): JsonRecord {
  return input !== undefined && isJsonRecord(input) ? input : {};
}

function isLater(value: Json): boolean {
  return value !== null && typeof value === 'object' && Object.hasOwn(value, 'known-after');
}

function textOf(value: Json | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
