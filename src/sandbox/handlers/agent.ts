/** Endpoints 4, 5 and 9: an agent's referred customers, their trades and balances. */
import { Refusal } from '../refusal.ts';
import { isWithin, timeRangeOf } from '../windows.ts';
import { lastRefresh } from '../engine/model/reporting.ts';
import type { Customer, Customers } from '../world/customers.ts';
import { withDealings } from '../world/dealings.ts';
import { scaled } from '../world/digits.ts';
import { withReferrals } from '../world/referrals.ts';
import type { Context, Handler } from './handler.ts';
import { numbered } from './pages.ts';

const tooManySubs = 'sub account exceed 5';

export const listTradeVolume: Handler<'agent/list-trade-volume'> = (input, context) => {
  const customers = customersOf(context);
  const span = timeRangeOf('agent/list-trade-volume', input, { now: context.now });
  const rows = customers
    .volumes(span, context.now)
    .filter(({ uid }) => input.uid === undefined || uid === input.uid);
  return numbered('agent/list-trade-volume', rows, input).map(({ uid, cents, time }) => ({
    uid,
    volumn: scaled(cents, 2),
    time: String(time),
  }));
};

export const listCustomers: Handler<'agent/list-customers'> = (input, context) => {
  const customers = customersOf(context).at(context.now);
  const isCheck = input.uid !== undefined && input.startTime === undefined;
  // A query for one customer without times checks whether it is one at all, at any age.
  const span =
    isCheck && input.endTime === undefined
      ? { from: 0, to: context.now }
      : timeRangeOf('agent/list-customers', input, { now: context.now, tooOld: '70008' });
  const isWanted = ({ uid, referralCode, registerTime }: Customer): boolean =>
    isWithin(registerTime, span) &&
    (input.uid === undefined || uid === input.uid) &&
    (input.referralCode === undefined || referralCode === input.referralCode);
  const { customerUidNumber } = context.world.registry.config.quirks;
  return numbered('agent/list-customers', customers.filter(isWanted), input).map(
    ({ uid, registerTime }) => ({
      uid: customerUidNumber ? Number(uid) : uid,
      registerTime: String(registerTime),
    }),
  );
};

export const listAssets: Handler<'agent/list-assets'> = (input, context) => {
  const customers = customersOf(context);
  const uTime = lastRefresh(context.now);
  const rows = customers
    .at(uTime)
    .filter(({ uid }) => input.uid === undefined || uid === input.uid);
  return numbered('agent/list-assets', rows, input).map((customer) => ({
    uid: customer.uid,
    balance: customer.isTooLarge ? '' : scaled(customers.balance(customer, uTime), 2),
    uTime: String(uTime),
    remark: customer.isTooLarge ? tooManySubs : '',
  }));
};

function customersOf({ world, caller, now }: Context): Customers {
  const made = world.customers.get(caller.uid);
  const added = world.registry.added.referrals.filter(({ agent }) => agent === caller.uid);
  if (added.length > 0) {
    const alive = added.map((referral) => withDealings(world, referral, now));
    return withReferrals(made, alive);
  }
  if (made === undefined) throw new Refusal('40029');
  return made;
}
