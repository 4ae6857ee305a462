/** The step that an address belongs to. */
import type { Address } from '../engine/journal/entry.ts';

/**
 * The step of an address: `ladder[61500.0]` belongs to `ladder`, `desks[a]/ladder[61500.0]` to
 * `desks[a]/ladder`. A key may contain brackets, so only the id of a known step counts.
 */
export function stepOf(address: Address, isStep: (id: string) => boolean): string {
  for (let end = address.length; end > 0; end = address.lastIndexOf('[', end - 1)) {
    if (isStep(address.slice(0, end))) return address.slice(0, end);
  }
  const bracket = address.indexOf('[');
  return bracket === -1 ? address : address.slice(0, bracket);
}
