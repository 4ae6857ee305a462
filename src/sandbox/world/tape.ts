/** Public trades that were never stored: each slot of time has one, computed when it is asked for. */
import { second, type Millis } from '../../base/clock.ts';
import { noise } from './noise.ts';

/** A trade of somebody with somebody. */
export interface PublicTrade {
  readonly tradeId: string;
  readonly ts: Millis;
  readonly ticks: number;
  readonly lots: number;
  readonly side: 'buy' | 'sell';
}

export interface Tape {
  /** The newest trade at or before a moment. */
  last(moment: Millis): PublicTrade;
  /** Trades of a span, newest first. */
  between(span: { readonly from: Millis; readonly to: Millis }): Iterable<PublicTrade>;
}

const slot = 16 * second; // 5,400 trades a day

/**
 * @param ticksAt the price at a moment, in ticks
 * @param typicalLots a middling size
 */
export function tape(
  seed: number,
  name: string,
  { ticksAt, typicalLots }: { ticksAt: (moment: Millis) => number; typicalLots: number },
): Tape {
  const chance = noise(seed, `tape ${name}`);

  /** Where in its slot a trade falls: not on the slot's first second, so order is never in doubt. */
  const timeOf = (index: number): Millis => index * slot + (chance.bits(index) % slot);

  const tradeAt = (index: number): PublicTrade => {
    const ts = timeOf(index);
    const bits = chance.bits(index + sizes);
    const part = (bits >>> 8) / 16_777_216;
    const side = (bits & 1) === 0 ? 'buy' : 'sell';
    return {
      tradeId: tradeIdOf(ts, 0),
      ts,
      ticks: Math.max(1, ticksAt(ts) + (side === 'buy' ? 1 : -1)),
      lots: 1 + Math.floor(part * part * part * 8 * typicalLots),
      side,
    };
  };

  const newest = (moment: Millis): number => {
    const index = Math.floor(moment / slot);
    return timeOf(index) <= moment ? index : index - 1;
  };

  return {
    last: (moment) => tradeAt(newest(moment)),
    between: function* ({ from, to }) {
      for (let index = newest(to); index >= 0 && timeOf(index) >= from; index--) {
        yield tradeAt(index);
      }
    },
  };
}

const sizes = 2 ** 40; // another part of the same stream

/** Ids grow with time: 19 digits of moment and place, beyond what a float can hold. */
export function tradeIdOf(ts: Millis, place: number): string {
  return `1${String(ts).padStart(14, '0')}${String(place).padStart(4, '0')}`;
}
