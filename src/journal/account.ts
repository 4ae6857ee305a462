/** What names an account: two profiles with one key at one exchange are one. */
import { sha256 } from '../base/json.ts';
import type { Destination } from './entry.ts';

/** Where it is, and whose. */
export function accountParts(destination: Destination): readonly string[] {
  const { target, host, keyFingerprint, profile } = destination;
  return [target, host, keyFingerprint ?? profile];
}

/** Its name among locks and claims. */
export function accountOf(destination: Destination): string {
  return sha256(accountParts(destination).join(' ')).slice(0, 16);
}
