/** One item of a step: its condition, its action, its expectations, its outputs. */
import { exits } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import { decidedAt } from '../plan/decided.ts';
import type { Item } from '../plan/items.ts';
import { reusedItem } from '../plan/reused-item.ts';
import { evaluateTemplate } from '../../language/expression/evaluate.ts';
import { isTrue } from '../../language/expression/known.ts';
import { toJson, type Scope, type Value } from '../../language/expression/value.ts';
import type { Step } from '../../language/playbook.ts';
import { writtenFile } from '../../language/written-file.ts';
import { executeAction } from './action.ts';
import { contextFor, type InterpreterContext } from './interpreter-context.ts';
import {
  abandonedIn,
  failureFrom,
  failureOf,
  skippedItem,
  type Failure,
  type ItemResult,
} from './outcome.ts';
import type { Routine } from './routine.ts';
import { filesIn } from '../plan/written-files.ts';

/** @returns undefined for an unstarted item of a step that has ended */
export function* executeItem(
  step: Step,
  item: Item,
  around: InterpreterContext,
): Routine<ItemResult | undefined> {
  const named = {
    ...(item.key !== undefined && { key: item.key }),
    ...(item.isByPlace && { item }),
  };
  try {
    const reused = reusedItem(step, item, around.reusedItems);
    if (reused !== undefined) {
      const context = contextFor(step, item, around);
      return { ...named, ...conclude(step, item, reused.response, context) };
    }
    if (step.condition !== undefined && !isTrue(step.condition, item.scope)) {
      return { ...skippedItem('its condition is false'), ...named };
    }
    const decided =
      around.decided === undefined ? undefined : decidedAt(step, item.address, around.decisions);
    if (decided?.kind === 'never') return undefined;
    const context = contextFor(step, item, around);
    const end =
      decided?.kind === 'ended' ? decided.outcome : yield* executeAction(step, item, context);
    switch (end.kind) {
      case 'interrupted':
        return { ...skippedItem('interrupted', item.key), status: 'interrupted' };
      case 'done':
        return { ...named, ...conclude(step, item, end.output, context) };
      default: {
        const failure = failureFrom(step.path, item.address, end);
        const abandoned = abandonedIn(end);
        return {
          ...named,
          status: end.kind,
          response: null,
          outputs: null,
          ...(failure && { failure }),
          ...(abandoned && { because: abandoned.because, abandoned }),
        };
      }
    }
  } catch (error) {
    const failure = failureFrom(step.path, item.address, failureOf(error));
    if (failure === undefined) throw error;
    return { ...named, status: failure.status, response: null, outputs: null, failure };
  }
}

/** Expectations and outputs, over a recorded response. */
function conclude(
  step: Step,
  item: Item,
  response: Json,
  context: InterpreterContext,
): Omit<ItemResult, 'key'> {
  const written = writtenFile(step) && filesIn(response);
  const rows = written?.rows;
  const scope: Scope = { ...item.scope, response, ...(rows !== undefined && { rows }) };
  const unmet = checkExpectations(step, item, scope, context);
  const outputs = step.outputs === undefined ? response : outputsOf(step.outputs, scope);
  return {
    status: unmet ? 'failed' : 'done',
    response,
    outputs,
    ...written,
    ...(unmet && { failure: unmet }),
  };
}

function checkExpectations(
  step: Step,
  { address }: Item,
  scope: Scope,
  context: InterpreterContext,
): Failure | undefined {
  let failure: Failure | undefined;
  for (const { that, message, level, at } of step.expect) {
    if (isTrue(that, scope)) continue;
    const text = message ? textOf(evaluateTemplate(message, scope)) : `${that.text} is false`;
    const { line } = at.start;
    context.durable.emit({ kind: 'unmet', address, level, message: text, line });
    if (level === 'warn') continue;
    failure ??= {
      step: step.path,
      address,
      status: 'failed',
      code: 'expectation',
      message: text,
      exit: exits.stopped,
    };
  }
  return failure;
}

function outputsOf(
  outputs: ReadonlyMap<string, Parameters<typeof evaluateTemplate>[0]>,
  scope: Scope,
): Json {
  return Object.fromEntries(
    [...outputs].map(([name, template]) => {
      const found = evaluateTemplate(template, scope);
      return [name, found.known ? toJson(found.value) : { 'known-after': found.after }];
    }),
  );
}

function textOf(found: { known: true; value: Value } | { known: false; after: string }): string {
  if (!found.known) return `known after ${found.after}`;
  const json = toJson(found.value);
  return typeof json === 'string' ? json : JSON.stringify(json);
}
