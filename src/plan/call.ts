/** One call of a playbook, made ready: its input as it goes on the wire, and what names it. */
import type { Json } from '../base/json.ts';
import { operationOf, type OperationName } from '../contract/operations/index.ts';
import type { Effect } from '../contract/operation.ts';
import { accountParts } from '../journal/account.ts';
import type { Address, Destination } from '../journal/entry.ts';
import { wireInput } from '../playbook/expression/evaluate.ts';
import type { Step } from '../playbook/playbook.ts';
import type { Item } from './items.ts';
import { clientOidOf, identityOf } from './keys.ts';

export interface Call {
  readonly address: Address;
  readonly operation: OperationName;
  readonly effect: Effect;
  readonly input: { readonly [field: string]: Json };
  /** Fields that are known only after a step. */
  readonly unknown: ReadonlyMap<string, string>;
  readonly identity: string;
}

/** Whose names the writes of a run carry. */
export interface Naming {
  readonly playbook: string;
  readonly destination: Destination;
  /** Run id, or plan id when a saved plan is run. */
  readonly run: string;
}

/**
 * The call of a step's item.
 * @throws EvaluationError when an expression of `with` cannot be evaluated
 */
export function callOf(step: Step, operation: OperationName, item: Item, naming: Naming): Call {
  const { input, unknown } = wireInput(operation, step.with, item.scope);
  const scope =
    step.oncePer === 'playbook'
      ? {
          per: 'playbook' as const,
          account: accountParts(naming.destination).join(' '),
          playbook: naming.playbook,
        }
      : { per: 'run' as const, run: naming.run };
  const identity = identityOf(scope, item.address, input);
  const { effect, key } = operationOf(operation);
  const named =
    key === undefined || key in input ? input : { ...input, [key]: clientOidOf(identity) };
  return { address: item.address, operation, effect, input: named, unknown, identity };
}
