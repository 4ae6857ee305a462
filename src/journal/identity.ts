/** Names that stay the same permanently: of a write, and of the order it places. */
import { digestOf, type Json } from '../base/json.ts';
import { nameFor } from '../base/name.ts';
import { canonicalDecimal } from '../api/content.ts';
import type { Address } from './entry.ts';

/** Whose write it is: of one run, or of a playbook on an account, whichever run does it. */
export type Scope =
  | { readonly per: 'run'; readonly run: string }
  | { readonly per: 'playbook'; readonly account: string; readonly playbook: string };

/**
 * What names a write permanently. Within a run that is the run and the address. With `once-per:
 * playbook` it is the account, the playbook, the address and the content.
 */
export function identityOf(scope: Scope, address: Address, content: Json): string {
  return scope.per === 'run'
    ? digestOf(['run', scope.run, address])
    : digestOf(['playbook', scope.account, scope.playbook, address, content]);
}

const lettersOfHash = 26; // 130 bits: two names never meet; 28 in all is short enough everywhere

/** The clientOid of the order an identity represents: 28 lower-case letters and digits. */
export function clientOidOf(identity: string): string {
  return `dh${nameFor(identity, lettersOfHash)}`;
}

/** An item's key as compared: a decimal by its value, anything else by its letters. */
export const canonicalKey = canonicalDecimal;

/** An address whose decimal keys represent their values: `ladder[0.010]` is `ladder[0.01]`. */
export function canonicalAddress(address: Address): Address {
  return address.replaceAll(
    /\[(-?\d+(?:\.\d+)?)\](?=\/|$)/g,
    (_all, key: string) => `[${canonicalKey(key)}]`,
  );
}
