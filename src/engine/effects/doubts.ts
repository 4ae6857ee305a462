/** The writes of a run that a person may settle. */
import { classOf } from '../../exchange/api/errors.ts';
import { abandonedIn } from '../interpreter/outcome.ts';
import type { Address, Entry } from '../journal/entry.ts';
import { lastAnswer, openText } from '../journal/doubt.ts';
import { replay } from '../journal/replay.ts';

/** A write with an unknown outcome. */
export interface InDoubt {
  readonly address: Address;
  readonly because: string;
  /** The intents of this run for the write, oldest first; empty when the doubt comes from another run. */
  readonly intents: readonly Intent[];
}

export type Intent = Extract<Entry, { readonly kind: 'intended' }>;

/** Actions of a run that a person may settle: in doubt, or abandoned earlier. */
export function doubtsIn(entries: readonly Entry[]): readonly InDoubt[] {
  return [...replay(entries)].flatMap(([address, { outcome, openSince }]) => {
    const intents = entries.filter(isIntent).filter((intent) => intent.address === address);
    if (openSince.length > 0 && outcome === undefined) {
      return [{ address, intents, because: openText(lastAnswer(entries, address)) }];
    }
    // A doubt in a nested playbook is settled there: a statement about the whole step would be
    // ignored.
    if (outcome?.kind === 'doubt' && outcome.at !== undefined) return [];
    const because = outcome?.kind === 'doubt' ? outcome.because : abandonedIn(outcome)?.because;
    return because === undefined ? [] : [{ address, intents, because }];
  });
}

/**
 * Sub-accounts that were refused because their name is used: by an earlier attempt whose response
 * was lost, or by someone else. The response does not distinguish the two, but a person may know.
 */
export function namesTaken(entries: readonly Entry[]): readonly InDoubt[] {
  return [...replay(entries)].flatMap(([address, { outcome }]) => {
    const intents = entries.filter(isIntent).filter((intent) => intent.address === address);
    if (outcome?.kind !== 'refused' || classOf(outcome.code) !== 'exists') return [];
    if (intents.at(-1)?.operation !== 'account/create-sub') return [];
    return [{ address, intents, because: outcome.message }];
  });
}

function isIntent(entry: Entry): entry is Intent {
  return entry.kind === 'intended';
}
