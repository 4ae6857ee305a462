/** The writes of earlier runs, by identity: derived from their journals, so it always agrees with them. */
import type { Millis } from '../../base/clock.ts';
import { isJsonRecord, type Json, type JsonRecord } from '../../base/json.ts';
import { canonicalInput } from '../../exchange/api/content.ts';
import { orderIdFrom } from '../../exchange/api/meant-order.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import { accountName, destinationsOf } from './account.ts';
import type { Address, Destination, Entry } from './entry.ts';
import { canonicalAddress, clientOidOf, identityOf } from './identity.ts';
import type { RunRecord } from './run-record.ts';
import type { Signing } from './replay.ts';
import { writesOf, type Intended, type Write } from './sent-writes.ts';

/** A write that some run did, or started without an outcome, or that may be of this account. */
export type LedgerEntry =
  | { readonly kind: 'done'; readonly run: string; readonly output: Json }
  | {
      readonly kind: 'open';
      /** The newest run that started the write. */
      readonly run: string;
      readonly address: Address;
      /** The open intents, oldest run first; never empty. */
      readonly intents: readonly OpenIntent[];
      /** Whether a person stated that none of the intents was executed. */
      readonly isSaidAbsent: boolean;
      /** Further writes that may be of this account. */
      readonly unproved: readonly Unproved[];
    }
  | { readonly kind: 'unproved'; readonly unproved: readonly Unproved[] }
  | LastSet;

/** The last write that set a state of the account, of any playbook. */
export interface LastSet {
  readonly kind: 'set';
  /** The run that sent the write; absent for a write that a person sent by hand. */
  readonly run?: string;
  /** The time of the write, by the exchange's clock. */
  readonly at: Millis;
  /**
   * The value that was set, and the response; absent while it is not known whether the write was
   * executed.
   */
  readonly done?: { readonly value: string; readonly output: Json };
}

/** An intent without a known outcome. */
export interface OpenIntent {
  readonly run: string;
  readonly address: Address;
  /** The input as sent, with the name used then. */
  readonly input: Json;
  readonly signed: readonly Signing[];
  /** Whether a person stated that the write was not executed. */
  readonly isSaidAbsent: boolean;
}

/** A write with the same name whose key may or may not belong to this account. */
export interface Unproved {
  readonly run: string;
  readonly address: Address;
  readonly destination: Destination;
  readonly input: Json;
  /** The response; absent until the write is known to be done. */
  readonly output?: Json;
}

/** What earlier runs did on an account, by key. */
export interface Ledger {
  get(key: string): LedgerEntry | undefined;
}

/** Whether a record belongs to the account of the ledger. */
export type Standing = 'same' | 'other' | 'unproved';

/** The account that a ledger is read for. */
export interface LedgerView {
  /** The account under which identities are computed; default: the recorded one. */
  readonly as?: Destination;
  readonly standingOf: (recorded: Destination) => Standing;
}

/** The ledger of some runs. Done takes precedence over open, and open over unproved. */
export function ledgerFrom(records: readonly RunRecord[], view: LedgerView) {
  const ledger = new Map<string, LedgerEntry>();
  for (const { run, entries } of records) {
    for (const [key, entry] of ledgerOf(run, entries, view)) {
      ledger.set(key, joined(ledger.get(key), entry));
    }
  }
  return ledger;
}

/** The writes of one run, except refused ones. */
export function ledgerOf(
  run: string,
  entries: readonly Entry[],
  view: LedgerView = { standingOf: () => 'same' },
): Map<string, LedgerEntry> {
  const ledger = new Map<string, LedgerEntry>();
  const [started] = entries;
  if (started?.kind !== 'started') return ledger;
  for (const write of writesOf(entries).values()) {
    // An import sends nothing: one that was interrupted before its outcome records nothing.
    if (started.imported !== undefined && write.output === undefined) continue;
    for (const found of namesOf(write, started, view)) {
      const entry = entryOf(run, write, found);
      if (entry) ledger.set(found.key, joined(ledger.get(found.key), entry));
    }
  }
  return ledger;
}

/**
 * The keys under which a write is looked for: a write unique on its account also has the key of what
 * makes it unique.
 */
function namesOf(write: Write, started: Started, view: LedgerView): readonly Named[] {
  const found = named(write, started, view);
  const { operation } = write.intent;
  if (found?.isLasting !== false || operationOf(operation).uniqueBy === undefined) {
    return found === undefined ? [] : [found];
  }
  const lasting = lastingName(write, started, view);
  return lasting === undefined ? [found] : [found, lasting];
}

type Started = Extract<Entry, { readonly kind: 'started' }>;
interface Named {
  readonly key: string;
  /** Whether the write is done once per playbook, not once per run. */
  readonly isLasting: boolean;
  readonly standing: 'same' | 'unproved';
  readonly destination: Destination;
}

/** The clientOid a write is searched under; undefined when it belongs to another account. */
export function named(write: Write, started: Started, view: LedgerView): Named | undefined {
  const { intent } = write;
  const { address, identity } = intent;
  const { run, destination } = started;
  if (!knownKeys.has(intent) && identity === identityOf({ per: 'run', run }, address, null)) {
    return { key: identity, isLasting: false, standing: 'same', destination };
  }
  return lastingName(write, started, view);
}

function lastingName(
  { intent }: Write,
  started: Started,
  { as, standingOf }: LedgerView,
): Named | undefined {
  const candidates = accountsOf(intent, started);
  const found =
    candidates.find((each) => standingOf(each) === 'same') ??
    candidates.find((each) => standingOf(each) === 'unproved');
  if (found === undefined) return undefined;
  const key = keyOf(intent, as ?? found, started);
  const standing = standingOf(found) === 'same' ? 'same' : 'unproved';
  return { key, isLasting: true, standing, destination: found };
}

const knownKeys = new WeakMap<Intended, KnownKey>();

/** The key under which a write is looked for on one account. */
export interface KnownKey {
  /** The name of the account in digests. */
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
  const account = accountName(destination);
  const { uniqueBy } = operationOf(operation);
  const unique = uniqueBy === undefined ? undefined : content[uniqueBy];
  if (typeof unique === 'string') {
    // The exchange has this value only once on the account, whatever else is written, and wherever.
    return identityOf({ per: 'playbook', account, playbook: '' }, operation, unique);
  }
  const scope = { per: 'playbook', account, playbook } as const;
  return identityOf(scope, canonicalAddress(address), canonicalInput(operation, content));
}

/** The input without a clientOid that we derived or found: the rest identifies the write. */
function writtenContent({ operation, input, identity }: Listed, { imported }: Started): JsonRecord {
  const fields = isJsonRecord(input) ? input : {};
  const { key = '' } = operationOf(operation);
  const isOurs = fields[key] === clientOidOf(identity);
  if (!isOurs && imported !== 'unnamed') return fields;
  return Object.fromEntries(Object.entries(fields).filter(([field]) => field !== key));
}

/** Whether a write is of the account of the ledger; `unproved` if that cannot be told. */
export function mayBeOf(
  intent: Listed,
  started: Started,
  { standingOf }: Pick<LedgerView, 'standingOf'>,
): Standing {
  const standings = accountsOf(intent, started).map(standingOf);
  const [first] = standings;
  if (standings.every((each) => each === first)) return first ?? 'other';
  return standings.every((each) => each === 'other') ? 'other' : 'unproved';
}

/** The facts about a write that are listed before it is sent. */
type Listed = Pick<Intended, 'account' | 'address' | 'operation' | 'identity' | 'input'>;

/** The possible accounts of a write: one, if the journal or its old name determines it. */
function accountsOf(intent: Listed, started: Started): readonly Destination[] {
  const { account, address, identity } = intent;
  const { destination, accounts = [], playbook, naming } = started;
  const all = destinationsOf(started);
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

/** Merges two ledger entries of one name; the newer one has priority. */
export function joined(older: LedgerEntry | undefined, newer: LedgerEntry): LedgerEntry {
  if (older === undefined) return newer;
  if (older.kind === 'set' || newer.kind === 'set') return newer;
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
  return orderIdFrom(output) || undefined;
}
