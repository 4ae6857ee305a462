/** Addresses of a plan: where an action is, and what names it permanently. */
import type { Address } from '../journal/entry.ts';

export { clientOidOf, identityOf } from '../journal/identity.ts';

/** Where an action is: its step, and its item when there are several. */
export function addressOf(step: string, key?: string): Address {
  return key === undefined ? step : `${step}[${key}]`;
}
