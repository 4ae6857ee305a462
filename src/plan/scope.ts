/** The scope of expressions before the first step, and how a step's value is added. */
import type { Millis } from '../base/clock.ts';
import { isPlainMap } from '../playbook/expression/helpers/define.ts';
import { Moment, type Scope, type Value } from '../playbook/expression/value.ts';

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

/** The scope in which `steps.<id>` has a value. */
export function withStepValue(scope: Scope, id: string, value: Value): Scope {
  const { steps } = scope;
  return { ...scope, steps: { ...(isPlainMap(steps) ? steps : {}), [id]: value } };
}
