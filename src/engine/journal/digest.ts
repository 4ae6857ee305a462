/** The ledger entries of a finished run, stored beside its journal, so that plans need not parse it.
 *
 * A digest counts for exactly one journal: it holds the SHA-256 of all its bytes, and the high-water
 * mark they were checked against. It also holds what the file system said about both files before
 * they were read (stamp.ts). While it says the same, they are not read again, as Git does not read
 * files again that its index knows. Otherwise the journal is hashed: with the same bytes (it was
 * copied or restored, or the device has another number) the digest is stored again with what the file
 * system says now; with other bytes the journal is read, and the digest made again. Deleting digests
 * changes nothing.
 *
 * This does not notice bytes that the disk changed by itself, and a change by another machine only
 * when a network file system shows it. A user who can write here can forge a digest, as well as a
 * journal: neither is signed. So no promise depends on a digest. Only `plan` reads them, which sends
 * nothing: `run`, `resume`, `drift` and the run of a saved plan read the journals, and refuse a plan
 * that differs.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isRecord, sha256 } from '../../base/json.ts';
import { readFoundSync, readRegularSync } from '../../base/read-file.ts';
import { operationOf } from '../../exchange/api/operations/index.ts';
import type { Address, Entry } from './entry.ts';
import { accountName } from './account.ts';
import { named, noteKey, type LedgerView } from './ledger.ts';
import { replaceDerived } from './file.ts';
import { differenceIn, type RunHeader } from './header.ts';
import { readMarkSync, type HighWater } from './high-water.ts';
import { identityOf } from './identity.ts';
import { areLasting, journalStampsOf, textOf, type JournalStamps } from './journal-stamps.ts';
import { frame, isStoredEntry, unframe } from './record.ts';
import type { Asked, RunIndex } from './run-index.ts';
import { withLost } from './lost.ts';
import { journalPath, readRun, runFolder } from './runs.ts';
import { writesOf } from './sent-writes.ts';
import { doubtsLeftBy, leftBy } from './unfinished.ts';

const version = 3; // counted up whenever `essential` keeps something else

/** How digests are read. */
export interface DigestOptions {
  /** Whether digests may be written. */
  readonly keeps: boolean;
  /** What earlier plans read of all runs. */
  readonly index: RunIndex;
  /** What is asked for; default: its writes, for the ledger. */
  readonly asked?: Asked;
}

/**
 * The entries of a run by which other runs of its playbook know what was sent; none if it did
 * nothing that they ask for.
 * @param header as `everyRun` returns it: unchanged since it was written
 * @throws JournalError
 */
export async function readEssential(
  stateDir: string,
  header: RunHeader,
  { keeps, index, asked = 'ledger' }: DigestOptions,
): Promise<readonly Entry[]> {
  const { run } = header;
  const files = journalStampsOf(stateDir, run); // before they are read
  if (files && index.lacks(run, asked, files)) return [];
  const digest = digestOf(stateDir, header);
  if (digest && files && digest.files === textOf(files)) return noted(digest.entries);
  const journal = journalOf(stateDir, run);
  if (digest && journal && isDeepStrictEqual(digest.journal, journal)) {
    if (keeps) keep(stateDir, run, { journal, files, entries: digest.entries });
    return noted(digest.entries);
  }
  const whole = await readRun(stateDir, run);
  const entries = essential(await withLost(stateDir, run, whole), run);
  // Whatever was read is the journal before and after only when its bytes are the same.
  const isRead = journal !== undefined && isDeepStrictEqual(journalOf(stateDir, run), journal);
  if (!isRead || entries.at(-1)?.kind !== 'finished') return entries;
  if (keeps) keep(stateDir, run, { journal, files, entries });
  return noted(entries);

  function noted(ofFinished: readonly Entry[]): readonly Entry[] {
    if (files === undefined) return ofFinished;
    if (!ofFinished.some(({ kind }) => kind === 'intended')) {
      index.noteLacking(run, 'ledger', files);
    }
    if (doubtsLeftBy({ run, entries: ofFinished }).length === 0) {
      index.noteLacking(run, 'doubts', files);
    }
    return ofFinished;
  }
}

/** The content of a journal, as a digest names it. */
interface JournalBytes {
  readonly sha256: string;
  readonly mark: Pick<HighWater, 'seq' | 'link'> | null;
}

function journalOf(stateDir: string, run: string): JournalBytes | undefined {
  try {
    const bytes = readRegularSync(journalPath(stateDir, run), Infinity);
    const mark = readMarkSync(stateDir, run);
    return { sha256: sha256(bytes), mark: mark ? { seq: mark.seq, link: mark.link } : null };
  } catch {
    return undefined; // reading the journal reports the problem
  }
}

/** A digest that belongs to the run; whether it is of its journal is not checked. */
interface Digest {
  readonly journal: unknown;
  readonly files: unknown;
  readonly entries: readonly Entry[];
}

/** Undefined when it is absent, damaged, or of another run. */
function digestOf(stateDir: string, header: RunHeader): Digest | undefined {
  let value: unknown;
  try {
    const path = digestPath(stateDir, header.run);
    const text = readFoundSync(path, lstatSync(path), Infinity);
    value = JSON.parse(unframe(text.replace(/\n$/, '')));
  } catch {
    return undefined;
  }
  if (!isRecord(value) || value['version'] !== version) return undefined;
  const { journal, files, entries, keys } = value;
  if (!Array.isArray(entries) || !entries.every(isStoredEntry) || !isRecord(keys)) return undefined;
  const [first] = entries;
  if (first === undefined || differenceIn(header, first) !== undefined) return undefined;
  noteKeys(entries, keys);
  return { journal, files, entries };
}

function keep(
  stateDir: string,
  run: string,
  digest: {
    readonly journal: JournalBytes;
    readonly files: JournalStamps | undefined;
    readonly entries: readonly Entry[];
  },
): void {
  const { journal, files, entries } = digest;
  replaceDerived(digestPath(stateDir, run), (now) => {
    const lasting = files && areLasting(files, now) ? textOf(files) : undefined;
    return frame(
      JSON.stringify({ version, journal, files: lasting, keys: keysIn(entries), entries }),
    );
  });
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

function digestPath(stateDir: string, run: string): string {
  return join(runFolder(stateDir, run), 'digest');
}

/**
 * A journal without entries that other runs do not use: reads, texts, and, unless the run left something
 * undone, orders that are placed once per run.
 */
export function essential(entries: readonly Entry[], run: string): readonly Entry[] {
  const isUnfinished = leftBy({ run, entries }) !== undefined;
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
