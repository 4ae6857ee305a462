/** Permanent names of a write, and of its order. */
import { digestOf, type Json } from '../../base/json.ts';
import { nameFor } from '../../base/name.ts';
import { canonicalDecimal } from '../../exchange/api/content.ts';
import type { Address } from './entry.ts';

/** The scope of a write: one run, or a playbook on an account in any run. */
export type Scope =
  | { readonly per: 'run'; readonly run: string }
  | { readonly per: 'playbook'; readonly account: string; readonly playbook: string };

/**
 * The permanent identity of a write. Within a run it is the run and the address. With `once-per:
 * playbook` it is the account, the playbook, the address and the content.
 */
export function identityOf(scope: Scope, address: Address, content: Json): string {
  return scope.per === 'run'
    ? digestOf(['run', scope.run, address])
    : digestOf(['playbook', scope.account, scope.playbook, address, content]);
}

const lettersOfHash = 26; // 130 bits: no collisions; 28 characters in total are accepted everywhere

/** The clientOid of the order of an identity: 28 lower-case letters and digits. */
export function clientOidOf(identity: string): string {
  return `dh${nameFor(identity, lettersOfHash)}`;
}

/** Whether only deskhand can have made a clientOid. */
export function isOurName(clientOid: string): boolean {
  return /^dh[a-z2-7]{26}$/.test(clientOid);
}

/** An item's key in canonical form: a decimal by its value, anything else as text. */
export const canonicalKey = canonicalDecimal;

/** An address with canonical decimal keys: `ladder[0.010]` is `ladder[0.01]`. */
export function canonicalAddress(address: Address): Address {
  return address.replaceAll(
    /\[(-?\d+(?:\.\d+)?)\](?=\/|$)/g,
    (_all, key: string) => `[${canonicalKey(key)}]`,
  );
}

/** Whether a text can be the id of a run: it names a folder. */
export function isRunId(text: string): boolean {
  return /^[a-z0-9-]{1,64}$/.test(text);
}
