/** An agent's generated customers and those of scenarios, in one list. */
import type { Millis } from '../../base/clock.ts';
import { isWithin, startOfAgentDay } from '../windows.ts';
import type { Referral } from './added.ts';
import { lastRefresh } from '../engine/model/reporting.ts';
import type { Customer, Customers, CustomerVolume } from './customers.ts';
import { unitsOf } from './digits.ts';

const firstNumber = 1_000_000; // above the uids of all generated customers

/**
 * An agent's generated customers and those of scenarios.
 * @param made the generated customers of this agent
 */
export function withReferrals(
  made: Customers | undefined,
  referrals: readonly Referral[],
): Customers {
  const customers = referrals.map(customerOf);
  return {
    at: (now) =>
      [
        ...customers.filter(({ registerTime }) => registerTime <= now),
        ...(made?.at(now) ?? []),
      ].sort((a, b) => b.registerTime - a.registerTime),
    volumes: (span, now) =>
      [
        ...referrals.flatMap((referral) => daysOf(referral, now)),
        ...(made?.volumes(span, now) ?? []),
      ]
        .filter(({ time }) => isWithin(time, span))
        .sort((a, b) => b.time - a.time || Number(a.uid) - Number(b.uid)),
    balance: (customer, now) => {
      const referral = referrals[customer.number - firstNumber];
      return referral === undefined
        ? (made?.balance(customer, now) ?? 0)
        : unitsOf(referral.balance, 2);
    },
  };
}

function customerOf(referral: Referral, place: number): Customer {
  const { uid, registerTime, referralCode } = referral;
  return { uid, registerTime, referralCode, isTooLarge: false, number: firstNumber + place };
}

/** The volumes of a customer: one row for each day (UTC+8) with trades, up to the last refresh. */
function daysOf({ uid, volumes }: Referral, now: Millis): CustomerVolume[] {
  const seen = lastRefresh(now);
  const days = new Map<Millis, number>();
  for (const { time, volumn } of volumes) {
    if (time > seen) continue;
    const start = startOfAgentDay(time);
    days.set(start, (days.get(start) ?? 0) + unitsOf(volumn, 2));
  }
  return [...days].map(([time, cents]) => ({ uid, time, cents }));
}
