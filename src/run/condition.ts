/** Small readings of a step: whether a condition holds, and the limits its calls are given. */
import type { Millis } from '../base/clock.ts';
import { EvaluationError, type Scope } from '../playbook/expression/value.ts';
import type { Expression, Step } from '../playbook/playbook.ts';

/** @throws EvaluationError when it is no boolean: nothing is true by accident */
export function isTrue(expression: Expression, scope: Scope): boolean {
  const found = expression.evaluate(scope);
  if (!found.known)
    throw new EvaluationError(`${expression.text} is known only after ${found.after}`);
  if (typeof found.value !== 'boolean') {
    throw new EvaluationError(`${expression.text} is not true or false`);
  }
  return found.value;
}

/** The author's limits for one call; the client's own where nothing is said. */
export function limitsOf(step: Step): { readonly timeoutMs?: Millis; readonly attempts?: number } {
  return {
    ...(step.timeoutMs !== undefined && { timeoutMs: step.timeoutMs }),
    ...(step.attempts !== undefined && { attempts: step.attempts }),
  };
}
