/** Values that must be known when they are needed: one that still waits for a step is an error. */
import type { Expression, Template } from '../playbook.ts';
import { evaluateTemplate } from './evaluate.ts';
import { EvaluationError, type Lookup, type Scope, type Value } from './value.ts';

/**
 * The value of a template.
 * @param what the template's name in the error
 * @throws EvaluationError when it cannot be evaluated yet, or at all
 */
export function knownValue(template: Template, scope: Scope, what = 'it'): Value {
  return valueIn(evaluateTemplate(template, scope), what);
}

/** The value of an expression. @throws EvaluationError as `knownValue` does */
export function knownIn(expression: Expression, scope: Scope): Value {
  return valueIn(expression.evaluate(scope), expression.text);
}

/**
 * Whether a condition is true.
 * @throws EvaluationError as `knownValue` does, and for what is not a boolean
 */
export function isTrue(expression: Expression, scope: Scope): boolean {
  const value = knownIn(expression, scope);
  if (typeof value === 'boolean') return value;
  throw new EvaluationError(`${expression.text} is not true or false`);
}

function valueIn(found: Lookup, what: string): Value {
  if (found.known) return found.value;
  throw new EvaluationError(`${what} is known only after ${found.after}`);
}
