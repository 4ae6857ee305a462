/** The names that completed or failed steps add to the scope of later ones. */
import { valueOfResults } from '../plan/result-value.ts';
import { withStepValue } from '../plan/scope.ts';
import type { Scope } from '../../language/expression/value.ts';
import type { Step } from '../../language/playbook.ts';
import type { StepResult } from './outcome.ts';

/** The scope after a step: `steps.<id>` has its outputs, its response, and its file. */
export function withStep(scope: Scope, step: Step, result: StepResult): Scope {
  return withStepValue(scope, step.id, valueOfResults(result, step));
}

/** The scope with `failure`, for `on-failure`. */
export function withFailure(
  scope: Scope,
  failure: { readonly step: string; readonly code: string; readonly message: string },
): Scope {
  const { step, code, message } = failure;
  return { ...scope, failure: { step, code, message } };
}
