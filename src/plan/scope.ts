/** What expressions may see before anything was done, and how a step's value joins it. */
import type { Millis } from '../base/clock.ts';
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
  return { ...scope, steps: { ...stepsIn(scope), [id]: value } };
}

function stepsIn(scope: Scope): { readonly [id: string]: Value } {
  const steps = scope.steps;
  return isPlainMap(steps) ? steps : {};
}

function isPlainMap(value: Value | undefined): value is { readonly [key: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
