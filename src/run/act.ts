/** What an item does: one effect begun by its key, a wait, or a playbook of its own. */
import { InternalError } from '../base/error.ts';
import { operationOf, type OperationName } from '../contract/operations/index.ts';
import { accountOf } from '../journal/account.ts';
import { callOf, type Call } from '../plan/call.ts';
import type { Item } from '../plan/items.ts';
import { inputsOfNested } from '../plan/nested.ts';
import { momentOf, spanOf } from '../playbook/expression/helpers/define.ts';
import { knownValue } from '../playbook/expression/known.ts';
import type { Value } from '../playbook/expression/value.ts';
import type { BuiltIn, Playbook, Step } from '../playbook/playbook.ts';
import { keyOf, type Desk } from './desk.ts';
import type { Ended, Handle } from './durable.ts';
import { stepJob, writeJob, type WriteJob } from './jobs.ts';
import { pack } from './packed.ts';
import { ended, type Routine } from './routine.ts';

/** @throws EvaluationError when what it needs cannot be evaluated: nothing was begun */
export function* act(step: Step, item: Item, desk: Desk): Routine<Ended> {
  const { action } = step;
  switch (action.kind) {
    case 'built-in':
      return yield* builtIn(action.name, step, item, desk);
    case 'playbook':
      return yield* ended(beginPlaybook(action.playbook, step, item, desk));
    case 'call':
      return yield* ended(beginCall(step, action.operation, item, desk));
    case 'none':
      throw new InternalError(`${step.path} was never proved`);
  }
}

function beginCall(step: Step, operation: OperationName, item: Item, desk: Desk): Handle {
  const { durable, naming, playbook } = desk;
  const key = keyOf(item.address, desk);
  const account = naming.destination.profile;
  const { effect } = operationOf(operation);
  if (effect === 'read') {
    const name = step.write === undefined ? 'exchange/read' : 'exchange/export';
    return durable.start(key, name, stepJob(step, item, playbook, account));
  }
  const call = callOf(step, operation, item, naming);
  return durable.start(
    key,
    `exchange/${effect}`,
    writeJob(step, call, account, refusals(call, desk)),
  );
}

/** What keeps a write from being sent, as far as the run itself knows. */
function refusals(call: Call, desk: Desk): Pick<WriteJob, 'held' | 'taken'> {
  const [broken, other] = [held(call, desk), takenBy(call, desk)];
  return {
    ...(broken !== undefined && { held: broken }),
    ...(other !== undefined && { taken: other }),
  };
}

/** Takes the clientOid of an order. @returns the action that has taken it before, if one has */
function takenBy(
  { address, input: { clientOid } }: Call,
  { names, naming }: Desk,
): string | undefined {
  if (typeof clientOid !== 'string') return undefined;
  const name = `${accountOf(naming.destination)} ${clientOid}`;
  const other = names.get(name);
  if (other === undefined) names.set(name, address);
  return other;
}

/**
 * Counts the write in with the guards, unless an earlier run did it: then it is not sent.
 * @returns what it breaks, if anything
 */
function held(
  { address, operation, input, identity }: Call,
  { guards, ledger, marks, naming }: Desk,
): string | undefined {
  const known = ledger.get(identity);
  if (known?.kind === 'done' && known.run !== naming.run) return undefined;
  const symbol = input['symbol'];
  const mark = typeof symbol === 'string' ? marks[symbol.toUpperCase()] : undefined;
  const broken = guards.add({
    address,
    operation,
    input,
    account: naming.destination,
    ...(mark !== undefined && { mark }),
  });
  return broken.length === 0 ? undefined : broken.join('; ');
}

function beginPlaybook(used: Playbook, step: Step, item: Item, desk: Desk): Handle {
  const { durable, naming, guards, books } = desk;
  const inputs = inputsOfNested(used, step, item);
  books.set(item.address, guards);
  const account = naming.destination.profile;
  const plan = { file: used.file, within: item.address, account };
  return durable.child(keyOf(item.address, desk), plan, pack(inputs));
}

function* builtIn(name: BuiltIn, step: Step, item: Item, desk: Desk): Routine<Ended> {
  const { durable, naming, playbook } = desk;
  const key = keyOf(item.address, desk);
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
