/** The scope of expressions before the first step, and how a step's value is added. */
import type { Millis } from '../../base/clock.ts';
import { isPlainMap } from '../../language/expression/helpers/define.ts';
import { Moment, Unknown, type Scope, type Value } from '../../language/expression/value.ts';
import type { Step } from '../../language/playbook.ts';

/** The scope before the first step. */
export function firstScope(
  inputs: Readonly<Record<string, Value>>,
  run: {
    readonly id: string;
    readonly playbook: string;
    readonly time: Millis;
    readonly scheduledFor?: Millis | undefined;
  },
): Scope {
  const { id, playbook, time, scheduledFor = time } = run;
  return {
    inputs,
    run: {
      id,
      playbook,
      time: new Moment(time),
      'scheduled-for': new Moment(scheduledFor),
    },
    steps: {},
  };
}

/** The scope of a step of `on-failure`: how the run fails is known only when it does. */
export function withLaterFailure(scope: Scope): Scope {
  const unknown = new Unknown('a failure');
  return { ...scope, failure: { step: unknown, code: unknown, message: unknown } };
}

/** The scope of a step whose items are known only during the run. */
export function withLaterItem(scope: Scope, { forEach, path }: Step): Scope {
  if (forEach === undefined) return scope;
  const unknown = new Unknown(path);
  return { ...scope, each: { key: unknown, value: unknown, index: unknown } };
}

/**
 * The scope in which `steps.<id>` has a value, too. The scopes of one walk share the map of values, so
 * that a step among thousands does not copy those of all others; an expression cannot see the difference,
 * because it names only steps before its own. A walk of another kind starts with `withOwnValues`.
 */
export function withStepValue(scope: Scope, id: string, value: Value): Scope {
  const values: Record<string, Value> = isPlainMap(scope.steps) ? scope.steps : {};
  values[id] = value;
  return scope.steps === values ? scope : { ...scope, steps: values };
}

/** The scope with its own map of values, to which values can be added that the other must not have. */
export function withOwnValues(scope: Scope): Scope {
  return { ...scope, steps: isPlainMap(scope.steps) ? { ...scope.steps } : {} };
}
