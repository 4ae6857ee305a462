/** Names that stay the same for ever: of an item, of an action, of the order it places. */
import { digestOf, type Json } from '../base/json.ts';
import { nameFor } from '../base/name.ts';
import type { Address } from '../journal/entry.ts';

/** Where an action is: its step, and its item when there are several. */
export function addressOf(step: string, key?: string): Address {
  return key === undefined ? step : `${step}[${key}]`;
}

/**
 * What names a write for ever. Within a run that is the run and the address. With `once-per:
 * playbook` it is the account, the playbook, the address and the content, whichever run does it.
 */
export function identityOf(
  scope:
    | { readonly per: 'run'; readonly run: string }
    | { readonly per: 'playbook'; readonly account: string; readonly playbook: string },
  address: Address,
  content: Json,
): string {
  return scope.per === 'run'
    ? digestOf(['run', scope.run, address])
    : digestOf(['playbook', scope.account, scope.playbook, address, content]);
}

const lettersOfHash = 26; // 130 bits: two names never meet; 28 in all is short enough everywhere

/** The clientOid of the order an identity stands for: 28 lower-case letters and digits. */
export function clientOidOf(identity: string): string {
  return `dh${nameFor(identity, lettersOfHash)}`;
}
