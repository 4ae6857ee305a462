/** The identity of an account: the id of its profile, or else its key. */
import { canonicalHost, isLoopbackHost } from '../../base/host.ts';
import { canonicalJson, sha256 } from '../../base/json.ts';
import type { Infer } from '../../exchange/api/schema.ts';
import type { destinationSchema } from './shared-schema.ts';

/** The destination of a run; never a key, a secret or a passphrase. */
export type Destination = Infer<typeof destinationSchema>;

/** All accounts of a plan, a run or its header: its own one first. */
export function destinationsOf<T>(of: {
  readonly destination: T;
  readonly accounts?: readonly T[] | undefined;
}): readonly [T, ...T[]] {
  return [of.destination, ...(of.accounts ?? [])];
}

/** Prefix of the hosts of embedded exchanges; the name of their world follows. */
export const inProcess = 'in-process';

/** Whether an account exists only inside this process and its state folder. */
export function isEmbedded({ target, host }: Destination): boolean {
  return target === 'sandbox' && host.startsWith(inProcess);
}

/** The values that identify an account in digests. With an account-id neither host nor key counts. */
export function accountParts(destination: Destination): readonly string[] {
  const { accountId } = destination;
  if (accountId === undefined) return keyParts(destination);
  const [kind, host] = placeOf(destination);
  // A reset world of the embedded exchange has other accounts with the same ids.
  const world = isEmbedded(destination) ? [host] : [];
  return ['account-id', kind, idKey(accountId), ...world];
}

/** The values that identify an account as one text, unique for each account. */
export function accountName(destination: Destination): string {
  const known = names.get(destination);
  if (known !== undefined) return known;
  const name = nameFrom(destination);
  names.set(destination, name);
  return name;
}

const names = new WeakMap<Destination, string>(); // cache: a ledger asks for each write

function nameFrom(destination: Destination): string {
  const parts = accountParts(destination);
  return destination.accountId === undefined ? parts.join(' ') : canonicalJson(parts);
}

/** The identity of a key; without a key, the profile. */
export function keyParts(destination: Destination): readonly [string, string, string] {
  const { keyFingerprint, profile } = destination;
  return [...placeOf(destination), keyFingerprint ?? profile];
}

/** The form of an account-id for comparison: ids that differ only in case or spaces are equal. */
export function idKey(accountId: string): string {
  return accountId.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

/** The exchange. An address of this machine is one exchange, in a live or a sandbox profile. */
export function placeOf({ target, host }: Destination): readonly [string, string] {
  return [isLoopbackHost(host) ? 'sandbox' : target, canonicalHost(host)];
}

/** The name of an account in locks, claims and records about lists. */
export function accountOf(destination: Destination): string {
  const known = shortNames.get(destination);
  if (known !== undefined) return known;
  const name = shortName(accountName(destination));
  shortNames.set(destination, name);
  return name;
}

const shortNames = new WeakMap<Destination, string>(); // cache: each write asks for it

/**
 * All names under which an account is locked and claimed: its own, and that of its key, which a profile
 * without the account-id uses.
 */
export function accountNames(destination: Destination): readonly string[] {
  return [...new Set([accountOf(destination), shortName(keyParts(destination).join(' '))])];
}

function shortName(name: string): string {
  return sha256(name).slice(0, 16);
}
