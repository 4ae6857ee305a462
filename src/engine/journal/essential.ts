/** The entries of a run by which other runs know what was sent. */
import { operationOf } from '../../exchange/api/operations/index.ts';
import type { Address, Entry } from './entry.ts';
import { identityOf } from './identity.ts';
import { leftBy } from './unfinished.ts';

/**
 * A journal without entries that other runs do not use: reads, texts, and, unless the run left something
 * undone, orders that are placed once per run.
 * @param isUnfinished whether all its orders are kept; default: if it left something undone
 */
export function essential(
  entries: readonly Entry[],
  run: string,
  isUnfinished = leftBy({ run, entries }) !== undefined,
): readonly Entry[] {
  const lasting = new Set<Address>();
  for (const entry of entries) {
    if (entry.kind !== 'intended') continue;
    const { address, identity, operation } = entry;
    const isOfRun = identity === identityOf({ per: 'run', run }, address, null);
    // A state, or a name that is unique on the account, counts for every other run.
    if (!isOfRun || operationOf(operation).effect !== 'keyed') lasting.add(address);
  }
  const isEnded = entries.at(-1)?.kind === 'finished';
  return entries.flatMap((entry): readonly Entry[] => {
    switch (entry.kind) {
      case 'started': {
        const { reads: _reads, approvals: _approvals, orphans: _orphans, ...started } = entry;
        const { name, file, digest } = started.playbook;
        const steps = isUnfinished ? started.steps : [];
        return [{ ...started, playbook: { name, file, digest, text: '' }, steps, inputs: {} }];
      }
      case 'intended':
      case 'settled':
        return isUnfinished || lasting.has(entry.address) ? [entry] : [];
      case 'finished':
        return [{ ...entry, outputs: {} }];
      case 'signalled':
        return [entry]; // a person may have set the run aside
      case 'opened':
        return isUnfinished || (!isEnded && setsState(entry.writes)) ? [entry] : [];
      case 'closed':
      case 'resumed':
      case 'taken-over':
        return isUnfinished ? [entry] : [];
      default:
        return [];
    }
  });
}

function setsState(writes: EntryOf<'opened'>['writes'] = []): boolean {
  return writes.some(({ operation }) => operationOf(operation).sets !== undefined);
}

type EntryOf<K extends Entry['kind']> = Extract<Entry, { readonly kind: K }>;
