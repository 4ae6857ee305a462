/** Fields of an order that contradict each other, where they are known. */
import { decimal, isDecimalText, zero } from '../../base/decimal.ts';
import type { Json } from '../../base/json.ts';
import type { Problems } from '../problems.ts';
import type { Places } from './with.ts';

/** @param known fields whose value is certain, as they go on the wire */
export function checkOrder(
  known: Readonly<Record<string, Json>>,
  given: readonly string[],
  places: Places,
  problems: Problems,
): void {
  const at = (field: string) => places.field(field) ?? places.uses;
  for (const field of ['size', 'price']) {
    const value = known[field];
    if (typeof value !== 'string' || !isDecimalText(value) || decimal(value).gt(zero)) continue;
    problems.add('PB204', at(field), `${field} must be above 0`);
  }
  if (known['reduceOnly'] === 'YES' && given.includes('tradeSide')) {
    problems.add(
      'PB205',
      at('reduceOnly'),
      'reduceOnly is for one-way mode, tradeSide for hedge mode',
      {
        hint: 'in hedge mode, tradeSide: close reduces a position',
      },
    );
  }
  if (known['orderType'] !== 'market') return;
  for (const field of ['price', 'force']) {
    if (!given.includes(field)) continue;
    const message = `${field} is for a limit order; a market order takes what is there`;
    problems.add('PB205', at(field), message, { level: 'warning' });
  }
}
