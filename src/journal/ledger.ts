/** What earlier runs did, by identity: derived from their journals, so it can never disagree. */
import type { Json } from '../base/json.ts';
import type { Millis } from '../base/clock.ts';
import type { Entry, Outcome } from './entry.ts';
import { signedAtOf } from './replay.ts';
import { everyRun, readRun } from './runs.ts';

/** A write some run did, or began and never finished. */
export type LedgerEntry =
  | { readonly kind: 'done'; readonly run: string; readonly output: Json }
  | {
      readonly kind: 'open';
      readonly run: string;
      readonly address: string;
      readonly signedAt: readonly Millis[];
    };

export type Ledger = ReadonlyMap<string, LedgerEntry>;

/** Reads the ledger of one playbook's writes from its runs. */
export async function readLedger(stateDir: string, playbook: string): Promise<Ledger> {
  const ledger = new Map<string, LedgerEntry>();
  const headers = (await everyRun(stateDir)).filter((header) => header.playbook === playbook);
  for (const { run } of headers.toReversed()) {
    for (const [identity, entry] of ledgerOf(run, await readRun(stateDir, run))) {
      if (ledger.get(identity)?.kind !== 'done') ledger.set(identity, entry);
    }
  }
  return ledger;
}

/** In doubt, or left so by a person: another run that does the same must look first. */
function isUnknown(outcome: Outcome): boolean {
  return outcome.kind === 'doubt' || (outcome.kind === 'skipped' && outcome.person !== undefined);
}

/** The writes of one run; refused ones never happened and are left out. */
export function ledgerOf(run: string, entries: readonly Entry[]): Map<string, LedgerEntry> {
  const ledger = new Map<string, LedgerEntry>();
  const identityAt = new Map<string, string>();
  for (const entry of entries) {
    if (entry.kind === 'intended') {
      identityAt.set(entry.address, entry.identity);
      const earlier = ledger.get(entry.identity);
      const signedAt = earlier?.kind === 'open' ? earlier.signedAt : [];
      ledger.set(entry.identity, {
        kind: 'open',
        run,
        address: entry.address,
        signedAt: [...signedAt, ...signedAtOf(entry)],
      });
    }
    if (entry.kind === 'settled') {
      const identity = identityAt.get(entry.address);
      if (identity === undefined) continue; // a read, or something the ledger knew already
      const { outcome } = entry;
      if (outcome.kind === 'done') {
        ledger.set(identity, { kind: 'done', run, output: outcome.output });
      } else if (!isUnknown(outcome)) ledger.delete(identity);
    }
  }
  return ledger;
}
