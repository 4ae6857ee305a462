/** What control requests work on, and how their fields are checked. */
import { schemaProblems } from '../../contract/check.ts';
import { record, type Schema } from '../../contract/schema.ts';
import { Refusal } from '../refusal.ts';
import type { RequestLog } from '../requests.ts';
import { closed, uid } from '../scenario/words.ts';
import type { Store } from '../state/store.ts';
import type { SavedWorld } from '../world/saved.ts';

export interface ControlBench {
  readonly store: Store;
  readonly requests: RequestLog;
  /** Worlds put aside, by name. */
  readonly shelf: Map<string, SavedWorld>;
}

/** Does one control request. @throws Refusal when it cannot be done */
export type ControlHandler = (fields: unknown, bench: ControlBench) => unknown;

export type ControlMethod = 'GET' | 'POST' | 'PUT';

/** Handlers by path (without `/_sandbox/`) and method. */
export type ControlTable = Readonly<
  Record<string, Partial<Readonly<Record<ControlMethod, ControlHandler>>>>
>;

/** A request with fields; one that breaks their schema is refused with everything wrong in it. */
export function asking<F>(
  schema: Schema<F>,
  act: (fields: F, bench: ControlBench) => unknown,
): ControlHandler {
  return (fields, bench) => {
    checkFields(schema, fields);
    return act(fields, bench);
  };
}

function checkFields<F>(schema: Schema<F>, fields: unknown): asserts fields is F {
  const problems = schemaProblems(schema.json, fields);
  if (problems.length === 0) return;
  throw new Refusal('40017', problems.map(({ message }) => message).join('; '));
}

const ofOne = record({ uid }, closed);

/** A request that is about one account. */
export function askingOne(act: (uid: string, bench: ControlBench) => unknown): ControlHandler {
  return asking(ofOne, ({ uid: name }, bench) => {
    const account = bench.store.world().engine.account(name);
    if (account === undefined) throw new Refusal('40020', `no account ${name}`);
    return act(name, bench);
  });
}
