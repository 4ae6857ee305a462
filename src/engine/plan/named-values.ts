/** The values of `let` of a playbook, as its plan shows them. */
import type { Json } from '../../base/json.ts';
import { extentOf } from '../../language/expression/extent.ts';
import {
  EvaluationError,
  Moment,
  toJson,
  type Scope,
  type Value,
} from '../../language/expression/value.ts';
import type { Playbook } from '../../language/playbook.ts';

const partsMax = 1000; // of one value; the inputs and the playbook, which are in the plan, define larger ones

/** The values that are known and small; one that has no result stops only what needs it. */
export function namedValues(
  { let: named }: Playbook,
  scope: Scope,
): { readonly let?: Readonly<Record<string, Json>> } {
  const values = [...named].flatMap(([name, { local }]): [string, Json][] => {
    const value = tried(() => local.evaluate(scope));
    return value === undefined || extentOf(value) > partsMax ? [] : [[name, shown(value)]];
  });
  return values.length === 0 ? {} : { let: Object.fromEntries(values) };
}

/** A value as people read it: a time with its date. */
function shown(value: Value): Json {
  return value instanceof Moment ? new Date(value.ms).toISOString() : toJson(value);
}

function tried(evaluate: () => Value): Value | undefined {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}
