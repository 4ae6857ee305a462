/** Money: the ledger sums to zero, and bills record every change of a balance. */
import { marginMoveTypes } from '../../../exchange/api/vocabulary.ts';
import type { Money } from '../money.ts';
import type { Account } from '../model/account.ts';
import type { Bill } from '../model/bill.ts';
import type { State } from '../model/state.ts';
import { walletKey } from '../model/wallet.ts';

/**
 * Checks that every coin sums to zero, funding leaves no remainder, and fees equal what orders have
 * paid.
 */
export function* ledgerFaults(state: State): Generator<string, void, undefined> {
  const sums = new Map<string, Money>();
  for (const { name, coin, balance } of state.ledger.all()) {
    sums.set(coin, (sums.get(coin) ?? 0n) + balance);
    if (name === 'funding' && balance !== 0n) yield `funding keeps ${balance} of ${coin}`;
    if (name.startsWith('reserve:') && balance < 0n) yield `${name} owes ${coin}`;
  }
  for (const [coin, sum] of sums) if (sum !== 0n) yield `${coin} sums to ${sum}, not to 0`;
  yield* feeFaults(state);
}

function* feeFaults(state: State): Generator<string, void, undefined> {
  const paid = new Map<string, Money>();
  for (const { fee, isBuy, holding, market } of state.orders.values()) {
    const { marginCoin, baseCoin } = market.instrument;
    const coin = holding === undefined && isBuy ? baseCoin : marginCoin;
    paid.set(coin, (paid.get(coin) ?? 0n) + fee);
  }
  for (const [coin, fees] of paid) {
    const income = state.ledger.account('fees', coin).balance;
    if (income < fees) yield `orders paid ${fees} ${coin} in fees, but ${income} came in`;
  }
}

/**
 * Checks that balances follow from bill to bill, and that the last one is the wallet's balance.
 */
export function* billFaults(state: State, account: Account): Generator<string, void, undefined> {
  for (const [walletType, numbers] of account.bills) {
    const latest = new Map<string, Bill>();
    let previous: Bill | undefined;
    for (const number of numbers) {
      const bill = state.bills.read(number);
      if (bill === undefined) {
        yield `bill ${number} of ${account.uid} is not stored`;
        continue;
      }
      if (previous !== undefined && bill.count <= previous.count)
        yield `bills of ${walletType} jump`;
      if (previous !== undefined && bill.at < previous.at)
        yield `bills of ${walletType} go back in time`;
      const before = latest.get(bill.coin);
      if (before !== undefined && bill.balance !== before.balance + changeOf(bill)) {
        yield `bill ${bill.count} of ${account.uid} does not follow from the one before`;
      }
      latest.set(bill.coin, bill);
      previous = bill;
    }
    for (const [coin, { balance }] of latest) {
      const wallet = account.wallets.get(walletKey(walletType, coin)); // empty wallets are not restored
      if ((wallet?.balance ?? 0n) !== balance)
        yield `${account.uid} ${walletType} ${coin}: bills and wallet differ`;
    }
  }
}

const marginMoves: readonly string[] = marginMoveTypes;

/** The change of a balance by a bill; margin that is set aside or released changes no balance. */
function changeOf({ businessType, amount, fee }: Bill): Money {
  return marginMoves.includes(businessType) ? 0n : amount + fee;
}
