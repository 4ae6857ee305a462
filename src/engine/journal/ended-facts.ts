/** The facts that other runs need about a run that ended and left nothing, in the form that is stored. */
import type { Millis } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { accountName } from './account.ts';
import type { FactKind } from './catalogue.ts';
import type { Address, Entry } from './entry.ts';
import { essential } from './essential.ts';
import { differenceIn, headerOf, type RunHeader } from './header.ts';
import { named, noteKey, type LedgerView } from './ledger.ts';
import { isStoredEntry } from './record.ts';
import { writesOf } from './sent-writes.ts';
import { leftBy } from './unfinished.ts';

export const endedKind = 'ended 2'; // another number whenever `essential` keeps something else

/** A run that ended and left nothing. */
export interface EndedRun {
  /** The time when the run began, by the exchange's clock. */
  readonly time: Millis;
  /** The time when the run began, by the clock of its machine. */
  readonly at: Millis;
  /** The time when the run signed its last write, by the exchange's clock; absent if it sent none. */
  readonly signedAt?: Millis;
  /** The entries that the ledger of other runs uses; none if the run did nothing that they ask for. */
  readonly entries: readonly Entry[];
}

/** A fact that a reader of whole records makes beside those that are always noted. */
export interface AlsoNoted {
  readonly kind: FactKind;
  readonly of: (run: string, entries: readonly Entry[]) => unknown;
}

/** The header in a value of the catalogue; undefined if this version did not write it. */
export function headerIn(value: unknown, run: string): RunHeader | undefined {
  try {
    const header = headerOf(value, run);
    return header.run === run ? header : undefined;
  } catch {
    return undefined;
  }
}

/** An ended run as stored. */
export interface StoredRun extends EndedRun {
  readonly header: RunHeader;
  /** The names of the run's writes in the ledger by address; it takes long to compute them. */
  readonly keys: { readonly [address: Address]: string };
}

/** The facts about an ended run; undefined if other runs must read its journal. */
export function endedOf(
  run: string,
  entries: readonly Entry[],
): Omit<StoredRun, 'header'> | undefined {
  const [started] = entries;
  if (started?.kind !== 'started' || entries.at(-1)?.kind !== 'finished') return undefined;
  if (leftBy({ run, entries }) !== undefined) return undefined;
  const { time, at } = started;
  const signed = entries.flatMap((entry) => (entry.kind === 'intended' ? [entry.signedAt] : []));
  const signedAt = signed.reduce((last, each) => Math.max(last, each), -Infinity);
  const short = essential(entries, run);
  const kept = short.some(({ kind }) => kind === 'intended') ? short : [];
  return {
    time,
    at,
    ...(signed.length > 0 && { signedAt }),
    entries: kept,
    keys: keysIn(kept),
  };
}

export function endedIn(value: unknown, header: RunHeader): EndedRun | undefined {
  if (!isRecord(value)) return undefined;
  const { time, at, signedAt, entries, keys } = value;
  if (typeof time !== 'number' || typeof at !== 'number') return undefined;
  if (signedAt !== undefined && typeof signedAt !== 'number') return undefined;
  if (!Array.isArray(entries) || !entries.every(isStoredEntry) || !isRecord(keys)) return undefined;
  const [first] = entries;
  if (first !== undefined && differenceIn(header, first) !== undefined) return undefined;
  noteKeys(entries, keys);
  return { time, at, entries, ...(signedAt !== undefined && { signedAt }) };
}

/** Keys of the writes by address, for the account of the run. */
function keysIn(entries: readonly Entry[]): { readonly [address: Address]: string } {
  const [started] = entries;
  if (started?.kind !== 'started') return {};
  const view: LedgerView = { as: started.destination, standingOf: () => 'same' };
  const pairs = [...writesOf(entries)].flatMap(([address, write]) => {
    const found = named(write, started, view);
    return found?.isLasting === true ? [[address, found.key] as const] : [];
  });
  return Object.fromEntries(pairs);
}

function noteKeys(entries: readonly Entry[], keys: Readonly<Record<string, unknown>>): void {
  const [started] = entries;
  if (started?.kind !== 'started') return;
  const account = accountName(started.destination);
  for (const entry of entries) {
    if (entry.kind !== 'intended' || !Object.hasOwn(keys, entry.address)) continue;
    const key = keys[entry.address];
    if (typeof key === 'string') noteKey(entry, { account, key });
  }
}
