/** Transfers between an account and the risk reserve, recorded on both sides. */
import { smaller, type Money } from '../money.ts';
import type { Reserve } from '../model/reserve.ts';
import type { State } from '../model/state.ts';
import type { Wallet } from '../model/wallet.ts';
import { pay } from '../trade/post.ts';

/** The reserve of a wallet; demo and spot wallets have none. */
export function reserveOf(state: State, { walletType, coin }: Wallet): Reserve | undefined {
  switch (walletType) {
    case 'USDT-FUTURES':
    case 'COIN-FUTURES':
    case 'USDC-FUTURES':
      return state.reserve(walletType, coin);
    case 'SPOT':
    case 'MARGIN':
    case 'SUSDT-FUTURES':
    case 'SCOIN-FUTURES':
    case 'SUSDC-FUTURES':
      return undefined;
  }
}

/** Covers an account's deficit, as far as the reserve allows. */
export function payFromReserve(state: State, wallet: Wallet, lacking: Money): void {
  const reserve = reserveOf(state, wallet);
  if (reserve === undefined || reserve.ledger.balance <= 0n) return;
  exchange(state, { wallet, reserve }, smaller(lacking, reserve.ledger.balance));
}

/** Transfers the remainder of a liquidation to the reserve. */
export function payToReserve(state: State, wallet: Wallet, surplus: Money): void {
  const reserve = reserveOf(state, wallet);
  if (reserve !== undefined && surplus > 0n) exchange(state, { wallet, reserve }, -surplus);
}

function exchange(
  state: State,
  { wallet, reserve }: { readonly wallet: Wallet; readonly reserve: Reserve },
  amount: Money,
): void {
  pay(state, wallet, {
    from: reserve.ledger,
    amount,
    businessType: 'risk_captital_user_transfer',
    because: 'reserve',
  });
  reserve.record(-amount, state.now);
}
