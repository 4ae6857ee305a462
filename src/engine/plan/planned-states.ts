/** The states that earlier actions of a plan set. */
import { accountName, type Destination } from '../journal/account.ts';
import type { OperationName } from '../../exchange/api/operations/index.ts';
import { stateKey, valueSet } from '../journal/states.ts';
import type { Call } from './call.ts';

/**
 * The states that earlier actions of a plan set, by account and target; and the steps that may set
 * anything.
 */
export class PlannedStates {
  readonly #set = new Map<string, SetHere>();
  /** The last action of each operation, by account: another operation may set the same state. */
  readonly #operations = new Map<string, Map<OperationName, string>>();
  #later: string | undefined;

  /** @param step a step whose writes are known only during the run */
  leave(step: string): void {
    this.#later = step;
    this.#set.clear();
  }

  note(call: Call, account: Destination): void {
    const { address: by, operation, input, unknown } = call;
    const key = stateKey(operation, input);
    if (key === undefined) return this.leave(by);
    const ofAccount =
      this.#operations.get(accountName(account)) ?? new Map<OperationName, string>();
    this.#operations.set(accountName(account), ofAccount.set(operation, by));
    const value = unknown.size > 0 ? undefined : valueSet(operation, input);
    this.#set.set(nameOf(accountName(account), key), {
      by,
      ...(value !== undefined && { value }),
    });
  }

  before(call: Call, account: Destination): SetHere | undefined {
    const key = stateKey(call.operation, call.input);
    const set = key && this.#set.get(nameOf(accountName(account), key));
    if (set) return set;
    const others = [...(this.#operations.get(accountName(account)) ?? [])];
    const other = others.findLast(([operation]) => operation !== call.operation)?.[1];
    const by = other ?? this.#later;
    return by === undefined ? undefined : { by };
  }
}

/** A value set by an action of the same plan; absent if it is known only during the run. */
export interface SetHere {
  readonly by: string;
  readonly value?: string;
}

function nameOf(account: string, key: string): string {
  return `${key} ${account}`;
}
