/** Why Git reads nothing of a checkout: it is of another user, or Git is missing. */
import { statSync } from 'node:fs';
import { plainText, shellWord } from '../../base/text.ts';
import type { GitError } from '../../stores/git/command.ts';

export interface UnreadCheckout {
  /** The reason as a clause: `the checkout … is owned by another user (uid 0), …`. */
  readonly because: string;
  readonly hint: string;
}

/** @returns undefined for any other error of Git */
export function unreadCheckoutIn({ said, isMissing }: GitError): UnreadCheckout | undefined {
  if (isMissing) return { because: said, hint: 'install Git, or add its folder to PATH' };
  const [, checkout] = /dubious ownership in repository at '(.*)'/.exec(said) ?? [];
  if (checkout === undefined) return undefined;
  const owner = statSync(checkout, { throwIfNoEntry: false })?.uid;
  const whose = owner === undefined ? 'another user' : `another user (uid ${owner})`;
  return {
    because: `the checkout ${plainText(checkout)} is owned by ${whose}, and Git reads only its own user's`,
    hint: `git config --global --add safe.directory ${shellWord(checkout)}`,
  };
}
