/** The values of the registry's object, and its calls of the objects of runs. */
import { keyOf, runObject } from './names.ts';
import type { Invocation } from './object.ts';

/** Ids of the runs in progress, each with the epoch in which it was taken. */
export type Open = ReadonlyMap<string, number>;

/** Names of accounts, each with the last run that took it, which may have ended. */
export type Accounts = ReadonlyMap<string, string>;

/** The list of ended runs, in the order in which they ended. */
export const endedRuns = 'ended';
export async function accountsIn(invocation: Invocation): Promise<Accounts> {
  return new Map(await invocation.get<readonly (readonly [string, string])[]>('accounts'));
}

export async function openIn(invocation: Invocation): Promise<Open> {
  return new Map(await invocation.get<readonly (readonly [string, number])[]>('open'));
}

export async function close(invocation: Invocation, run: string): Promise<void> {
  const open = [...(await openIn(invocation))];
  invocation.set(
    'open',
    open.filter(([id]) => id !== run),
  );
}

/**
 * Calls a handler that an invocation following the run's process would delay: that invocation is interrupted,
 * and has stored all batches when it ends.
 */
export async function exclusively<Result>(
  invocation: Invocation,
  run: string,
  handler: string,
  input: object,
): Promise<Result> {
  await ofRun(invocation, run, 'interrupt', {}); // before it: the next holder is not interrupted
  return ofRun<Result>(invocation, run, handler, input);
}

/** Calls a handler of a run of this desk. */
export function ofRun<Result>(
  invocation: Invocation,
  run: string,
  handler: string,
  input: object,
): Promise<Result> {
  return invocation.call<Result>(runObject, keyOf(invocation.key, run), handler, input);
}
