/** Steps of a plan, and their actions. */
import { Unknown, type Scope, type Value } from '../../language/expression/value.ts';
import { touchesState } from '../../language/account-state.ts';
import type { Playbook, Step } from '../../language/playbook.ts';
import { accountIn, accountOf, contextFor, openAccountsOf } from './account-context.ts';
import { conditionOf, knownAfter } from './condition.ts';
import {
  decidedAt,
  decidedIn,
  decidedWords,
  isOver,
  remainingOf,
  wasBegun,
  type Decided,
} from './decided.ts';
import type { PlannedItem, PlanContext } from './plan-context.ts';
import { effectOf, hasEffect } from './effect.ts';
import { fileOf, placeName } from './step-files.ts';
import { itemsOf, refuseFleeting, type Item } from './items.ts';
import { localInput } from './local.ts';
import { nestedIn, withinOf } from './nested.ts';
import { isNever, laterInput, planLocal, sentOnFailure } from './outside.ts';
import type { PlannedAction, PlannedStep } from './plan.ts';
import { planCall } from './plan-call.ts';
import { noteLater, recordedAt } from './read.ts';
import { plannedReusedItem, refuseLostItems, reusedItem } from './reused-item.ts';
import { plannedReuse } from './reused-step.ts';
import { withLaterFailure, withStepValue } from './scope.ts';
import { outputsIn, unknownStep, valueOf } from './step-value.ts';
import { takesPlace } from './takes-place.ts';
import { noteOrders } from './unknown-orders.ts';
import { usesFor } from './uses.ts';

/**
 * Plans a playbook: its steps, then the writes at its end. Reports and notifications at the end
 * change no account and are not listed.
 */
export async function planPlaybook(
  playbook: Playbook,
  start: Scope,
  around: PlanContext,
): Promise<{ readonly planned: readonly PlannedStep[]; readonly scope: Scope }> {
  const { steps, onFailure, finally: last } = playbook;
  const context = { ...around, uses: usesFor(playbook, around.usesByPlaybook) };
  const { decisions } = context;
  const remaining = remainingOf(playbook, decisions, context.over);
  const benchOf =
    (list: 'steps' | 'asides', siblings: readonly Step[]) =>
    (step: Step): PlanContext | undefined => {
      if (isOver(list, remaining) && !wasBegun(step, decisions)) return undefined;
      const decided = decidedIn(step, siblings, list, { remaining, decisions });
      return decided === undefined ? context : { ...context, decided };
    };
  const { planned, scope } = await planSteps(steps, start, benchOf('steps', steps));
  const ending = await planSteps(last.filter(hasEffect), scope, benchOf('asides', last));
  const failed = withLaterFailure(scope);
  const instead = onFailure.filter(hasEffect).map((step) => insteadOf(step, failed, context));
  for (const step of onFailure) await seeAside(step, failed, context);
  for (const step of last) await seeAside(step, scope, context);
  context.trace?.outputs(playbook, scope);
  return { planned: [...planned, ...instead, ...ending.planned], scope };
}

/** Notes the values that a step after the others evaluates, and opens the accounts that it may use. */
async function seeAside(step: Step, scope: Scope, context: PlanContext): Promise<void> {
  context.trace?.step(step, scope);
  if (!isNever(step, scope)) await openAccountsOf(step, scope, context);
}

/** Plans a step of `on-failure`. */
function insteadOf(step: Step, scope: Scope, context: PlanContext): PlannedStep {
  const change = { kind: 'skip', because: 'runs only if the run stops' } as const;
  const sent = sentOnFailure(step, scope, context);
  if (!isNever(step, scope)) noteOrders(step, { address: step.path, scope }, context);
  const account = accountOf(step, scope, context);
  return { ...headOf(step, scope), actions: [{ address: step.path, ...sent, change, ...account }] };
}

/**
 * Plans steps in order; each uses the known results of earlier ones.
 * @param benchOf the context of a step; undefined for a step that is not started anymore
 */
async function planSteps(
  steps: readonly Step[],
  scope: Scope,
  benchOf: (step: Step) => PlanContext | undefined,
): Promise<{ readonly planned: readonly PlannedStep[]; readonly scope: Scope }> {
  const planned: PlannedStep[] = [];
  let seen = scope;
  for (const step of steps) {
    const context = benchOf(step);
    const { planned: own, value } = context
      ? await tryStep(step, seen, context)
      : { planned: [leftOut(step, seen)], value: unknownStep(step, step.path) };
    planned.push(...own);
    seen = withStepValue(seen, step.id, value);
  }
  return { planned, scope: seen };
}

/** Plans a step that the run already skipped. */
function leftOut(step: Step, scope: Scope): PlannedStep {
  const change = { kind: 'skip', because: decidedWords } as const;
  return { ...headOf(step, scope), actions: [{ address: step.path, input: {}, change }] };
}

/** The plan of one step, and the step's value. */
interface Planned {
  readonly planned: readonly PlannedStep[];
  readonly value: Value;
}

/** A step that cannot be planned is reported, and counts as unknown. */
async function tryStep(step: Step, scope: Scope, context: PlanContext): Promise<Planned> {
  const reused = context.reused?.get(step.path);
  if (reused !== undefined) return plannedReuse(step, reused, headOf(step, scope));
  try {
    return await planStep(step, scope, context);
  } catch (error) {
    context.problems.failed(step, step.path, error);
    return { planned: [], value: unknownStep(step, step.path) };
  }
}

/** A step; the steps of a nested playbook follow it. */
async function planStep(step: Step, scope: Scope, context: PlanContext): Promise<Planned> {
  const head = headOf(step, scope);
  const whole = conditionOf(step, scope, 'step');
  if (whole !== true) {
    context.trace?.step(step, scope);
    const { change, after } = whole;
    if (after !== undefined) await leaveToRun(step, scope, context, after);
    const input = after === undefined ? {} : laterInput(step, scope, context);
    const account = accountOf(step, scope, context);
    const action = { address: step.path, input, change, ...knownAfter(after), ...account };
    return { planned: [{ ...head, actions: [action] }], value: unknownStep(step, step.path) };
  }
  const found = itemsOf(step, scope, context.items.max);
  if ('after' in found) {
    context.trace?.step(step, scope);
    await leaveToRun(step, scope, context, found.after);
    const action = {
      address: step.path,
      input: laterInput(step, scope, context),
      change: { kind: 'later' as const },
      ...knownAfter(found.after),
      ...accountOf(step, scope, context),
    };
    return { planned: [{ ...head, actions: [action] }], value: unknownStep(step, step.path) };
  }
  context.items.add(step, found.items.length);
  refuseFleeting(step, found.items, context.naming);
  refuseLostItems(step, found.items, context.reusedItems, context.own.naming.destination.profile);
  const planned: PlannedItem[] = [];
  for (const item of found.items) planned.push(await tryItem(step, item, context));
  if (planned.some(({ action }) => takesPlace(step, action))) context.pending.push(step.path);
  return {
    planned: [
      { ...head, actions: planned.map(({ action }) => action) },
      ...planned.flatMap(({ steps = [] }) => steps),
    ],
    value: valueOf(step, found.items, planned, context),
  };
}

/** A step whose effect is known only during the run. */
async function leaveToRun(
  step: Step,
  scope: Scope,
  context: PlanContext,
  after: string,
): Promise<void> {
  noteOrders(step, { address: step.path, scope }, context, after);
  context.pending.push(step.path);
  if (touchesState(step.action)) context.states.leave(step.path);
  await openAccountsOf(step, scope, context);
  if (step.action.kind === 'call') noteLater(step, step.path, context);
}

function headOf(step: Step, scope: Scope): Omit<PlannedStep, 'actions'> {
  const { path: id, uses, name } = step;
  return {
    id,
    uses,
    effect: effectOf(step),
    ...(name !== undefined && { name }),
    ...fileOf(step, scope),
  };
}

/** An item that cannot be planned is reported; the others are planned anyway. */
async function tryItem(step: Step, item: Item, context: PlanContext): Promise<PlannedItem> {
  try {
    const planned = await planItem(step, item, context);
    context.trace?.item(step, item.address, { ...item.scope, response: planned.response });
    return planned;
  } catch (error) {
    const { address } = item;
    context.problems.failed(step, address, error);
    const action = { address, input: {}, change: { kind: 'later' as const }, ...keyOf(item) };
    return { action, response: new Unknown(address) };
  }
}

async function planItem(step: Step, item: Item, around: PlanContext): Promise<PlannedItem> {
  const context = await contextFor(step, item, around);
  const found = await planItemOn(step, item, context);
  return { ...found, action: { ...found.action, ...keyOf(item), ...accountIn(step, context) } };
}

/** Plans an item on its account. @param context the context of that account */
async function planItemOn(step: Step, item: Item, context: PlanContext): Promise<PlannedItem> {
  const { address } = item;
  const reused = reusedItem(step, item, context.reusedItems);
  if (reused !== undefined) return plannedReusedItem(step, item, reused);
  const condition = conditionOf(step, item.scope, 'item');
  if (condition !== true) {
    const { change, after } = condition;
    if (after !== undefined) noteOrders(step, item, context, after);
    if (change.kind === 'later' && touchesState(step.action)) context.states.leave(address);
    const action = { address, input: {}, change, ...knownAfter(after) };
    return { action, response: new Unknown(address) };
  }
  if (context.decided !== undefined) {
    const decided = decidedAt(step, address, context.decisions);
    if (decided.kind !== 'known') return overItem(item, decided);
  }
  if (step.action.kind === 'playbook') {
    const { steps, response } = await planNested(step.action.playbook, step, item, context);
    const input = localInput(step, item, context);
    return { action: { address, input, change: local }, steps, response };
  }
  const file = fileOfItem(step, item, context);
  const { action } = step;
  const found =
    action.kind === 'call'
      ? await planCall(step, action.operation, item, context)
      : planLocal(step, item, context);
  return { ...found, action: { ...found.action, ...file } };
}

/** The file of the rows of an item; every file of the plan is checked. */
function fileOfItem(
  step: Step,
  item: Item,
  { files, problems, naming }: PlanContext,
): Pick<PlannedAction, 'file'> {
  if (naming.began !== undefined) return fileShown(step, item, placeName(step, item.scope, '*'));
  return fileShown(step, item, files.add(step, item, problems));
}

/**
 * The file of an item; none for a step without items, which shows it itself, nor for a document, whose
 * input shows it.
 */
function fileShown(
  { write }: Step,
  { key }: Item,
  file: string | undefined,
): Pick<PlannedAction, 'file'> {
  return write === undefined || key === undefined || file === undefined ? {} : { file };
}

const local = { kind: 'local' } as const;

/** An item that an earlier attempt ended as failed, or never reached. */
function overItem(item: Item, decided: Exclude<Decided, { readonly kind: 'known' }>): PlannedItem {
  const ended = decided.kind === 'ended' ? decided.outcome : undefined;
  const why = ended && 'message' in ended ? `${ended.message}; ` : '';
  const change = { kind: 'skip' as const, because: `${why}${decidedWords}` };
  return { action: { address: item.address, input: {}, change }, response: null, isOver: true };
}

async function planNested(
  used: Playbook,
  step: Step,
  item: Item,
  context: PlanContext,
): Promise<{ readonly steps: readonly PlannedStep[]; readonly response: Value }> {
  const { playbook, scope, rules } = nestedIn(used, step, item);
  context.limits.open({ kind: 'playbook', within: item.address }, rules);
  const { planned, scope: end } = await planPlaybook(playbook, scope, withinOf(step, context));
  const recorded = recordedAt(item.address, context);
  return { steps: planned, response: recorded === undefined ? outputsIn(playbook, end) : recorded };
}

function keyOf(item: Item): { readonly key?: string } {
  return item.key === undefined ? {} : { key: item.key };
}
