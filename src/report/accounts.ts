/** Names the account of a line of a plan or a run, if there are several. */
import { count, listed, plainText } from '../base/text.ts';
import type { Destination } from '../engine/journal/entry.ts';
import { destinationsOf } from '../engine/journal/account.ts';

/** An action of a plan, or a line of a run: it may name its account. */
export interface OnAccount {
  readonly account?: string;
}

/** The account as a field of data: absent if it is not known, or the run has one account. */
export function accountField(account: string | undefined): OnAccount {
  return account === undefined ? {} : { account: plainText(account, 60) };
}

/** The accounts of a step: those of its plan before it begins, and afterwards those of its actions. */
export function stepPlaces(step: {
  readonly actions: readonly OnAccount[];
  readonly accounts?: readonly string[];
}): readonly OnAccount[] {
  if (step.actions.length > 0) return step.actions;
  return (step.accounts ?? []).map(accountField);
}

/** The accounts of lines as text: ` on ash and birch`; '' if the plan or the run has one account. */
export function onAccounts(lines: readonly OnAccount[]): string {
  const names = [...new Set(lines.flatMap(({ account }) => account ?? []))];
  if (names.length === 0) return '';
  if (names.length > namesMax) return ` on ${count(names.length, 'account')}`;
  return ` on ${listed(names.map((name) => plainText(name, 60)))}`;
}

const namesMax = 8;

interface Places {
  readonly destination: Pick<Destination, 'profile'>;
  /** Accounts, besides that of the run, that steps name. */
  readonly accounts?: readonly Pick<Destination, 'profile'>[];
}

/** All accounts of a plan or a run, that of the run first: `ash, birch and cedar`. */
export function allAccounts(of: Places): string {
  const names = [...new Set(destinationsOf(of).map(({ profile }) => plainText(profile, 60)))];
  const [own = ''] = names;
  const others = names.length - 1;
  return names.length > namesMax ? `${own} and ${count(others, 'other account')}` : listed(names);
}

/** The account that all lines name; undefined if they name several, or one names none. */
export function oneAccount(lines: readonly OnAccount[]): string | undefined {
  const [first] = lines;
  return lines.every(({ account }) => account === first?.account) ? first?.account : undefined;
}
