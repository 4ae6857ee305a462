/** Addresses of a plan: the paths of actions, and their permanent names. */
import type { Address } from '../journal/entry.ts';

export { clientOidOf, identityOf } from '../journal/identity.ts';

/** The address of an action: its step, and its item if there are several. */
export function addressOf(step: string, key?: string): Address {
  return key === undefined ? step : `${step}[${key}]`;
}
