/** The first line of every screen of a run: its target and its name. */
import { count, plainText } from '../../base/text.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { allAccounts } from '../accounts.ts';
import { badge } from './badge.ts';
import type { Theme } from './theme.ts';

export function headerLine(
  started: Extract<Entry, { readonly kind: 'started' }>,
  theme: Theme,
): string {
  const { destination, accounts = [], playbook, run, plan, steps } = started;
  const strong = (text: string): string => theme.paint('strong', plainText(text, 80));
  return [
    `${badge(destination.target, theme)} ${strong(playbook.name)}`,
    `run ${strong(run)}`,
    ...(plan === undefined ? [] : [`plan ${plainText(plan, 60)}`]),
    `${accounts.length === 0 ? 'profile' : 'profiles'} ${allAccounts(started)}`,
    count(steps.length, 'step'),
  ].join('  ');
}
