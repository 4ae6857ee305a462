/** Helpers for orders: a total divided exactly over prices, and permanent ids. */
import {
  decimalText,
  divide,
  placesOf,
  toMultiple,
  wholeDecimal,
  withPlaces,
  zero,
  type Decimal,
} from '../../../base/decimal.ts';
import { nameFor } from '../../../base/name.ts';
import { decimalType, integerType, listOf, recordOf, text } from '../type.ts';
import { EvaluationError, type Value } from '../value.ts';
import { onTick } from './decimals.ts';
import { countOf, numberOf, textOf, type Helper } from './define.ts';

const number = { kind: 'number', isRequired: true } as const;

export const tradingHelpers: Readonly<Record<string, Helper>> = {
  ladder: {
    group: 'trading',
    usage: 'ladder from= to= count= tick= total= lot=',
    description:
      'Evenly spaced prices from one to another, each a multiple of tick, with a total size divided into whole lots: the sizes add up to the total exactly, and the first prices get the remaining lots.',
    example: ['length (ladder from=10 to=9 count=3 tick=0.5 total=0.7 lot=0.1)', '3'],
    takes: [],
    named: { from: number, to: number, count: number, tick: number, total: number, lot: number },
    gives: listOf(recordOf({ price: decimalType, size: decimalType, index: integerType })),
    evaluate: (_args, { from, to, count, tick, total, lot }) =>
      rungs({
        from: numberOf(from),
        to: numberOf(to),
        count: countOf(count, 'count', 400),
        tick: numberOf(tick),
        total: numberOf(total),
        lot: numberOf(lot),
      }),
  },
  clientOid: {
    group: 'trading',
    usage: "clientOid 'desk' each.key",
    description:
      'An order id derived from texts: the same texts give the same id on every machine.',
    example: ["clientOid 'a' 'b'", 'dh and 26 letters'],
    takes: ['scalar'],
    rest: 'scalar',
    gives: text,
    evaluate: (args) => `dh${nameFor(JSON.stringify(args.map(textOf)), 26)}`,
  },
};

interface Ladder {
  readonly from: Decimal;
  readonly to: Decimal;
  readonly count: number;
  readonly tick: Decimal;
  readonly total: Decimal;
  readonly lot: Decimal;
}

function rungs({ from, to, count, tick, total, lot }: Ladder): Value {
  if (count < 1) throw new EvaluationError('ladder: count must be at least 1');
  if (!tick.gt(zero) || !lot.gt(zero))
    throw new EvaluationError('ladder: tick and lot must be above 0');
  const lots = divide(total, lot, { scale: 20, rounding: 'down' });
  if (!toMultiple(total, lot, 'floor').eq(total)) {
    throw new EvaluationError(
      `ladder: total ${decimalText(total)} is not a multiple of lot ${decimalText(lot)}`,
    );
  }
  const whole = BigInt(lots.toFixed(0));
  const share = whole / BigInt(count);
  const left = Number(whole % BigInt(count));
  if (share === 0n) {
    throw new EvaluationError(
      `ladder: total ${decimalText(total)} is less than one lot for each of ${count} orders`,
    );
  }
  const seen = new Set<string>();
  return Array.from({ length: count }, (_, index) => {
    const price = priceAt({ from, to, count, tick }, index);
    if (seen.has(price.toFixed())) {
      throw new EvaluationError(
        `ladder: two orders fall on the price ${decimalText(price)}`,
        'use fewer rungs or a smaller tick',
      );
    }
    seen.add(price.toFixed());
    const lotsHere = wholeDecimal(Number(share) + (index < left ? 1 : 0));
    return { price, size: withPlaces(lot.times(lotsHere), placesOf(lot)), index };
  });
}

/** The multiple of the tick at or below an evenly spaced price. */
function priceAt(
  { from, to, count, tick }: Pick<Ladder, 'from' | 'to' | 'count' | 'tick'>,
  index: number,
): Decimal {
  if (count === 1) return onTick(from, tick, 'floor');
  const way = to.minus(from).times(wholeDecimal(index));
  const step = divide(way, wholeDecimal(count - 1), { scale: 20, rounding: 'half-even' });
  return onTick(from.plus(step), tick, 'floor');
}
