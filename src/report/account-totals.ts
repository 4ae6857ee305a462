/** The totals of each account of a plan, as rows of a table. */
import { decimal } from '../base/decimal.ts';
import { plainText } from '../base/text.ts';
import type { Plan } from '../engine/plan/plan.ts';
import { money } from './words.ts';

export const accountColumns = [
  'Account',
  'Create',
  'Set',
  'Unchanged',
  'Orders',
  'Notional',
  'Open after',
] as const;

/** The rows of each account; none for a plan of one account. */
export function accountRows({ accounts = [] }: Plan['totals']): readonly (readonly string[])[] {
  return accounts.map(({ account, create, set, unchanged, orders, notional, openOrdersAfter }) => [
    plainText(account, 60),
    ...[create, set, unchanged, orders].map(String),
    orders === 0 ? '' : money(decimal(notional)),
    openOrdersAfter === undefined ? '' : `${openOrdersAfter} of ${openMax}`,
  ]);
}

/** Open orders of an account, if the plan has only one: `10 of 400`. */
export function openAfterWords({ accounts, openOrdersAfter }: Plan['totals']): string {
  if (accounts !== undefined || openOrdersAfter === undefined) return '';
  return `${openOrdersAfter} of ${openMax}`;
}

const openMax = 400; // open orders of an account, by the exchange
