/** Public trades that are not stored: each time slot has one, computed on demand. */
import { second, type Millis } from '../../base/clock.ts';
import { noise } from './noise.ts';
import type { TimeRange } from '../engine/view.ts';
import type { SumsOf } from './sums.ts';

/** A trade between two market participants. */
export interface PublicTrade {
  readonly ts: Millis;
  /** The position of a trade among those at the same time; part of the trade's id. */
  readonly place: number;
  readonly ticks: number;
  readonly lots: number;
  readonly side: 'buy' | 'sell';
}

export interface Tape {
  /** Trades in a span, newest first. */
  between(span: TimeRange): Iterable<PublicTrade>;
  /** The sums of the trades in a range, without creating any. */
  readonly sums: SumsOf;
}

const slot = 32 * second; // 2,700 trades a day

/**
 * The public trades of a market.
 * @param ticksAt the price at a moment, in ticks
 * @param typicalLots a middling size
 * @param priceStep in ticks, as `sizeStep` is in lots: prices and sizes are multiples of these
 * @param traded when the market trades at all; without `to`, permanently
 */
export function tape(
  seed: number,
  name: string,
  {
    ticksAt,
    typicalLots,
    priceStep,
    sizeStep,
    traded,
  }: {
    readonly ticksAt: (moment: Millis) => number;
    readonly typicalLots: number;
    readonly priceStep: number;
    readonly sizeStep: number;
    readonly traded: { readonly from: Millis; readonly to: Millis | undefined };
  },
): Tape {
  const times = noise(seed, `times ${name}`);
  const sizes = noise(seed, `sizes ${name}`);

  const timeOf = (index: number): Millis => index * slot + (times.bits(index) % slot);

  const isBuyAt = (index: number): boolean => (sizes.bits(index) & 1) === 0;
  const ticksOf = (index: number, ts: Millis): number =>
    Math.max(priceStep, ticksAt(ts) + (isBuyAt(index) ? priceStep : -priceStep));
  const lotsOf = (index: number): number => {
    const part = (sizes.bits(index) >>> 8) / 16_777_216;
    const size = part * part * part * 8 * typicalLots; // most are small, a few are large
    return (1 + Math.floor(size / sizeStep)) * sizeStep;
  };
  const within = ({ from, to }: TimeRange): TimeRange => ({
    from: Math.max(from, traded.from, 0),
    to: Math.min(to, traded.to ?? to),
  });

  return {
    between: function* (span) {
      const { from, to } = within(span);
      for (let index = Math.floor(to / slot); (index + 1) * slot > from; index--) {
        const ts = timeOf(index);
        if (ts < from || ts > to) continue;
        const side = isBuyAt(index) ? 'buy' : 'sell';
        yield { ts, place: 0, ticks: ticksOf(index, ts), lots: lotsOf(index), side };
      }
    },
    sums: (span) => {
      const { from, to } = within(span);
      let [highTicks, lowTicks, lots, turnover] = [0, Infinity, 0, 0];
      for (let index = Math.floor(to / slot); (index + 1) * slot > from; index--) {
        const ts = timeOf(index);
        if (ts < from || ts > to) continue;
        const ticks = ticksOf(index, ts);
        const size = lotsOf(index);
        if (ticks > highTicks) highTicks = ticks;
        if (ticks < lowTicks) lowTicks = ticks;
        lots += size;
        turnover += ticks * size;
      }
      return lots === 0 ? undefined : { highTicks, lowTicks, lots, turnover };
    },
  };
}

const placesInOneMoment = 10_000_000_000; // more trades than a market has in a millisecond

/**
 * The id of a trade. Ids grow with time, and at equal times with the position: more digits than a
 * float can hold.
 */
export function tradeIdOf({ ts, place }: Pick<PublicTrade, 'ts' | 'place'>): string {
  return `1${String(ts).padStart(13, '0')}${String(place).padStart(10, '0')}`;
}

/** The time of a trade's id, for our ids and any other digits. */
export function momentOfTradeId(id: string): Millis {
  const beyond = BigInt(id) - 10n ** 23n;
  return beyond < 0n ? -1 : Number(beyond / BigInt(placesInOneMoment));
}
