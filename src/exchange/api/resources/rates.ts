/** Rates of margin trading: discounts on collateral and interest on loans. */
import { list, record } from '../schema.ts';
import { decimalText, millisText, plainWord } from '../vocabulary.ts';

export const discountRate = record({
  coin: plainWord('Coin'),
  list: list(
    record({
      tierStartValue: decimalText('Lower bound of the tier in quote value'),
      discountRate: decimalText('Discount rate of the tier'),
    }),
  ),
});

export const interestRate = record({
  coin: plainWord('Coin'),
  dailyInterestRate: decimalText('Daily rate, 8 decimal places'),
  annualInterestRate: decimalText('Annual rate, 8 decimal places'),
  updatedTime: millisText('Updated, Unix milliseconds'),
});
