/** One call of a playbook, prepared: its input as sent, and its identity. */
import type { JsonRecord } from '../../base/json.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import type { Effect } from '../../exchange/api/operation.ts';
import type { Address, Destination, Entry } from '../journal/entry.ts';
import { clientOidOf, identityOf } from '../journal/identity.ts';
import type { FrozenRead } from '../journal/frozen.ts';
import { playbookKey, writtenIdentity } from '../journal/ledger.ts';
import { stateKey } from '../journal/states.ts';
import { wireInput } from '../../language/expression/evaluate.ts';
import type { Step } from '../../language/playbook.ts';
import type { Item } from './items.ts';
import type { Beginning, Naming } from './naming.ts';
import { destinationsOf } from '../journal/account.ts';

export interface Call {
  readonly address: Address;
  readonly operation: OperationName;
  readonly effect: Effect;
  readonly input: JsonRecord;
  /** Fields that are known only after a step. */
  readonly unknown: ReadonlyMap<string, string>;
  /** The identity of the call in this run, from which its clientOid is derived. */
  readonly identity: string;
  /** The key of the call in the ledger. */
  readonly key: string;
  /** Other clientOids that the same order may have. */
  readonly otherNames: readonly string[];
}

/** How the run of a journal started; undefined for a new run. */
export function beginningIn([started]: readonly Entry[]): Beginning | undefined {
  if (started?.kind !== 'started') return undefined;
  const { naming = 1 } = started;
  return { naming, accounts: destinationsOf(started) };
}

/** The values that the plan of that run had read. */
export function frozenIn([started]: readonly Entry[]): readonly FrozenRead[] {
  return started?.kind === 'started' ? (started.reads ?? []) : [];
}

/**
 * The call of a step's item.
 * @throws EvaluationError when an expression of `with` cannot be evaluated
 */
export function callOf(step: Step, operation: OperationName, item: Item, naming: Naming): Call {
  const { address } = item;
  const { input, unknown } = wireInput(operation, step.with, item.scope);
  const { effect, key: field } = operationOf(operation);
  const known = { address, operation, effect, unknown };
  const isOurs = field !== undefined && !(field in input);
  const withName = (identity: string): Call['input'] =>
    isOurs ? { ...input, [field]: clientOidOf(identity) } : input;
  if (step.oncePer === 'run') {
    const identity = identityOf({ per: 'run', run: naming.run }, address, input);
    return { input: withName(identity), identity, key: identity, otherNames: [], ...known };
  }
  const { playbook, destination: now, began } = naming;
  const then = began?.accounts.find(({ profile }) => profile === now.profile) ?? now;
  const keyFor = (account: Destination): string =>
    playbookKey(account, { playbook, address, operation, content: input });
  const written = (account: Destination): string =>
    writtenIdentity(account, playbook, address, input);
  const content = keyFor(then);
  const identity = began?.naming === 1 ? written(then) : content;
  // The last value set counts for a state, not whether the same value was ever written.
  const key = stateKey(operation, input) ?? content;
  const places = [then, now].flatMap((account) => [account, withoutId(account)]);
  const identities = new Set(places.flatMap((account) => [keyFor(account), written(account)]));
  identities.delete(identity);
  const otherNames = isOurs ? [...identities].map(clientOidOf) : [];
  return { input: withName(identity), identity, key, otherNames, ...known };
}

/** The account as identified before its profile had an id. */
function withoutId({ accountId: _id, ...account }: Destination): Destination {
  return account;
}
