/** Checks the known fields of an order for contradictions. */
import { decimal, isDecimalText, zero } from '../../base/decimal.ts';
import type { Json } from '../../base/json.ts';
import { meets } from '../../exchange/api/order-terms.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import type { Problems } from '../problems.ts';
import type { StepRanges } from './step-ranges.ts';

/** An invalid field of an order. */
export interface OrderFault {
  readonly code: 'PB204' | 'PB205';
  readonly field: string;
  readonly message: string;
  readonly hint?: string;
}

/**
 * The problems of an order of any symbol.
 * @param known fields with certain values, as sent
 * @param given every field that is present
 */
export function orderFaults(
  operation: OperationName,
  known: Readonly<Record<string, Json>>,
  given: readonly string[],
): readonly OrderFault[] {
  const { keyed } = operationOf(operation);
  if (keyed === undefined) return [];
  const { fields, checked } = keyed;
  const empty = [fields.size, fields.price].flatMap((field): OrderFault[] => {
    const value = known[field];
    if (typeof value !== 'string' || !isDecimalText(value) || decimal(value).gt(zero)) return [];
    return [{ code: 'PB204', field, message: `${field} must be above 0` }];
  });
  const contradictions = checked.contradictions
    .filter(({ when, given: other }) => meets(when, known) && given.includes(other))
    .map(({ field, message, hint }) => ({ code: 'PB205' as const, field, message, hint }));
  return [...empty, ...contradictions];
}

export function checkOrder(
  operation: OperationName,
  known: Readonly<Record<string, Json>>,
  given: readonly string[],
  ranges: StepRanges,
  problems: Problems,
): void {
  const at = (field: string) => ranges.field(field) ?? ranges.uses;
  for (const { code, field, message, hint } of orderFaults(operation, known, given)) {
    problems.add(code, at(field), message, hint === undefined ? {} : { hint });
  }
}
