/** A second ref that moves with the state: it shows a fresh clone that the state was reset. */
import { plainText, shellWord } from '../../base/text.ts';
import { TamperedError, type Link } from './chain.ts';
import { witnessOf } from '../settings.ts';
import type { Tree } from './tree.ts';

/**
 * Whether a state continues from its witness: the state's own commit, or an earlier one if a push
 * moved only the state. A state without a witness is accepted.
 */
export function goesOnFrom(
  witness: string | undefined,
  { commit, links }: Pick<Tree, 'commit' | 'links'>,
): boolean {
  if (witness === undefined || witness === commit) return true;
  return links.some(({ change }) => change.parent === witness);
}

export interface Broken {
  readonly remote: string;
  readonly ref: string;
  /** The tree of the ref's commit; absent if the ref is missing. */
  readonly state?: Tree;
  /** The commit that the witness names. */
  readonly witness: string;
  /** The tree of the witness's commit, or the error if it is not a valid state. */
  readonly kept: Tree | TamperedError;
}

/**
 * The error for a state that does not continue from its witness, with the command that restores it.
 */
export function brokenState({ remote, ref, state, witness, kept }: Broken): TamperedError {
  const beside = witnessOf(ref);
  const to = shellWord(addressOf(remote));
  if (kept instanceof TamperedError) {
    const fault = `${beside} was tampered with as well: ${kept.message}`;
    if (state === undefined) return new TamperedError(`it is missing, and ${fault}`);
    return new TamperedError(
      `it does not descend from ${beside}, which was changed: ${kept.message}`,
      `find out who changed it; only if ${ref} is complete, restore ${beside}: ` +
        `git push --force-with-lease=${beside}:${witness} ${to} ${state.commit}:${beside}`,
    );
  }
  const last = kept.links.at(-1);
  const known = `${beside} still names line ${kept.links.length} ("${last?.change.why}")`;
  if (state === undefined) {
    return new TamperedError(
      `it is missing, and ${known}`,
      `find out who removed it, then restore it: git push ${to} ${witness}:${ref}`,
    );
  }
  const what = endsIn(state.links, kept.links)
    ? `it was reset to line ${state.links.length}`
    : 'it was replaced by another history';
  return new TamperedError(
    `${what}, and ${known}`,
    'find out who changed it, then restore it: ' +
      `git push --force-with-lease=${ref}:${state.commit} ${to} ${witness}:${ref}`,
  );
}

interface WitnessedRef {
  readonly remote: string;
  readonly ref: string;
}

/** The error for a state of which nothing is left, except its root in the configuration. */
export function goneState(
  root: string,
  { remote, ref }: WitnessedRef,
  seen: string,
): TamperedError {
  return new TamperedError(
    `neither it nor its witness exists; state.root says that it started with ${root}`,
    'find out who removed it, then restore it from a clone that used it: ' +
      `git push ${shellWord(addressOf(remote))} ${seen}:${ref} ${seen}:${witnessOf(ref)}`,
  );
}

/** The error for a state without its witness: it may have been reset. */
export function goneWitness({ commit }: Tree, { remote, ref }: WitnessedRef): TamperedError {
  const beside = witnessOf(ref);
  return new TamperedError(
    `its witness ${beside} is missing, so deskhand cannot tell whether it was reset`,
    `find out who removed it; only if ${ref} is complete, create it again: ` +
      `git push ${shellWord(addressOf(remote))} ${commit}:${beside}`,
  );
}

/** A remote for display: its address may contain a name or a key. */
export function addressOf(remote: string): string {
  return plainText(remote.replace(/(\w+:\/\/)[^\s/@]+@/, '$1'), 200);
}

function endsIn(shorter: readonly Link[], longer: readonly Link[]): boolean {
  return longer[shorter.length - 1]?.link === shorter.at(-1)?.link;
}
