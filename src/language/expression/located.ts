/** Where an expression is: errors of its evaluation have the location. */
import type { SourceRange } from '../source-range.ts';
import { EvaluationError, type Lookup } from './value.ts';

/** Adds the location of the expression to an error. */
export function located(at: SourceRange, evaluate: () => Lookup): Lookup {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof EvaluationError) error.at ??= at;
    throw error;
  }
}
