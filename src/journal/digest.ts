/** The ledger entries of a finished run, stored beside its journal, so that plans need not parse it.
 *
 * A digest counts for exactly one journal: it holds the SHA-256 of all its bytes, and the high-water
 * mark they were checked against. A journal that was appended to, cut, restored or restored from
 * another machine has another SHA-256, with any size, time or inode. Then the digest is ignored, the
 * journal is read, and the digest is computed again. Deleting digests changes nothing.
 *
 * A user who can write here can forge a digest, as well as a journal: neither is signed. So no
 * promise depends on a digest. Only `plan` reads them, which sends nothing: `run`, `resume`, `drift`
 * and the run of a saved plan read the journals, and refuse a plan that differs.
 */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isRecord, sha256 } from '../base/json.ts';
import { readRegularSync } from '../base/read-file.ts';
import type { Address, Entry } from './entry.ts';
import { accountName } from './account.ts';
import { named, noteKey, writesOf, type LedgerView } from './ledger.ts';
import { replaceDerived } from './file.ts';
import { differenceIn, isChanged, type RunHeader } from './header.ts';
import { readMarkSync, type HighWater } from './high-water.ts';
import { identityOf } from './identity.ts';
import { frame, isStoredEntry, unframe } from './record.ts';
import { journalPath, readRun, runFolder } from './runs.ts';

const version = 1; // counted up whenever `essential` keeps something else

/**
 * The entries of a run by which other runs of its playbook know what was sent.
 * @param keeps whether a digest may be written when there is none
 * @throws JournalError
 */
export async function readEssential(
  stateDir: string,
  header: RunHeader,
  keeps: boolean,
): Promise<readonly Entry[]> {
  const { run } = header;
  const journal = journalOf(stateDir, run);
  const known = journal && digestOf(stateDir, header, journal);
  if (known !== undefined) return known;
  const entries = essential(await readRun(stateDir, run), run);
  // Whatever was read is the journal before and after only when its bytes are the same.
  const isSame = journal !== undefined && isDeepStrictEqual(journalOf(stateDir, run), journal);
  if (keeps && isSame && entries.at(-1)?.kind === 'finished') keep(stateDir, run, journal, entries);
  return entries;
}

/** Identifies the journal of a digest. */
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

/** Undefined unless it is the digest of this journal, and the journal is of this header. */
function digestOf(
  stateDir: string,
  header: RunHeader,
  journal: JournalBytes,
): readonly Entry[] | undefined {
  let value: unknown;
  try {
    const text = readRegularSync(digestPath(stateDir, header.run), Infinity).toString('utf8');
    value = JSON.parse(unframe(text.replace(/\n$/, '')));
  } catch {
    return undefined; // absent, or damaged
  }
  if (!isRecord(value) || value['version'] !== version) return undefined;
  if (!isDeepStrictEqual(value['journal'], journal) || isChanged(header)) return undefined;
  const { entries, keys } = value;
  if (!Array.isArray(entries) || !entries.every(isStoredEntry) || !isRecord(keys)) return undefined;
  const [first] = entries;
  if (first === undefined || differenceIn(header, first) !== undefined) return undefined;
  noteKeys(entries, keys);
  return entries;
}

function keep(
  stateDir: string,
  run: string,
  journal: JournalBytes,
  entries: readonly Entry[],
): void {
  const text = frame(JSON.stringify({ version, journal, keys: keysIn(entries), entries }));
  replaceDerived(digestPath(stateDir, run), text);
}

/** Keys of the writes by address, for the account of the run. */
function keysIn(entries: readonly Entry[]): { readonly [address: Address]: string } {
  const [started] = entries;
  if (started?.kind !== 'started') return {};
  const view: LedgerView = { as: started.destination, standingOf: () => 'same' };
  const pairs = [...writesOf(entries)].flatMap(([address, write]) => {
    const found = named(write, started, view);
    return found === undefined ? [] : [[address, found.key] as const];
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
 * A journal without entries that the ledger does not use: reads, texts, and writes that are done once
 * per run.
 */
export function essential(entries: readonly Entry[], run: string): readonly Entry[] {
  const lasting = new Set<Address>();
  for (const entry of entries) {
    if (entry.kind !== 'intended') continue;
    const { address, identity } = entry;
    if (identity !== identityOf({ per: 'run', run }, address, null)) lasting.add(address);
  }
  return entries.flatMap((entry): readonly Entry[] => {
    switch (entry.kind) {
      case 'started': {
        const { reads: _reads, approvals: _approvals, orphans: _orphans, ...started } = entry;
        const { name, file, digest } = started.playbook;
        return [{ ...started, playbook: { name, file, digest, text: '' }, steps: [], inputs: {} }];
      }
      case 'intended':
      case 'settled':
        return lasting.has(entry.address) ? [entry] : [];
      case 'finished':
        return [{ ...entry, outputs: {} }];
      default:
        return [];
    }
  });
}
