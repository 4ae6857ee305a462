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

/** Both ends belong to it. */
interface Span {
  readonly from: Millis;
  readonly to: Millis;
}

export interface Tape {
  /** Trades of a span, newest first. */
  between(span: Span): Iterable<PublicTrade>;
}

const slot = 16 * second; // 5,400 trades a day

/**
 * @param ticksAt the price at a moment, in ticks
 * @param typicalLots a middling size
 * @param traded when the market trades at all; without `to`, for ever
 */
export function tape(
  seed: number,
  name: string,
  {
    ticksAt,
    typicalLots,
    traded,
  }: {
    readonly ticksAt: (moment: Millis) => number;
    readonly typicalLots: number;
    readonly traded: { readonly from: Millis; readonly to: Millis | undefined };
  },
): Tape {
  const times = noise(seed, `times ${name}`);
  const sizes = noise(seed, `sizes ${name}`);

  const timeOf = (index: number): Millis => index * slot + (times.bits(index) % slot);

  const tradeAt = (index: number, ts: Millis): PublicTrade => {
    const bits = sizes.bits(index);
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

  return {
    between: function* ({ from, to }) {
      const first = Math.max(from, traded.from, 0);
      const last = Math.min(to, traded.to ?? to);
      for (let index = Math.floor(last / slot); (index + 1) * slot > first; index--) {
        const ts = timeOf(index);
        if (ts >= first && ts <= last) yield tradeAt(index, ts);
      }
    },
  };
}

const placesInOneMoment = 100_000;

/** Ids grow with time: 19 digits of moment and place, beyond what a float can hold. */
export function tradeIdOf(ts: Millis, place: number): string {
  return `1${String(ts).padStart(13, '0')}${String(place % placesInOneMoment).padStart(5, '0')}`;
}

/** The moment an id belongs to, for ids as we make them and any other digits. */
export function momentOfTradeId(id: string): Millis {
  const beyond = BigInt(id) - 10n ** 18n;
  return beyond < 0n ? -1 : Number(beyond / BigInt(placesInOneMoment));
}
