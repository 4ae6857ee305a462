/** Accounts: open them, deposit money, change position modes. */
import { Refusal } from '../../refusal.ts';
import type { BusinessType, Command } from '../command.ts';
import type { WalletType } from '../instrument.ts';
import { parseMoney, type Money } from '../money.ts';
import { Account } from '../model/account.ts';
import type { State } from '../model/state.ts';
import { available } from '../trade/funds.ts';
import { addBill, hasBills, pay } from '../trade/post.ts';

/** Opens an account. @throws Refusal when the uid is taken */
export function openAccount(state: State, command: Command<'open-account'>): undefined {
  const { uid, accountKind, parent, positionModes } = command;
  if (state.accounts.has(uid)) throw new Refusal('43011', `uid ${uid} is taken`);
  if (parent !== undefined) state.account(parent);
  state.accounts.set(
    uid,
    new Account({
      uid,
      kind: accountKind,
      parent,
      openedAt: state.now,
      positionModes: {
        'USDT-FUTURES': 'one_way_mode',
        'COIN-FUTURES': 'one_way_mode',
        'USDC-FUTURES': 'one_way_mode',
        ...positionModes,
      },
    }),
  );
}

/** Deposits or withdraws money. @throws Refusal for a withdrawal above the balance */
export function credit(state: State, command: Command<'credit'>): undefined {
  const { walletType, coin } = command;
  const amount = readMoney(command.amount);
  const wallet = state.wallet(state.account(command.uid), walletType, coin);
  if (amount < 0n && -amount > available(wallet)) throw new Refusal('43012');
  const usual = amount < 0n ? 'trans_to_exchange' : 'trans_from_exchange';
  const from = state.ledger.account('outside', coin);
  const businessType = command.businessType ?? usual;
  pay(state, wallet, { from, amount, businessType, because: 'credit' });
}

/**
 * Transfers money between two wallets. @throws Refusal when the wallet has too little available
 */
export function transfer(state: State, command: Command<'transfer'>): undefined {
  const { coin, from, to, uid, toUid = uid } = command;
  const amount = readMoney(command.amount);
  if (amount <= 0n) throw new Refusal('43011', 'amount');
  const source = state.wallet(state.account(uid), from, coin);
  const target = state.wallet(state.account(toUid), to, coin);
  if (source === target) throw new Refusal('43011', 'to');
  if (amount > available(source)) throw new Refusal('43012');
  const way = { from: source.ledger, to: target.ledger };
  state.ledger.move(way, amount, 'transfer', state.now);
  const entry = { symbol: '', fee: 0n };
  addBill(state, source, { ...entry, amount: -amount, businessType: outTo(to) });
  addBill(state, target, { ...entry, amount, businessType: inFrom(from) });
}

/**
 * Sets position modes. @throws Refusal while one of the product types has open orders or positions
 */
export function setPositionMode(state: State, command: Command<'set-position-mode'>): undefined {
  const account = state.account(command.uid);
  const productTypes: ReadonlySet<string> = new Set(command.productTypes);
  for (const [market, holding] of account.holdings) {
    if (productTypes.has(market.instrument.category) && !holding.isEmpty)
      throw new Refusal('45117');
  }
  for (const productType of command.productTypes)
    account.positionModes[productType] = command.positionMode;
}

/** Parses an amount of money. @throws Refusal when the text is not an amount */
export function readMoney(text: string): Money {
  const amount = parseMoney(text);
  if (amount === undefined) throw new Refusal('40808', 'amount');
  return amount;
}

function outTo(walletType: WalletType): BusinessType {
  if (walletType === 'MARGIN') return 'trans_to_cross';
  return hasBills(walletType) ? 'trans_to_contract' : 'trans_to_exchange';
}

function inFrom(walletType: WalletType): BusinessType {
  if (walletType === 'MARGIN') return 'trans_from_cross';
  return hasBills(walletType) ? 'trans_from_contract' : 'trans_from_exchange';
}
