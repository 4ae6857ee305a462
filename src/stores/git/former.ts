/** Checks the former default location of the state: if a state is there, this one is not new. */
import { TamperedError } from './chain.ts';
import type { Git } from './command.ts';
import type { Memory } from './memory.ts';
import { witnessOf } from '../settings.ts';
import { addressOf } from './witness.ts';

/** The former default ref, where a state may still be. */
export interface Former {
  readonly ref: string;
  /** The last state of the ref that this machine fetched. */
  readonly memory: Memory;
}

/**
 * Refuses a new state if the former ref has one. Called if the current ref has no state.
 * @throws TamperedError when the state is on the former ref, or was there
 */
export async function refuseFormer(
  { ref: former, memory }: Former,
  { git, remote, ref }: { readonly git: Git; readonly remote: string; readonly ref: string },
): Promise<void> {
  const seen = await memory.read();
  const answer = await git(['ls-remote', '--', remote, former, witnessOf(former)]);
  const exists = answer.length > 0;
  if (!exists && seen === undefined) return;
  const to = addressOf(remote);
  const keep = `state: { ref: ${former} } in deskhand.yaml keeps it there`;
  if (!exists) {
    throw new TamperedError(
      `it is missing; line ${seen?.seq ?? 0} ("${seen?.why ?? ''}") was seen on ${former} here`,
      `find out who removed it, and put it back; ${keep}`,
    );
  }
  throw new TamperedError(
    `nothing is there, and ${former}, the default of earlier versions, holds a state`,
    `${keep}; to move it: git fetch ${to} ${former} && ` +
      `git push ${to} FETCH_HEAD:${ref} FETCH_HEAD:${witnessOf(ref)}`,
  );
}
