/** Endpoints 1, 7, 14 and 18: loans, tax records, and sub-accounts of a main account. */
import type { Output } from '../../exchange/api/operations/index.ts';
import { Refusal } from '../refusal.ts';
import { isWithin, timeRangeOf } from '../windows.ts';
import { firstSubUid } from '../world/initial-accounts.ts';
import { loanProducts, loansOf } from '../world/loans.ts';
import { p2pRecords } from '../world/p2p.ts';
import type { SubAccount } from '../world/registry.ts';
import type { Handler } from './handler.ts';
import { sizeOf, take } from './pages.ts';

const subsMax = 200; // per main account

export const listLoanSymbols: Handler<'loan/list-symbols'> = ({ productId }, { world }) => {
  const { added, config } = world.registry;
  const product =
    added.loanProducts.findLast((each) => each.productId === productId) ??
    loanProducts.get(productId);
  if (product === undefined) throw new Refusal('25200', 'productId');
  if (!config.quirks.coinLeverageList) return product;
  return {
    ...product,
    coinContractSymbols: product.coinContractSymbols.map(({ symbol, leverage }) => ({
      symbol,
      leverage: typeof leverage === 'string' ? [leverage] : leverage,
    })),
  };
};

export const listLoanOrders: Handler<'loan/list-orders'> = (input, { world, now, caller }) => {
  const { orderId } = input;
  const { uid } = caller;
  const added = world.registry.added.loans.filter(
    (loan) => loan.uid === uid && Number(loan.loanTime) <= now,
  );
  const made = loansOf({ ...world.origin, uid }, now);
  if (orderId !== undefined) {
    return [...added.filter((loan) => loan.orderId === orderId), made.of(orderId) ?? []].flat();
  }
  const span = timeRangeOf('loan/list-orders', input, { now });
  const wanted = added.filter(({ loanTime }) => isWithin(Number(loanTime), span));
  return [...wanted, ...made.within(span)].sort((a, b) => Number(b.loanTime) - Number(a.loanTime));
};

export const listP2pRecords: Handler<'tax/list-p2p'> = (input, { world, now, caller }) => {
  const { seed, born } = world.origin;
  const span = timeRangeOf('tax/list-p2p', input, { now });
  const below = input.idLessThan === undefined ? undefined : BigInt(input.idLessThan);
  const added = world.registry.added.p2p
    .filter(({ uid }) => uid === caller.uid)
    .flatMap(({ records }) => records)
    .filter(({ ts }) => isWithin(Number(ts), span) && Number(ts) <= now);
  const made = p2pRecords(seed, caller.uid, { span, now, born });
  const newestFirst = added.length === 0 ? made : [...added, ...made].sort(byIdDown);
  const records = newestFirst.filter(
    ({ id, coin }) =>
      (input.coin === undefined || coin === input.coin) &&
      (below === undefined || BigInt(id) < below),
  );
  return take(records, sizeOf('tax/list-p2p', input.limit));
};

function byIdDown(a: { readonly id: string }, b: { readonly id: string }): number {
  return BigInt(a.id) < BigInt(b.id) ? 1 : -1;
}

export const createSubAccount: Handler<'account/create-sub'> = (input, context) => {
  const { world, now, caller } = context;
  const { subs } = world.registry;
  const own = subs.filter(({ parent }) => parent === caller.uid);
  if (own.some(({ username }) => username === input.username)) throw new Refusal('40107');
  if (own.length >= subsMax) throw new Refusal('40069');
  let number = firstSubUid + subs.length;
  while (world.engine.account(String(number)) !== undefined) number++; // a manually opened account may have this uid
  const sub: SubAccount = {
    username: input.username,
    uid: String(number),
    parent: caller.uid,
    note: input.note ?? '',
    accountMode: input.accountMode ?? 'unified',
    createdTime: now,
  };
  world.command(
    { kind: 'open-account', uid: sub.uid, accountKind: 'virtual-sub', parent: sub.parent },
    now,
  );
  world.update({ subs: [...subs, sub] });
  return wireSub(sub, addressOf(sub, subs));
};

/**
 * The address of a sub-account. A name is unique within its main account; an address is globally
 * unique, so a used one gets the uid appended.
 */
function addressOf({ username, uid }: SubAccount, others: readonly SubAccount[]): string {
  const isTaken = others.some((other) => other.username === username);
  return `${username}${isTaken ? uid : ''}@virtual.example`;
}

function wireSub(
  { uid, note, createdTime }: SubAccount,
  address: string,
): Output<'account/create-sub'> {
  return {
    username: address,
    subUid: uid,
    status: 'normal',
    note,
    createdTime: String(createdTime),
    updatedTime: String(createdTime),
  };
}
