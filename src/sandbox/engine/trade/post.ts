/** Money of futures accounts: ledger movements, each with a bill of the account. */
import type { BusinessType } from '../command.ts';
import type { WalletType } from '../instrument.ts';
import type { Money } from '../money.ts';
import type { Entry } from '../model/bill.ts';
import type { Because, LedgerAccount } from '../model/ledger.ts';
import type { Order } from '../model/order.ts';
import type { State } from '../model/state.ts';
import type { Wallet } from '../model/wallet.ts';

/** Realized profit (or loss) and the fee of one execution. */
export function settleProfit(
  state: State,
  { holding, market }: Order,
  entry: { readonly profit: Money; readonly fee: Money; readonly businessType: BusinessType },
): void {
  if (holding === undefined) return;
  const { profit, fee, businessType } = entry;
  const { wallet } = holding;
  const at = state.now;
  state.ledger.move(holding.profits, profit, 'profit', at);
  state.ledger.move(holding.fees, fee, 'fee', at);
  const { symbol } = market.instrument;
  addBill(state, wallet, { symbol, amount: profit, fee: -fee, businessType });
}

/** A payment from another ledger account, or to it when negative, with its bill. */
export function pay(
  state: State,
  wallet: Wallet,
  payment: {
    readonly from: LedgerAccount;
    readonly amount: Money;
    readonly businessType: BusinessType;
    readonly because: Because;
    readonly symbol?: string;
  },
): void {
  const { from, amount, businessType, because, symbol = '' } = payment;
  state.ledger.move({ from, to: wallet.ledger }, amount, because, state.now);
  addBill(state, wallet, { symbol, amount, fee: 0n, businessType });
}

/** Creates a bill without a movement: margin that is set aside or released changes no balance. */
export function addBill(state: State, wallet: Wallet, entry: Entry): void {
  const { account, walletType } = wallet;
  if (account.isMaker || !hasBills(walletType)) return;
  const numbers = account.bills.get(walletType) ?? [];
  if (numbers.length === 0) account.bills.set(walletType, numbers);
  const count = ++state.counts.bill;
  state.bills.write(entry, wallet.ledger, { count, at: state.now });
  numbers.push(count);
}

/** Whether a wallet has bills: the interface shows bills of futures accounts only. */
export function hasBills(walletType: WalletType): boolean {
  return walletType !== 'SPOT' && walletType !== 'MARGIN';
}
