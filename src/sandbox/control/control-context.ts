/** The environment of control requests, and the validation of their fields. */
import { schemaProblems } from '../../exchange/api/check.ts';
import { record, type JsonSchema, type Schema } from '../../exchange/api/schema.ts';
import { Refusal } from '../refusal.ts';
import type { RequestLog } from '../requests.ts';
import { closed, uid } from '../scenario/words.ts';
import type { Store } from '../persistence/world-store.ts';
import type { SavedWorld } from '../world/saved.ts';

export interface ControlContext {
  readonly store: Store;
  readonly requests: RequestLog;
  /** Saved snapshots of the world, by name. */
  readonly shelf: Map<string, SavedWorld>;
}

export interface ControlHandler {
  /** Executes one control request. @throws Refusal when it cannot be executed */
  (fields: unknown, context: ControlContext): unknown;
  /** The schema of the request's fields; absent for a request without fields. */
  readonly schema?: JsonSchema;
}

export const controlMethods = ['GET', 'POST', 'PUT'] as const;
export type ControlMethod = (typeof controlMethods)[number];

/** Handlers by path (without `/_sandbox/`) and method. */
export type ControlTable = Readonly<
  Record<string, Partial<Readonly<Record<ControlMethod, ControlHandler>>>>
>;

/** A handler of a request with fields; an invalid request is refused with all its problems. */
export function asking<F>(
  schema: Schema<F>,
  act: (fields: F, context: ControlContext) => unknown,
): ControlHandler {
  const handler = (fields: unknown, context: ControlContext): unknown => {
    checkFields(schema, fields);
    return act(fields, context);
  };
  return Object.assign(handler, { schema: schema.json });
}

function checkFields<F>(schema: Schema<F>, fields: unknown): asserts fields is F {
  const problems = schemaProblems(schema.json, fields);
  if (problems.length === 0) return;
  throw new Refusal('40017', problems.map(({ message }) => message).join('; '));
}

const ofOne = record({ uid }, closed);

/** A handler of a request about one account. */
export function askingOne(act: (uid: string, context: ControlContext) => unknown): ControlHandler {
  return asking(ofOne, ({ uid: name }, context) => {
    const account = context.store.world().engine.account(name);
    if (account === undefined) throw new Refusal('40020', `no account ${name}`);
    return act(name, context);
  });
}
