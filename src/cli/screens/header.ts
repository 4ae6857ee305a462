/** The first line of every screen of a run: its target and its name. */
import { count, plainText } from '../../base/text.ts';
import type { Entry } from '../../journal/entry.ts';
import { badge } from './badge.ts';
import type { Theme } from './theme.ts';

export function headerLine(
  { destination, playbook, run, plan, steps }: Extract<Entry, { readonly kind: 'started' }>,
  theme: Theme,
): string {
  const strong = (text: string): string => theme.paint('strong', plainText(text, 80));
  return [
    `${badge(destination.target, theme)} ${strong(playbook.name)}`,
    `run ${strong(run)}`,
    ...(plan === undefined ? [] : [`plan ${plainText(plan, 60)}`]),
    `profile ${plainText(destination.profile, 60)}`,
    count(steps.length, 'step'),
  ].join('  ');
}
