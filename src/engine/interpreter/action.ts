/** The action of an item: one effect with its key, a wait, or a nested playbook. */
import { keyIn } from '../../exchange/api/meant-order.ts';
import { InternalError } from '../../base/error.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import { accountOf } from '../journal/account.ts';
import type { Call } from '../plan/call.ts';
import type { Item } from '../plan/items.ts';
import { inputsOfNested } from '../plan/nested.ts';
import { momentOf, spanOf } from '../../language/expression/helpers/define.ts';
import { knownValue } from '../../language/expression/known.ts';
import type { Value } from '../../language/expression/value.ts';
import type { BuiltIn, Playbook, Step } from '../../language/playbook.ts';
import { keyOf, type InterpreterContext } from './interpreter-context.ts';
import type { TaskEnd, Handle } from './durable.ts';
import { stepJob, writeJob } from './jobs.ts';
import { preparedCall } from './prepared-call.ts';
import { serialize } from './serialized.ts';
import { ended, type Routine } from './routine.ts';
import { approval } from './approve-step.ts';

/**
 * Executes the action of an item.
 * @throws EvaluationError when its input cannot be evaluated: nothing was started
 */
export function* executeAction(
  step: Step,
  item: Item,
  context: InterpreterContext,
): Routine<TaskEnd> {
  const { action } = step;
  switch (action.kind) {
    case 'built-in':
      return yield* builtIn(action.name, step, item, context);
    case 'playbook':
      return yield* ended(beginPlaybook(action.playbook, step, item, context));
    case 'call':
      return yield* ended(beginCall(step, action.operation, item, context));
    case 'none':
      throw new InternalError(`${step.path} was not validated`);
  }
}

function beginCall(
  step: Step,
  operation: OperationName,
  item: Item,
  context: InterpreterContext,
): Handle {
  const { durable, naming, playbook } = context;
  const key = keyOf(item.address, context);
  const account = naming.destination.profile;
  const { effect } = operationOf(operation);
  if (effect === 'read') {
    const name = step.write === undefined ? 'exchange/read' : 'exchange/export';
    return durable.start(key, name, stepJob(step, item, playbook, account));
  }
  const call = preparedCall(step, operation, item, naming);
  const taken = takenBy(call, context);
  const isOver = context.decided !== undefined;
  return durable.start(key, `exchange/${effect}`, writeJob(step, call, account, { taken, isOver }));
}

/** Claims the clientOid of an order. @returns the action that already has it, if any */
function takenBy(
  { address, operation, input }: Call,
  { names, naming }: InterpreterContext,
): string | undefined {
  const own = keyIn(operation, input);
  if (own === undefined) return undefined;
  const name = `${accountOf(naming.destination)} ${own}`;
  const other = names.get(name);
  if (other === undefined) names.set(name, address);
  return other;
}

function beginPlaybook(
  used: Playbook,
  step: Step,
  item: Item,
  context: InterpreterContext,
): Handle {
  const { durable, naming, decided } = context;
  const inputs = inputsOfNested(used, step, item);
  if (decided !== undefined) context.closed.set(item.address, decided);
  const account = naming.destination.profile;
  const plan = { file: used.file, within: item.address, account };
  return durable.child(keyOf(item.address, context), plan, serialize(inputs));
}

function* builtIn(
  name: BuiltIn,
  step: Step,
  item: Item,
  context: InterpreterContext,
): Routine<TaskEnd> {
  const { durable, naming, playbook } = context;
  const key = keyOf(item.address, context);
  if (name === 'approve') return yield* approval(step, item, context);
  if (name !== 'wait') {
    const job = stepJob(step, item, playbook, naming.destination.profile);
    return yield* ended(durable.start(key, name, job));
  }
  const length = valueOf(step, item, 'for');
  if (length !== undefined) return yield* ended(durable.sleep(key, spanOf(length)));
  const until = momentOf(valueOf(step, item, 'until'));
  const now = yield* ended(durable.now(key));
  if (now.kind !== 'done') return now;
  return yield* ended(durable.sleep(key, until - Number(now.output)));
}

function valueOf(step: Step, item: Item, name: string): Value | undefined {
  const template = step.with.get(name);
  return template && knownValue(template, item.scope, name);
}
