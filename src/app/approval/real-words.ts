/** Words for the real accounts that a plan or a run sends to. */
import { listed, plainText } from '../../base/text.ts';
import { destinationsOf } from '../../engine/journal/account.ts';
import type { Destination } from '../../engine/journal/entry.ts';

/** `the live account main`, or `the demo accounts main and alpha`: all of a run are on one exchange. */
export function realWords(
  of: Parameters<typeof destinationsOf<Pick<Destination, 'profile' | 'target'>>>[0],
): string {
  const accounts = destinationsOf(of);
  const kind = accounts[0].target === 'demo' ? 'demo' : 'live';
  const names = accounts.map(({ profile }) => plainText(profile, 60));
  return `the ${kind} ${names.length === 1 ? 'account' : 'accounts'} ${listed(names)}`;
}
