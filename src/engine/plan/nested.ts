/** A nested playbook: its inputs from the step's fields, its steps under the step's address. */
import { fieldOf } from '../../base/json.ts';
import { evaluateTemplate } from '../../language/expression/evaluate.ts';
import {
  EvaluationError,
  Moment,
  Unknown,
  type Scope,
  type Value,
} from '../../language/expression/value.ts';
import { resolveInputs, type RunTimes } from '../../language/inputs.ts';
import type { GuardRules } from '../../language/limits.ts';
import type { Playbook, Step } from '../../language/playbook.ts';
import type { PlanContext } from './plan-context.ts';
import type { Item } from './items.ts';
import { rulesOf } from './rules.ts';

export interface Nested {
  /** The playbook with its steps' paths below the item's address. */
  readonly playbook: Playbook;
  /** The scope of the playbook's first step: its own inputs, and the run. */
  readonly scope: Scope;
  /** The limits of the nested playbook; those of the outer playbooks also apply. */
  readonly rules: GuardRules;
}

/** @throws EvaluationError when a given value is invalid for its input */
export function nestedIn(playbook: Playbook, step: Step, item: Item): Nested {
  const { address, scope: outer } = item;
  const inputs = inputsOfNested(playbook, step, item);
  return {
    playbook: under(playbook, address),
    scope: { ...(outer.run !== undefined && { run: outer.run }), inputs, steps: {} },
    rules: rulesOf(playbook, inputs, {}),
  };
}

/** The environment of the playbook's steps. */
export function withinOf({ onError }: Step, context: PlanContext): PlanContext {
  const { over: _over, decided, ...rest } = context;
  return {
    ...rest,
    ...(decided !== undefined && { over: decided }),
    ...(onError !== 'stop' && { mayFail: true }),
  };
}

/** @throws EvaluationError when a given value is invalid for its input */
export function inputsOfNested(
  playbook: Playbook,
  step: Step,
  { address, scope }: Item,
): Readonly<Record<string, Value>> {
  const given = new Map(
    [...step.with].map(([name, template]): [string, Value] => {
      const found = evaluateTemplate(template, scope);
      return [name, found.known ? found.value : (found.partial ?? new Unknown(found.after))];
    }),
  );
  const { inputs, problems } = resolveInputs(playbook, given, timesIn(scope));
  if (problems.length === 0) return inputs;
  throw new EvaluationError(
    `${address}: ${problems.map(({ message }) => message).join('; ')}`,
    `check the inputs of ${playbook.file}`,
  );
}

/** A playbook with its steps' paths below an item's address. */
export function under(playbook: Playbook, address: string): Playbook {
  const moved = (steps: readonly Step[]): readonly Step[] =>
    steps.map((inner) => ({ ...inner, path: `${address}/${inner.path}` }));
  return {
    ...playbook,
    steps: moved(playbook.steps),
    onFailure: moved(playbook.onFailure),
    finally: moved(playbook.finally),
  };
}

function timesIn({ run }: Scope): RunTimes {
  const time = fieldOf(run, 'time');
  const scheduledFor = fieldOf(run, 'scheduled-for');
  return {
    ...(time instanceof Moment && { time }),
    ...(scheduledFor instanceof Moment && { scheduledFor }),
  };
}
