/** Average prices, only for display: calculations use values. */
import type { Instrument } from '../instrument.ts';
import { formatMoney, moneyScale, quotient, type Money } from '../money.ts';

const placesMore = 4; // decimal places beyond those of a price

/** The average price, which is value divided by size; "0" for size zero. */
export function averagePrice(
  { priceScale, sizeScale }: Instrument,
  value: Money,
  lots: number,
): string {
  if (lots === 0) return '0';
  const places = Math.min(moneyScale, priceScale + placesMore);
  const size = BigInt(lots) * 10n ** BigInt(moneyScale - sizeScale);
  const average = quotient(value * 10n ** BigInt(places), size, 'half-even');
  return formatMoney(average * 10n ** BigInt(moneyScale - places));
}
