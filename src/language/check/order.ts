/** Checks the known fields of an order for contradictions. */
import { decimal, isDecimalText, zero } from '../../base/decimal.ts';
import type { Json } from '../../base/json.ts';
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
  known: Readonly<Record<string, Json>>,
  given: readonly string[],
): readonly OrderFault[] {
  const empty = ['size', 'price'].flatMap((field): OrderFault[] => {
    const value = known[field];
    if (typeof value !== 'string' || !isDecimalText(value) || decimal(value).gt(zero)) return [];
    return [{ code: 'PB204', field, message: `${field} must be above 0` }];
  });
  if (known['reduceOnly'] !== 'YES' || !given.includes('tradeSide')) return empty;
  return [
    ...empty,
    {
      code: 'PB205',
      field: 'reduceOnly',
      message: 'reduceOnly is for one-way mode, tradeSide for hedge mode',
      hint: 'in hedge mode, tradeSide: close reduces a position',
    },
  ];
}

export function checkOrder(
  known: Readonly<Record<string, Json>>,
  given: readonly string[],
  ranges: StepRanges,
  problems: Problems,
): void {
  const at = (field: string) => ranges.field(field) ?? ranges.uses;
  for (const { code, field, message, hint } of orderFaults(known, given)) {
    problems.add(code, at(field), message, hint === undefined ? {} : { hint });
  }
}
