/** The checks of a planned write by itself: its known fields, and the name that it gives. */
import { inputProblems } from '../../exchange/api/check.ts';
import { InputError } from '../../exchange/api/exchange.ts';
import { operationOf } from '../../exchange/api/operations/index.ts';
import type { Step } from '../../language/playbook.ts';
import type { Call } from './call.ts';
import type { PlanContext } from './plan-context.ts';
import { nameOf } from './used-names.ts';

/** @throws InputError for known fields that violate the API schema */
export function checkKnown({ operation, input, unknown }: Call): void {
  const problems = inputProblems(operation, input).filter(
    ({ keyword, path, orElse = '' }) =>
      keyword !== 'required' || !(unknown.has(String(path[0])) || unknown.has(orElse)),
  );
  if (problems.length > 0) throw new InputError(operation, problems);
}

/**
 * Refuses a clientOid that is used twice: two orders with one clientOid could not be distinguished, and
 * a lost one would be mistaken for the other. A second write with a name that the exchange has once is
 * refused.
 */
export function checkName(step: Step, call: Call, context: PlanContext): void {
  const { address, operation, input, unknown } = call;
  const { key, uniqueBy: field = key } = operationOf(operation);
  const value = field === undefined ? undefined : input[field];
  if (field === undefined || typeof value !== 'string' || unknown.has(field)) return;
  const name = nameOf(context.naming.destination, field, value);
  const other = context.names.get(name);
  if (other === undefined) context.names.set(name, address);
  else {
    const message = `its ${field} ${value} is that of ${other}, too`;
    const hint =
      key === field
        ? `give each order its own ${field}, or leave it out`
        : `give each its own ${field}`;
    context.problems.faults(step, address, [{ code: 'PB405', field, message, hint }]);
  }
}
