/** Steps of a plan: their actions, and the values later steps may count on. */
import { evaluateTemplate } from '../playbook/expression/evaluate.ts';
import { isTrue } from '../playbook/expression/known.ts';
import { toJson, Unknown, type Scope, type Value } from '../playbook/expression/value.ts';
import type { Playbook, Step, Template } from '../playbook/playbook.ts';
import { profileOf } from './account.ts';
import type { PlannedAccount, PlannedItem, PlanningBench } from './bench.ts';
import { callOf } from './call.ts';
import { effectOf, isWriting } from './effect.ts';
import { bothBooks } from './guards.ts';
import { itemsOf, type Item } from './items.ts';
import { checkProgram, localInput } from './local.ts';
import { nestedIn } from './nested.ts';
import { observerOf } from './observe.ts';
import type { PlannedAction, PlannedStep } from './plan.ts';
import { planRead } from './read.ts';
import { withStepValue } from './scope.ts';
import { planWrite } from './write.ts';

/**
 * Plans a playbook: its steps, then what it sends when they have ended. Reports and notices of the
 * end change no account and are not told.
 */
export async function planPlaybook(
  { steps, onFailure, finally: last }: Playbook,
  start: Scope,
  bench: PlanningBench,
): Promise<{ readonly planned: readonly PlannedStep[]; readonly scope: Scope }> {
  const { planned, scope } = await planSteps(steps, start, bench);
  const ending = await planSteps(last.filter(isWriting), scope, bench);
  const instead = onFailure.filter(isWriting).map((step): PlannedStep => {
    const change = { kind: 'skip', because: 'done only when the run stops' } as const;
    return { ...headOf(step, scope), actions: [{ address: step.path, input: {}, change }] };
  });
  return { planned: [...planned, ...instead, ...ending.planned], scope };
}

/** Plans steps in their order; each sees what those before it are known to bring. */
async function planSteps(
  steps: readonly Step[],
  scope: Scope,
  bench: PlanningBench,
): Promise<{ readonly planned: readonly PlannedStep[]; readonly scope: Scope }> {
  const planned: PlannedStep[] = [];
  let seen = scope;
  for (const step of steps) {
    const { planned: own, value } = await tryStep(step, seen, bench);
    planned.push(...own);
    seen = withStepValue(seen, step.id, value);
  }
  return { planned, scope: seen };
}

/** What one step comes to. */
interface Planned {
  readonly planned: readonly PlannedStep[];
  readonly value: Value;
}

/** A step that cannot be planned is told, and taken for one nothing is known of yet. */
async function tryStep(step: Step, scope: Scope, bench: PlanningBench): Promise<Planned> {
  try {
    return await planStep(step, scope, bench);
  } catch (error) {
    bench.problems.failed(step, step.path, error);
    return { planned: [], value: unknownStep(step, step.path) };
  }
}

/** A step; one that uses a playbook is followed by that playbook's steps. */
async function planStep(step: Step, scope: Scope, bench: PlanningBench): Promise<Planned> {
  const head = headOf(step, scope);
  const whole = conditionOf(step, scope, 'step');
  if (whole !== true) {
    const action = { address: step.path, input: {}, change: whole };
    return { planned: [{ ...head, actions: [action] }], value: unknownStep(step, step.path) };
  }
  const found = itemsOf(step, scope);
  if ('after' in found) {
    bench.writes.push(step.path);
    const confidence = { kind: 'known-after' as const, step: found.after };
    const action = {
      address: step.path,
      input: {},
      change: { kind: 'later' as const },
      confidence,
    };
    return { planned: [{ ...head, actions: [action] }], value: unknownStep(step, step.path) };
  }
  const planned: PlannedItem[] = [];
  for (const item of found.items) planned.push(await tryItem(step, item, bench));
  if (
    planned.some(({ action }) => action.change.kind === 'create' || action.change.kind === 'set')
  ) {
    bench.writes.push(step.path);
  }
  return {
    planned: [
      { ...head, actions: planned.map(({ action }) => action) },
      ...planned.flatMap(({ steps = [] }) => steps),
    ],
    value: valueOf(step, found.items, planned),
  };
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

/** An item that cannot be planned is told; those beside it are looked at all the same. */
async function tryItem(step: Step, item: Item, bench: PlanningBench): Promise<PlannedItem> {
  try {
    return await planItem(step, item, bench);
  } catch (error) {
    const { address } = item;
    bench.problems.failed(step, address, error);
    const action = { address, input: {}, change: { kind: 'later' as const }, ...keyOf(item) };
    return { action, response: new Unknown(address) };
  }
}

async function planItem(step: Step, item: Item, around: PlanningBench): Promise<PlannedItem> {
  const { address } = item;
  const bench = await benchFor(step, item, around);
  const condition = conditionOf(step, item.scope, 'item');
  if (condition !== true) {
    return {
      action: { address, input: {}, change: condition, ...keyOf(item) },
      response: new Unknown(address),
    };
  }
  if (step.action.kind === 'playbook') {
    const { steps, response } = await planNested(step.action.playbook, step, item, bench);
    const action = { address, input: localInput(step, item.scope), change: local, ...keyOf(item) };
    return { action, steps, response };
  }
  if (step.action.kind !== 'call') {
    checkProgram(step, item, bench);
    return {
      action: {
        address,
        input: localInput(step, item.scope),
        change: local,
        ...keyOf(item),
      },
      response: new Unknown(address),
    };
  }
  const { operation } = step.action;
  const call = callOf(step, operation, item, bench.naming);
  const found =
    call.effect === 'read' ? await planRead(step, call, bench) : await planWrite(step, call, bench);
  return { ...found, action: { ...found.action, ...keyOf(item), ...accountIn(bench, around) } };
}

const local = { kind: 'local' } as const;

async function planNested(
  used: Playbook,
  step: Step,
  item: Item,
  bench: PlanningBench,
): Promise<{ readonly steps: readonly PlannedStep[]; readonly response: Value }> {
  const { playbook, scope, guards } = nestedIn(used, step, item, bench.guards);
  const inner = { ...bench, guards };
  const { planned, scope: end } = await planPlaybook(playbook, scope, inner);
  return { steps: planned, response: outputsIn(playbook.outputs, end) };
}

/** The bench on the account an item names; its limits count beside those of the run. */
async function benchFor(step: Step, item: Item, bench: PlanningBench): Promise<PlanningBench> {
  const profile = profileOf(step, item);
  if (profile === undefined || profile === bench.naming.destination.profile) return bench;
  const account = bench.accounts.get(profile) ?? (await openAccount(profile, bench));
  const { exchange, destination, observer, book } = account;
  const naming = { ...bench.naming, destination };
  const terms = bench.isOffline ? undefined : account.terms;
  const guards = bothBooks(bench.guards, book);
  return { ...bench, exchange, terms, naming, observer, guards, openOrders: new Map() };
}

async function openAccount(profile: string, bench: PlanningBench): Promise<PlannedAccount> {
  const account = await bench.open(profile);
  const book = bench.guards.child(account.guards, profile);
  const opened = { ...account, book, observer: observerOf(account.exchange, bench.signal) };
  bench.accounts.set(profile, opened);
  return opened;
}

function accountIn(bench: PlanningBench, around: PlanningBench): { readonly account?: string } {
  const { profile } = bench.naming.destination;
  return profile === around.naming.destination.profile ? {} : { account: profile };
}

/** True to go on; otherwise what the plan says instead. */
function conditionOf(
  step: Step,
  scope: Scope,
  level: 'step' | 'item',
): true | PlannedAction['change'] {
  const { condition } = step;
  if (condition === undefined) return true;
  const looksAtItem = condition.references.some(({ root }) => root === 'each');
  if (looksAtItem !== (level === 'item')) return true;
  if (!condition.evaluate(scope).known) return { kind: 'later' };
  return isTrue(condition, scope) || { kind: 'skip', because: 'its condition is false' };
}

function fileOf(step: Step, scope: Scope): { readonly file?: string } {
  if (step.write === undefined) return {};
  const found = evaluateTemplate(step.write.file, scope);
  const file = found.known ? toJson(found.value) : undefined;
  return typeof file === 'string' ? { file } : {};
}

function keyOf(item: Item): { readonly key?: string } {
  return item.key === undefined ? {} : { key: item.key };
}

/** The value of a step nothing is known of yet. */
function unknownStep(step: Step, after: string): Value {
  const unknown = new Unknown(after);
  const outputs =
    step.outputs && step.forEach === undefined
      ? Object.fromEntries([...step.outputs.keys()].map((name) => [name, unknown]))
      : unknown;
  return { outputs, response: unknown, file: unknown, rows: unknown };
}

function valueOf(step: Step, items: readonly Item[], planned: readonly PlannedItem[]): Value {
  const values = items.map((item, index) => {
    const response = planned[index]?.response ?? new Unknown(item.address);
    return { key: item.key, response, outputs: outputsOf(step, item, response) };
  });
  const [only] = values;
  if (values.length === 1 && only !== undefined && only.key === undefined) {
    const unknown = new Unknown(step.path);
    const file = fileOf(step, items[0]?.scope ?? {}).file ?? unknown;
    return { outputs: only.outputs, response: only.response, file, rows: unknown };
  }
  return {
    outputs: Object.fromEntries(values.map(({ key, outputs }) => [key ?? '', outputs])),
    response: Object.fromEntries(values.map(({ key, response }) => [key ?? '', response])),
  };
}

/** Outputs over an answer that may be unknown: each is known or waits by itself. */
function outputsOf(step: Step, item: Item, response: Value): Value {
  if (step.outputs === undefined) return response;
  return outputsIn(step.outputs, { ...item.scope, response });
}

function outputsIn(outputs: ReadonlyMap<string, Template>, scope: Scope): Value {
  return Object.fromEntries(
    [...outputs].map(([name, template]) => {
      const found = evaluateTemplate(template, scope);
      return [name, found.known ? found.value : new Unknown(found.after)];
    }),
  );
}
