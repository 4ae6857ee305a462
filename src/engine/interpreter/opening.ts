/** The opening record of a step: its items, and everything it may send. */
import { ofDroppedWrite } from '../journal/doubt.ts';
import type { Event } from '../journal/entry.ts';
import { contentOf, type Write } from '../journal/possible.ts';
import { operationOf } from '../../exchange/api/operations/index.ts';
import { accountIn } from '../plan/account-context.ts';
import type { Item } from '../plan/items.ts';
import { isTrue } from '../../language/expression/known.ts';
import type { Scope } from '../../language/expression/value.ts';
import type { Step } from '../../language/playbook.ts';
import { contextFor, type InterpreterContext } from './interpreter-context.ts';
import { failureFrom, failureOf, type Failure } from './outcome.ts';
import { preparedCall } from './prepared-call.ts';

type Opening = Extract<Event, { readonly kind: 'opened' }>;

export function openingOf(
  step: Step,
  items: readonly Item[],
  scope: Scope,
  context: InterpreterContext,
): Opening {
  const writes = writesOf(step, items, context);
  const owners = items.length === 0 ? [{ address: step.path, scope }] : items;
  return {
    kind: 'opened',
    step: step.path,
    ...(!isListed(step, context) && { uses: step.uses }),
    ...keysOf(items),
    ...accountsOf(step, owners, context),
    ...(writes && { writes }),
    ...(context.failure && { failure: context.failure }),
  };
}

/** The recorded opening: a step that earlier attempts decided sends nothing. */
export function recordedOpening(
  { writes, ...opening }: Opening,
  { decided }: InterpreterContext,
): Opening {
  return { ...opening, ...(writes && decided === undefined && { writes }) };
}

/**
 * Whether the start of the journal lists the step: not one of `finally`, or of a nested playbook.
 */
function isListed({ path }: Step, { playbook, within }: InterpreterContext): boolean {
  return within === '' && playbook.steps.some((step) => step.path === path);
}

function keysOf(items: readonly Item[]): Pick<Opening, 'items'> {
  const keys = items.map(({ key }) => key).filter((key) => key !== undefined);
  return keys.length === items.length && items.length > 0 ? { items: keys } : {};
}

/**
 * The accounts of the items in their order, one if all have the same; '' where none is known. Without
 * items it is that of the step, where no item decides it.
 */
function accountsOf(
  step: Step,
  items: readonly Item[],
  context: InterpreterContext,
): Pick<Opening, 'accounts'> {
  if (context.accounts.size === 0) return {};
  const all = items.map((item) => accountOf(step, item, context));
  const [first = ''] = all;
  const isOne = all.every((account) => account === first);
  return isOne && first === '' ? {} : { accounts: isOne ? [first] : all };
}

function accountOf(step: Step, item: Item, context: InterpreterContext): string {
  try {
    return accountIn(step, contextFor(step, item, context)).account ?? '';
  } catch (error) {
    failureOf(error); // the item fails later because of it
    return '';
  }
}

/** The writes of a step; undefined for a step that sends nothing itself. */
function writesOf(
  step: Step,
  items: readonly Item[],
  context: InterpreterContext,
): readonly Write[] | undefined {
  const { action } = step;
  if (action.kind !== 'call' || operationOf(action.operation).effect === 'read') return undefined;
  const { operation } = action;
  return items.flatMap((item) => {
    try {
      if (step.condition !== undefined && !isTrue(step.condition, item.scope)) return [];
      const { naming, accounts } = contextFor(step, item, context);
      const { address, input, identity } = preparedCall(step, operation, item, naming);
      const { profile: account } = naming.destination;
      return [{ address, operation, input, identity, ...(accounts.size > 0 && { account }) }];
    } catch (error) {
      failureOf(error); // the item fails later because of it, and nothing of it is sent
      return [];
    }
  });
}

/**
 * A write of an earlier process of the run that this step no longer has, or has with other content:
 * a read returned other data, or another version reads the playbook. It may have been executed, and
 * the new write would be placed in addition.
 */
export function forgottenBy(
  { step, writes = [] }: Opening,
  { sent }: InterpreterContext,
): Failure | undefined {
  const open = sent.get(step);
  if (open === undefined) return undefined; // the usual case: digests of all writes are slow
  const named = new Map(writes.map((write) => [write.address, contentOf(write)]));
  const forgotten = open.find((write) => named.get(write.address) !== contentOf(write));
  if (forgotten === undefined) return undefined;
  const { address } = forgotten;
  const now = named.has(address)
    ? 'would now be sent with different content'
    : 'is not part of it anymore';
  return failureFrom(step, address, ofDroppedWrite(step, now));
}
