/** Leverage and margin: of one symbol, of a whole product line, of one isolated position. */
import { Refusal } from '../../refusal.ts';
import type { Command } from '../command.ts';
import type { Money } from '../money.ts';
import { maintenance } from '../settle/health.ts';
import { initialMargin, type Holding, type Position } from '../model/holding.ts';
import type { State } from '../model/state.ts';
import type { Wallet } from '../model/wallet.ts';
import { available, profitAtMark } from '../trade/funds.ts';
import { addBill } from '../trade/post.ts';
import { readMoney } from './account-commands.ts';

/**
 * Sets the leverage of a symbol. @throws Refusal when the symbol does not allow it, or margin is
 * missing
 */
export function setLeverage(state: State, command: Command<'set-leverage'>): undefined {
  const leverage = readLeverage(command.leverage);
  const market = state.market(command.category, command.symbol);
  if (market.isSpot) throw new Refusal('22012');
  changeAll(state, [state.holding(state.account(command.uid), market)], leverage);
}

/**
 * Endpoint 15: all symbols of the product type with a position, or none.
 * @throws Refusal when one of them cannot be changed; then nothing has changed
 */
export function setAllLeverage(
  state: State,
  command: Command<'set-all-leverage'>,
): { readonly changed: number } {
  const leverage = readLeverage(command.leverage);
  const holdings = [...state.account(command.uid).holdings.values()]
    .filter(({ market, long, short }) => {
      return market.instrument.category === command.productType && (long ?? short) !== undefined;
    })
    .sort((a, b) => (a.market.instrument.symbol < b.market.instrument.symbol ? -1 : 1));
  changeAll(state, holdings, leverage);
  return { changed: holdings.length };
}

/**
 * Changes isolated margin. @throws Refusal unless there is such a position with enough available
 * margin
 */
export function adjustMargin(state: State, command: Command<'adjust-margin'>): undefined {
  const amount = readMoney(command.amount);
  const market = state.market(command.category, command.symbol);
  const holding = state.account(command.uid).holdings.get(market);
  const side = command.holdSide ?? (holding?.long === undefined ? 'short' : 'long');
  const position = holding?.position(side);
  if (holding === undefined || position === undefined) throw new Refusal('22002');
  if (holding.marginMode !== 'isolated') throw new Refusal('45117');
  if (amount > available(holding.wallet)) throw new Refusal('40754');
  const least = initialMargin(holding, market.contract.entryNotional(position));
  if (amount < 0n && position.margin + amount < least) throw new Refusal('40754');
  position.margin += amount;
  holding.changed();
  const businessType = amount < 0n ? 'reduce_margin' : 'append_margin';
  const entry = { symbol: market.instrument.symbol, amount, fee: 0n, businessType } as const;
  addBill(state, holding.wallet, entry);
  state.touch(holding.wallet);
}

function readLeverage(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new Refusal('40020', 'leverage');
  return Number(text);
}

/** Tries to change the leverage of every holding, and reverts all changes if one is impossible. */
function changeAll(state: State, all: readonly Holding[], leverage: number): void {
  const holdings = all.filter((holding) => holding.leverage !== leverage);
  if (holdings.some(({ market }) => leverage > market.instrument.leverageMax)) {
    throw new Refusal('40797');
  }
  const before = holdings.map((holding) => ({
    holding,
    leverage: holding.leverage,
    margins: holding.positions().map(({ margin }) => margin),
  }));
  const poorer = new Set<Wallet>();
  for (const holding of holdings) {
    const held = holding.held;
    change(holding, leverage);
    if (holding.held > held) poorer.add(holding.wallet);
  }
  if ([...poorer].some((wallet) => available(wallet) < 0n) || holdings.some(isEndangered)) {
    for (const old of before) {
      old.holding.leverage = old.leverage;
      setMargins(old.holding, old.margins);
    }
    throw new Refusal('40762');
  }
  for (const { holding, margins } of before) billMargins(state, holding, margins);
}

function change(holding: Holding, leverage: number): void {
  const { contract } = holding.market;
  holding.leverage = leverage;
  setMargins(
    holding,
    holding.positions().map((position) => initialMargin(holding, contract.entryNotional(position))),
  );
}

function setMargins(holding: Holding, margins: readonly Money[]): void {
  for (const [place, position] of holding.positions().entries()) {
    position.margin = margins[place] ?? 0n;
  }
  holding.changed();
}

/** Whether a position would be liquidated immediately if its margin is isolated. */
function isEndangered(holding: Holding): boolean {
  const mark = holding.market.markTicks;
  if (holding.marginMode === 'crossed' || mark === undefined) return false;
  const isWeak = (position: Position): boolean =>
    position.margin + profitAtMark(position) <= maintenance(position, mark);
  return holding.positions().some(isWeak);
}

/** Writes bills for margin that is set aside or released; they leave the balance unchanged. */
function billMargins(state: State, holding: Holding, before: readonly Money[]): void {
  if (holding.marginMode === 'crossed') return;
  const { symbol } = holding.market.instrument;
  for (const [place, { margin }] of holding.positions().entries()) {
    const amount = margin - (before[place] ?? 0n);
    if (amount === 0n) continue;
    const businessType = amount < 0n ? 'reduce_margin' : 'adjust_down_lever_append_margin';
    addBill(state, holding.wallet, { symbol, amount, fee: 0n, businessType });
  }
}
