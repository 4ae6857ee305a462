/** Recognizes a checkout of another user, which Git refuses to read, by Git's error text. */
import { statSync } from 'node:fs';
import { plainText, shellWord } from '../../base/text.ts';
import type { GitError } from '../../stores/git/command.ts';

export interface ForeignCheckout {
  /** The reason as a clause: `the checkout … is owned by another user (uid 0), …`. */
  readonly because: string;
  readonly hint: string;
}

/** @returns undefined for any other error of Git */
export function foreignCheckoutIn({ said }: GitError): ForeignCheckout | undefined {
  const [, checkout] = /dubious ownership in repository at '(.*)'/.exec(said) ?? [];
  if (checkout === undefined) return undefined;
  const owner = statSync(checkout, { throwIfNoEntry: false })?.uid;
  const whose = owner === undefined ? 'another user' : `another user (uid ${owner})`;
  return {
    because: `the checkout ${plainText(checkout)} is owned by ${whose}, and Git reads only its own user's`,
    hint: `git config --global --add safe.directory ${shellWord(checkout)}`,
  };
}
