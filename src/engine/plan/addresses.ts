/** Addresses of a plan: the paths of actions, and their permanent names. */
import type { Address } from '../journal/entry.ts';

export { clientOidOf, identityOf } from '../journal/identity.ts';

/** The address of an action: its step, and its item if there are several. */
export function addressOf(step: string, key?: string): Address {
  return key === undefined ? step : `${step}[${key}]`;
}

/** The step and the key in the address of an item; undefined for another address. */
export function itemAt(
  address: Address,
): { readonly step: string; readonly key: string } | undefined {
  const at = address.indexOf('[');
  if (at < 1 || !address.endsWith(']')) return undefined;
  return { step: address.slice(0, at), key: address.slice(at + 1, -1) };
}

/**
 * The step or item, of some, to which an address belongs: it is that of the step, of one of its items, or of a step
 * of a playbook that it uses.
 */
export function ownerOf(address: string, owners: ReadonlySet<string>): string | undefined {
  for (let end = 0; end <= address.length; end += 1) {
    const next = address[end];
    if (next !== undefined && next !== '[' && next !== '/') continue;
    const outer = address.slice(0, end);
    if (owners.has(outer)) return outer;
  }
  return undefined;
}
