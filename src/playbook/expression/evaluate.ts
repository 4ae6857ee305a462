/** Templates over a scope: values with their types kept, and inputs as the wire wants them. */
import { InternalError } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import type { OperationName } from '../../contract/operations/index.ts';
import type { Template } from '../playbook.ts';
import type { Lookup, Scope } from './value.ts';

/**
 * A whole expression keeps its type; in mixed text only scalars may stand; lists and maps are
 * evaluated leaf by leaf.
 * @throws EvaluationError when a path ends in nothing or a helper refuses its arguments
 */
export function evaluateTemplate(_template: Template, _scope: Scope): Lookup {
  throw new InternalError('not written yet');
}

export interface WiredInput {
  /** Fields whose value is known, ready for the contract's check. */
  readonly input: Readonly<Record<string, Json>>;
  /** Field to the step it waits for. */
  readonly unknown: ReadonlyMap<string, string>;
}

/**
 * The input of an operation. Three conversions happen by themselves where the contract wants
 * text: numbers become exact decimal text, moments Unix milliseconds, words stay as written.
 * @throws EvaluationError
 */
export function wireInput(
  _operation: OperationName,
  _fields: ReadonlyMap<string, Template>,
  _scope: Scope,
): WiredInput {
  throw new InternalError('not written yet');
}
