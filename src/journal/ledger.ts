/** The writes of earlier runs, by identity: derived from their journals, so it always agrees with them. */
import { fieldOf, isJsonRecord, type Json, type JsonRecord } from '../base/json.ts';
import { canonicalInput } from '../api/content.ts';
import type { OperationName } from '../api/operations/index.ts';
import { accountName } from './account.ts';
import type { Address, Destination, Entry, Outcome } from './entry.ts';
import { canonicalAddress, clientOidOf, identityOf } from './identity.ts';
import { isSaidAbsent, signingsOf, type Signing } from './replay.ts';

/** A write that some run did, or started without an outcome, or that may be of this account. */
export type LedgerEntry =
  | { readonly kind: 'done'; readonly run: string; readonly output: Json }
  | {
      readonly kind: 'open';
      /** The newest run that started the write. */
      readonly run: string;
      readonly address: Address;
      /** Oldest run first; never empty. */
      readonly intents: readonly OpenIntent[];
      /** A person stated that none of them was executed. */
      readonly isSaidAbsent: boolean;
      /** In addition, writes that may be of this account. */
      readonly unproved: readonly Unproved[];
    }
  | { readonly kind: 'unproved'; readonly unproved: readonly Unproved[] };

/** An intent without a known outcome. */
export interface OpenIntent {
  readonly run: string;
  readonly address: Address;
  /** The input as sent, with the name used then. */
  readonly input: Json;
  readonly signed: readonly Signing[];
  /** A person stated that it was not executed. */
  readonly isSaidAbsent: boolean;
}

/** The same write with a key that may or may not belong to this account. */
export interface Unproved {
  readonly run: string;
  readonly address: Address;
  readonly destination: Destination;
  readonly input: Json;
  /** Absent until the write is known to be done. */
  readonly output?: Json;
}

export type Ledger = ReadonlyMap<string, LedgerEntry>;

/** Whether a record belongs to the account of the ledger. */
export type Standing = 'same' | 'other' | 'unproved';

/** The account that a ledger is read for. */
export interface LedgerView {
  /** The account in its identities; default: the recorded one. */
  readonly as?: Destination;
  readonly standingOf: (recorded: Destination) => Standing;
}

/** A run with its whole journal. */
export interface RunRecord {
  readonly run: string;
  readonly entries: readonly Entry[];
  /**
   * Accounts on which it created something once per run; absent if nobody asks for it, or if the entries
   * are all there.
   */
  readonly createdOn?: readonly Destination[];
}

/** The ledger of some runs. Done takes precedence over open, and open over unproved. */
export function ledgerFrom(records: readonly RunRecord[], view: LedgerView): Ledger {
  const ledger = new Map<string, LedgerEntry>();
  for (const { run, entries } of records) {
    for (const [key, entry] of ledgerOf(run, entries, view)) {
      ledger.set(key, joined(ledger.get(key), entry));
    }
  }
  return ledger;
}

const ofItself: LedgerView = { standingOf: () => 'same' };

/** The writes of one run, except refused ones. */
export function ledgerOf(
  run: string,
  entries: readonly Entry[],
  view: LedgerView = ofItself,
): Map<string, LedgerEntry> {
  const ledger = new Map<string, LedgerEntry>();
  const [started] = entries;
  if (started?.kind !== 'started') return ledger;
  for (const write of writesOf(entries).values()) {
    // An import sends nothing: one that was interrupted before its outcome records nothing.
    if (started.imported !== undefined && write.output === undefined) continue;
    const found = named(write, started, view);
    const entry = found && entryOf(run, write, found);
    if (entry) ledger.set(found.key, joined(ledger.get(found.key), entry));
  }
  return ledger;
}

type Started = Extract<Entry, { readonly kind: 'started' }>;
export type Intended = Extract<Entry, { readonly kind: 'intended' }>;

/** An address of a run with its writes. */
export interface Write {
  readonly intent: Intended;
  /** Attempts without an outcome. */
  readonly signed: readonly Signing[];
  readonly isSaidAbsent: boolean;
  readonly output?: Json;
}

/** Everything a run sent, by address. */
export function writesOf(entries: readonly Entry[]): ReadonlyMap<Address, Write> {
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

/** In doubt, or abandoned: another run with the same write must look it up first. */
function isUnknown(outcome: Outcome): boolean {
  return outcome.kind === 'doubt' || (outcome.kind === 'skipped' && outcome.person !== undefined);
}

interface Named {
  readonly key: string;
  /** It is done once per playbook, not once per run. */
  readonly isLasting: boolean;
  readonly standing: 'same' | 'unproved';
  readonly destination: Destination;
}

/** The clientOid a write is searched under; undefined when it belongs to another account. */
export function named({ intent }: Write, started: Started, { as, standingOf }: LedgerView) {
  const { address, identity } = intent;
  const { run, destination } = started;
  if (!knownKeys.has(intent) && identity === identityOf({ per: 'run', run }, address, null)) {
    return { key: identity, isLasting: false, standing: 'same', destination } satisfies Named;
  }
  const candidates = accountsOf(intent, started);
  const found =
    candidates.find((each) => standingOf(each) === 'same') ??
    candidates.find((each) => standingOf(each) === 'unproved');
  if (found === undefined) return undefined;
  const key = keyOf(intent, as ?? found, started);
  const standing = standingOf(found) === 'same' ? 'same' : 'unproved';
  return { key, isLasting: true, standing, destination: found } satisfies Named;
}

const knownKeys = new WeakMap<Intended, KnownKey>();

/** What a write is looked for under, on one account. */
export interface KnownKey {
  /** The account's name in digests. */
  readonly account: string;
  readonly key: string;
}

/** Takes the key of a write from a digest: to make it costs more than all else about it. */
export function noteKey(intent: Intended, known: KnownKey): void {
  knownKeys.set(intent, known);
}

function keyOf(intent: Intended, destination: Destination, started: Started): string {
  const known = knownKeys.get(intent);
  if (known?.account === accountName(destination)) return known.key;
  const { address, operation } = intent;
  const content = writtenContent(intent, started);
  return playbookKey(destination, {
    playbook: started.playbook.name,
    address,
    operation,
    content,
  });
}

/** The identity of a once-per-playbook write, for any run and any notation. */
export function playbookKey(
  destination: Destination,
  write: {
    readonly playbook: string;
    readonly address: Address;
    readonly operation: OperationName;
    readonly content: JsonRecord;
  },
): string {
  const { playbook, address, operation, content } = write;
  const scope = { per: 'playbook', account: accountName(destination), playbook } as const;
  return identityOf(scope, canonicalAddress(address), canonicalInput(operation, content));
}

/** The input without a clientOid that we derived or found: the rest identifies the write. */
function writtenContent({ input, identity }: Intended, { imported }: Started): JsonRecord {
  const fields = isJsonRecord(input) ? input : {};
  const isOurs = fields['clientOid'] === clientOidOf(identity);
  if (!isOurs && imported !== 'unnamed') return fields;
  const { clientOid: _ours, ...content } = fields;
  return content;
}

/** The possible accounts of a write: one, if the journal or its old name determines it. */
function accountsOf(intent: Intended, started: Started): readonly Destination[] {
  const { account, address, identity } = intent;
  const { destination, accounts = [], playbook, naming } = started;
  const all = [destination, ...accounts];
  if (account !== undefined) return all.filter(({ profile }) => profile === account);
  if (naming !== undefined || accounts.length === 0) return [destination];
  const content = writtenContent(intent, started);
  const isNamedBy = (each: Destination): boolean =>
    identity === writtenIdentity(each, playbook.name, address, content);
  const named = all.filter(isNamedBy);
  return named.length > 0 ? named : all;
}

/** The identity of `naming: 1`: account, address and content as written. */
export function writtenIdentity(
  { target, host, keyFingerprint, profile }: Destination,
  playbook: string,
  address: Address,
  content: Json,
): string {
  const account = [target, host, keyFingerprint ?? profile].join(' ');
  return identityOf({ per: 'playbook', account, playbook }, address, content);
}

function entryOf(run: string, write: Write, { standing, destination }: Named) {
  const { intent, signed, isSaidAbsent: isSaid, output } = write;
  const { address, input } = intent;
  if (output === undefined && signed.length === 0) return undefined;
  if (standing === 'unproved') {
    const write = { run, address, destination, input, ...(output !== undefined && { output }) };
    return { kind: 'unproved', unproved: [write] } satisfies LedgerEntry;
  }
  if (output !== undefined) return { kind: 'done', run, output } satisfies LedgerEntry;
  const intents = [{ run, address, input, signed, isSaidAbsent: isSaid }];
  const open = { run, address, intents, isSaidAbsent: isSaid, unproved: [] };
  return { kind: 'open', ...open } satisfies LedgerEntry;
}

/** Merges two entries of one name; the newer one has priority. */
function joined(older: LedgerEntry | undefined, newer: LedgerEntry): LedgerEntry {
  if (older === undefined) return newer;
  if (older.kind === 'done' || newer.kind === 'done') return older.kind === 'done' ? older : newer;
  const unproved = [...older.unproved, ...newer.unproved];
  const open = [older, newer].filter((entry) => entry.kind === 'open');
  const last = open.at(-1);
  if (last === undefined) return { kind: 'unproved', unproved };
  const intents = open.flatMap((entry) => entry.intents);
  return { ...last, intents, isSaidAbsent: intents.every((each) => each.isSaidAbsent), unproved };
}

/** The exchange's id of the result, if it returned one. */
export function orderIdIn(output: Json | undefined): string | undefined {
  const orderId = fieldOf(output, 'orderId');
  return typeof orderId === 'string' && orderId !== '' ? orderId : undefined;
}
