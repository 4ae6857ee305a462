/** Whether two records are of one account: by its id, by its key, or by a person's decision. */
import { DeskhandError, exits } from '../../base/error.ts';
import { canonicalJson } from '../../base/json.ts';
import { count, listed, plainText, shellWord } from '../../base/text.ts';
import { nothingDecided, type AccountDecisions } from './account-decisions.ts';
import { destinationsOf, idKey, isEmbedded, keyParts, placeOf } from './account.ts';
import type { Destination } from './entry.ts';
import { ofEnvironment } from './id-hint.ts';
import type { Standing, Unproved } from './ledger.ts';
import { newestFirst } from './proved-runs.ts';
import { allRuns, type AllRuns } from './run-list.ts';

/** A key of an account, and the source of this knowledge. */
export interface KeyUse {
  readonly destination: Destination;
  /** The run that used the key last; absent for the configuration. */
  readonly run?: string;
  /** All runs that used the key, if there are others. */
  readonly runs?: () => readonly string[];
}

/** Every account that runs of a state folder used, newest first. @throws JournalError */
export async function keyUsesIn(stateDir: string): Promise<readonly KeyUse[]> {
  return keyUsesOf(await allRuns(stateDir));
}

/** The uses of keys in all runs, newest first: runs of the catalogue's table with the same accounts are one. */
export function keyUsesOf({ others, ended }: AllRuns): readonly KeyUse[] {
  const single = others.map((header) => ({ ...header, accounts: destinationsOf(header) }));
  return [...single, ...ended.listing.uses()].toSorted(newestFirst).flatMap((use) => {
    const { run, accounts } = use;
    const runs = 'runs' in use && { runs: use.runs };
    return accounts.map((destination) => ({ run, destination, ...runs }));
  });
}

/**
 * A key is known under another account-id, or the profile has none where one is known; nothing was
 * sent.
 */
export class AccountError extends DeskhandError {
  constructor(message: string, hint: string) {
    const details = { code: 'account', actor: 'operator', exit: exits.heldBack, hint } as const;
    super(`${message}; nothing was sent`, details);
  }
}

/** Refuses writes that may already have been made with another key: those of the first account. @throws UnprovedAccountError */
export function refuseUnproved(
  unproved: readonly { readonly write: Unproved; readonly now: Destination }[],
): void {
  const [first] = unproved;
  if (first === undefined) return;
  const own = unproved.filter(({ now }) => now.profile === first.now.profile);
  throw new UnprovedAccountError(
    own.map(({ write }) => write),
    first.now,
  );
}

/** The error when the same write was made with a key that may or may not belong to this account. */
export class UnprovedAccountError extends AccountError {
  constructor(unproved: readonly Unproved[], now: Destination) {
    const [first] = unproved;
    const others = new Set(unproved.map(({ address }) => address)).size - 1;
    const also = others > 0 ? ` and ${count(others, 'other write')}` : '';
    const runs = [...new Set(unproved.map(({ run }) => run))];
    const shown = listed(
      runs.slice(0, 3).concat(runs.length > 3 ? [`${runs.length - 3} more`] : []),
    );
    const keys = keysOf(unproved.map(({ destination }) => destination));
    super(
      `${plainText(first?.address ?? '', 80)}${also} was in ${shown} with ${keyWords(keys)}, and deskhand cannot tell whether that is the account of key ${now.keyFingerprint ?? 'none'} (profile ${now.profile})`,
      settling(keys, now),
    );
  }
}

/** All uses of one key: thousands of runs have few accounts. */
interface UsesOfKey extends KeyUse {
  /** The runs that used the key, among them `run`. */
  readonly runs: () => readonly string[];
}

/** The register of everything known about accounts; it is queried for one account. */
export class AccountRegister {
  #uses: readonly UsesOfKey[];
  readonly #decidedFor: (profile: string) => AccountDecisions;

  constructor(
    uses: readonly KeyUse[],
    decidedFor: (profile: string) => AccountDecisions = () => nothingDecided,
  ) {
    this.#uses = byKey(uses);
    this.#decidedFor = decidedFor;
  }

  /** An account that is used now, in addition to others. */
  note(destination: Destination): void {
    this.#uses = [...this.#uses, { destination, runs: () => [] }];
  }

  /** Whether a record belongs to the current account. */
  standingOf(now: Destination, recorded: Destination): Standing {
    if (isSameKey(now, recorded)) return 'same';
    const [kind, host] = placeOf(now);
    const [recordedKind, recordedHost] = placeOf(recorded);
    if (kind !== recordedKind) return 'other';
    // Accounts of an embedded world have one key each, and worlds have names.
    const isInside = isEmbedded(now) || isEmbedded(recorded);
    if (isInside && host !== recordedHost) return 'other';
    const { formerKeys, otherKeys, formerIds } = this.#decidedFor(now.profile);
    const { keyFingerprint = '' } = recorded;
    if (otherKeys.includes(keyFingerprint)) return 'other';
    if (formerKeys.includes(keyFingerprint)) return 'same';
    const [ids, recordedIds] = [this.#idsOf(now, formerIds), this.#idsOf(recorded, formerIds)];
    if (ids.length > 0 && recordedIds.length > 0) {
      return recordedIds.some((id) => ids.includes(id)) ? 'same' : 'other';
    }
    // Another port of this machine is another sandbox.
    if (isInside || (kind === 'sandbox' && host !== recordedHost)) return 'other';
    return now.keyFingerprint === undefined || keyFingerprint === '' ? 'other' : 'unproved';
  }

  /**
   * Refuses an account whose key belongs to another one: a key belongs to one account.
   * @param isWriting whether the account may be written to; a read without an id records nothing wrong
   * @throws AccountError when its key is known under another id
   */
  refuseConflict(now: Destination, isWriting: boolean): void {
    const { accountId, profile, keyFingerprint = '' } = now;
    const { formerIds } = this.#decidedFor(profile);
    const own = [accountId ?? '', ...formerIds].map(idKey);
    const other = this.#uses.find(({ destination }) => {
      const { accountId: id } = destination;
      return id !== undefined && !own.includes(idKey(id)) && isSameKey(destination, now);
    });
    if (other === undefined || (accountId === undefined && !isWriting)) return;
    const id = plainText(other.destination.accountId ?? '', 80);
    const where = other.run ?? `profile ${other.destination.profile}`;
    if (accountId === undefined) {
      throw new AccountError(
        `key ${keyFingerprint} is account ${id} (${where}), and profile ${profile} has no account-id`,
        `give it the same: ${wordsFor(profile, 'account-id', id)}`,
      );
    }
    throw new AccountError(
      `key ${keyFingerprint} is account ${id} (${where}), and profile ${profile} calls it ${plainText(accountId, 80)}: a key belongs to one account`,
      other.run === undefined
        ? 'give both profiles the same account-id, or each its own key'
        : `give it account-id ${id} again; if that was a mistake, record it: ${wordsFor(profile, 'former-ids', id)}`,
    );
  }

  /** New keys and addresses of an account, as text; nothing without an account-id. */
  newsOf(now: Destination): readonly string[] {
    const { accountId, keyFingerprint } = now;
    if (accountId === undefined || keyFingerprint === undefined) return [];
    const used = this.#uses.filter(({ run }) => run !== undefined);
    const known = used.filter(({ destination }) => isSameId(destination, now));
    const id = plainText(accountId, 80);
    const [last] = known;
    if (last === undefined) {
      const before = new Set(
        used.filter(({ destination }) => isSameKey(destination, now)).flatMap(({ runs }) => runs()),
      ).size;
      if (before === 0) return [];
      const runs = count(before, 'earlier run');
      return [`key ${keyFingerprint} is account ${id} from now on; ${runs} with it count`];
    }
    const { run, destination } = last;
    const news: string[] = [];
    if (!known.some((use) => use.destination.keyFingerprint === keyFingerprint)) {
      const keys = keyWords(keysOf(known.map((use) => use.destination)));
      news.push(`key ${keyFingerprint} is new for account ${id}: so far ${keys}, last in ${run}`);
    }
    if (!known.some((use) => placeOf(use.destination)[1] === placeOf(now)[1])) {
      const host = plainText(destination.host, 80);
      news.push(
        `${plainText(now.host, 80)} is new for account ${id}: so far ${host}, last in ${run}`,
      );
    }
    return news;
  }

  /** The instruction for declaring whether keys belong to the current account. */
  settling(accounts: readonly Destination[], now: Destination): string {
    return settling(keysOf(accounts), now);
  }

  /**
   * Accounts under their former keys: a run that still uses one must not write at the same time.
   */
  formerOf(now: Destination): readonly Destination[] {
    const { accountId: _id, ...place } = now;
    return this.#decidedFor(now.profile).formerKeys.map((keyFingerprint) => {
      return { ...place, keyFingerprint };
    });
  }

  /** All ids of an account, in canonical form. */
  #idsOf(account: Destination, leftOut: readonly string[]): readonly string[] {
    const out = new Set(leftOut.map(idKey));
    const own = account.accountId === undefined ? undefined : idKey(account.accountId);
    if (own !== undefined && !out.has(own)) return [own];
    const linked = this.#uses
      .filter(({ destination }) => isSameKey(destination, account))
      .flatMap(({ destination: { accountId } }) =>
        accountId === undefined ? [] : [idKey(accountId)],
      );
    return [...new Set(linked)].filter((id) => !out.has(id));
  }
}

/** The uses of each key, in the order of the first ones. */
function byKey(uses: readonly KeyUse[]): readonly UsesOfKey[] {
  const same = new Map<Destination, KeyUse[]>(); // one object may be that of thousands of runs
  for (const use of uses) {
    const known = same.get(use.destination);
    if (known === undefined) same.set(use.destination, [use]);
    else known.push(use);
  }
  const all = new Map<string, KeyUse[]>();
  for (const [destination, own] of same) {
    const name = canonicalJson(destination);
    const known = all.get(name);
    if (known === undefined) all.set(name, own);
    else for (const use of own) known.push(use);
  }
  return [...all.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const run = own.find((use) => use.run !== undefined)?.run;
    const runs = (): readonly string[] => [...new Set(own.flatMap(runsOf))];
    return [{ destination: first.destination, runs, ...(run !== undefined && { run }) }];
  });
}

function runsOf({ run, runs }: KeyUse): readonly string[] {
  return runs?.() ?? (run === undefined ? [] : [run]);
}

function isSameKey(a: Destination, b: Destination): boolean {
  const isAlike = (a.keyFingerprint === undefined) === (b.keyFingerprint === undefined);
  return isAlike && keyParts(a).join(' ') === keyParts(b).join(' ');
}

function isSameId(a: Destination, b: Destination): boolean {
  if (a.accountId === undefined || b.accountId === undefined) return false;
  return placeOf(a)[0] === placeOf(b)[0] && idKey(a.accountId) === idKey(b.accountId);
}

function keysOf(accounts: readonly Destination[]): readonly string[] {
  return [...new Set(accounts.flatMap(({ keyFingerprint }) => keyFingerprint ?? []))];
}

function keyWords(keys: readonly string[]): string {
  return `${keys.length === 1 ? 'key' : 'keys'} ${listed(keys)}`;
}

/** The instruction with both solutions: it is the same account, or another. */
function settling(keys: readonly string[], { profile, accountId }: Destination): string {
  if (profile === ofEnvironment) {
    const id = accountId === undefined ? 'DESKHAND_ACCOUNT_ID and ' : '';
    return `the same account: set ${id}DESKHAND_FORMER_KEYS=${keys.join(',')}; another: DESKHAND_OTHER_KEYS=${keys.join(',')}`;
  }
  const words = `${keys.join(' ')} -p ${shellWord(profile)}`;
  const id = accountId === undefined ? ' --account-id ID' : '';
  return `the same account: deskhand keys former ${words}${id}; another: deskhand keys other ${words}`;
}

function wordsFor(profile: string, key: 'account-id' | 'former-ids', id: string): string {
  if (profile === ofEnvironment) {
    return `${key === 'account-id' ? 'DESKHAND_ACCOUNT_ID' : 'DESKHAND_FORMER_IDS'}=${shellWord(id)}`;
  }
  const value = JSON.stringify(id);
  return `profiles.${profile}.${key}: ${key === 'account-id' ? value : `[${value}]`}`;
}
