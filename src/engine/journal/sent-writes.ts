/** The writes that a run sent, by address, each with its outcome if it is known. */
import type { Json } from '../../base/json.ts';
import type { Address, Entry, Outcome } from './entry.ts';
import { foldedOnce } from './folded.ts';
import { isSaidAbsent, signingsOf, type Signing } from './replay.ts';

export type Intended = Extract<Entry, { readonly kind: 'intended' }>;

/** An address of a run with its writes. */
export interface Write {
  readonly intent: Intended;
  /** The signed attempts without an outcome. */
  readonly signed: readonly Signing[];
  readonly isSaidAbsent: boolean;
  readonly output?: Json;
}

/** Everything a run sent, by address. */
export const writesOf: (entries: readonly Entry[]) => ReadonlyMap<Address, Write> =
  foldedOnce(writesFrom);

function writesFrom(entries: readonly Entry[]): ReadonlyMap<Address, Write> {
  const writes = new Map<Address, Write>();
  for (const entry of entries) {
    if (entry.kind === 'intended') {
      const before = writes.get(entry.address)?.signed ?? [];
      const signed = [...before, ...signingsOf(entry)];
      writes.set(entry.address, { intent: entry, signed, isSaidAbsent: false });
    }
    if (entry.kind !== 'settled') continue;
    const write = writes.get(entry.address);
    if (write === undefined) continue; // a read, or a write the ledger already knew
    const { outcome } = entry;
    if (outcome.kind === 'done') writes.set(entry.address, { ...write, output: outcome.output });
    else if (isSaidAbsent(outcome)) writes.set(entry.address, { ...write, isSaidAbsent: true });
    else if (!isUnknown(outcome)) writes.set(entry.address, { ...write, signed: [] });
  }
  return writes;
}

/** Whether a write is in doubt or abandoned: another run with the same write must look it up first. */
function isUnknown(outcome: Outcome): boolean {
  return outcome.kind === 'doubt' || (outcome.kind === 'skipped' && outcome.person !== undefined);
}
