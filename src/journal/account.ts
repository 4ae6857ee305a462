/** Who an account is: the id its profile gives it, or else the key that reaches it. */
import { canonicalHost, isLoopbackHost } from '../base/host.ts';
import { canonicalJson, sha256 } from '../base/json.ts';
import type { Infer } from '../api/schema.ts';
import type { destinationSchema } from './shared-schema.ts';

/** Where a run goes to and by whom; never a key, a secret or a passphrase. */
export type Destination = Infer<typeof destinationSchema>;

/** How the hosts of exchanges inside this process begin; the name of their world follows. */
export const inProcess = 'in-process';

/** Whether an account lives inside this process and its state folder, unknown to everyone else. */
export function isEmbedded({ target, host }: Destination): boolean {
  return target === 'sandbox' && host.startsWith(inProcess);
}

/** What names it in digests. With an account-id neither its host nor its key counts. */
export function accountParts(destination: Destination): readonly string[] {
  const { accountId } = destination;
  if (accountId === undefined) return keyParts(destination);
  const [kind, host] = placeOf(destination);
  // A world of the embedded exchange that was reset has other accounts under the same ids.
  const world = isEmbedded(destination) ? [host] : [];
  return ['account-id', kind, idKey(accountId), ...world];
}

/** The same as one text: no two accounts share it. */
export function accountName(destination: Destination): string {
  const known = names.get(destination);
  if (known !== undefined) return known;
  const name = nameFrom(destination);
  names.set(destination, name);
  return name;
}

const names = new WeakMap<Destination, string>(); // a ledger asks for each write

function nameFrom(destination: Destination): string {
  const parts = accountParts(destination);
  return destination.accountId === undefined ? parts.join(' ') : canonicalJson(parts);
}

/** What a key is known by where it is used; the profile represents it where there is no key. */
export function keyParts(destination: Destination): readonly [string, string, string] {
  const { keyFingerprint, profile } = destination;
  return [...placeOf(destination), keyFingerprint ?? profile];
}

/** Two account-ids that differ in case or blanks alone are one. */
export function idKey(accountId: string): string {
  return accountId.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

/**
 * The exchange. An address of this machine is one exchange, whether its profile calls it live or a
 * sandbox.
 */
export function placeOf({ target, host }: Destination): readonly [string, string] {
  return [isLoopbackHost(host) ? 'sandbox' : target, canonicalHost(host)];
}

/** Its name among locks, claims and what was learned of lists. */
export function accountOf(destination: Destination): string {
  return shortName(accountName(destination));
}

/**
 * Every name it is locked and claimed under: its own, and that of its key, which a profile without
 * the account-id locks.
 */
export function accountNames(destination: Destination): readonly string[] {
  return [...new Set([accountOf(destination), shortName(keyParts(destination).join(' '))])];
}

function shortName(name: string): string {
  return sha256(name).slice(0, 16);
}
