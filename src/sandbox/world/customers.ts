/** An agent's referred customers: one more every day, with their trades and balances. */
import { day, type Millis } from '../../base/clock.ts';
import { lastRefresh, refreshPeriod } from '../engine/model/reporting.ts';
import { isWithin, startOfAgentDay, type TimeRange } from '../windows.ts';
import { noise, type Noise } from './noise.ts';

export interface Customer {
  readonly uid: string;
  readonly registerTime: Millis;
  readonly referralCode: string;
  /** Whether the customer has more sub-accounts than the exchange sums up. */
  readonly isTooLarge: boolean;
  readonly number: number;
}

export interface CustomerVolume {
  readonly uid: string;
  /** The start of the day (UTC+8). */
  readonly time: Millis;
  /** The volume in hundredths of the quote coin. */
  readonly cents: number;
}

export interface Customers {
  /** Customers registered so far, newest first. */
  at(now: Millis): readonly Customer[];
  /** Volumes of whole days that start within the range: newest day first, then by uid. */
  volumes(span: TimeRange, now: Millis): readonly CustomerVolume[];
  /** A customer's balance in hundredths of the quote coin, at the last refresh. */
  balance(customer: Customer, now: Millis): number;
}

const older = 30; // customers from before the last 30 days of the first day
const olderDays = 400;
const recentDays = 30;
const codes = ['desk', 'stream', 'event'];

/**
 * The referred customers of an agent.
 * @param born when the world starts: the history extends back from there
 */
export function customersOf(seed: number, agent: string, born: Millis): Customers {
  const chance = noise(seed, `customers ${agent}`);
  const trades = noise(seed, `volumes ${agent}`);
  const firstDay = startOfAgentDay(born) - recentDays * day;
  const known = Array.from({ length: older }, (_, number) =>
    customer(number, firstDay - 1 - chance.integer(number, (olderDays - recentDays) * day)),
  ).sort((a, b) => a.registerTime - b.registerTime);

  const at = (now: Millis): readonly Customer[] => {
    const days = Math.floor((now - firstDay) / day) + 1;
    while (known.length < older + days) {
      const start = firstDay + (known.length - older) * day;
      known.push(customer(known.length, start + chance.integer(known.length, day)));
    }
    return known.filter(({ registerTime }) => registerTime <= now).reverse();
  };

  return {
    at,
    volumes: (span, now) => {
      const everybody = [...at(lastRefresh(now))].sort((a, b) => a.number - b.number);
      const rows: CustomerVolume[] = [];
      const newest = startOfAgentDay(Math.min(span.to, now));
      for (let time = newest; isWithin(time, span); time -= day) {
        for (const { uid, number, registerTime } of everybody) {
          if (registerTime >= time + day) continue;
          const cents = dayVolume(trades, { number, time, now });
          if (cents > 0) rows.push({ uid, time, cents });
        }
      }
      return rows;
    },
    balance: ({ number }, now) => {
      const base = 10_000 + chance.integer(number + 5000, 90_000_000);
      const step = Math.floor(now / refreshPeriod);
      return base + Math.floor(base * 0.02 * chance.uniform(step + number * 7919));
    },
  };

  function customer(number: number, registerTime: Millis): Customer {
    return {
      uid: `${agent}${String(number + 1).padStart(5, '0')}`,
      registerTime,
      referralCode: codes[chance.integer(number + 1000, codes.length)] ?? 'desk',
      isTooLarge: number % 20 === 7,
      number,
    };
  }
}

/**
 * A customer's volume of a day: two of three customers trade on a day; today's volume grows with
 * every refresh.
 */
function dayVolume(
  trades: Noise,
  { number, time, now }: { number: number; time: Millis; now: Millis },
): number {
  const place = (Math.round(time / day) * 4096 + number) * 2;
  if (trades.integer(place, 3) === 0) return 0;
  const part = trades.uniform(place + 1);
  const size = part * part * part; // most are small, a few are large
  const whole = 5_000 + Math.floor(size * 250_000_000);
  const elapsed = lastRefresh(now) - time;
  return elapsed >= day ? whole : Math.floor((whole * Math.max(0, elapsed)) / day);
}
