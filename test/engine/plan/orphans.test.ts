import { expect, test } from 'vitest';
import { canonicalAddress } from '../../../src/engine/journal/identity.ts';
import { placeOf } from '../../../src/engine/plan/orphans.ts';

const addresses = [
  'ladder',
  'ladder2',
  'ladder[61500.0]',
  'ladder[61500.00]',
  'ladder[6]',
  'desks[a]',
  'desks[a]/ladder',
  'desks[a]/ladder[1.50]',
  'desks[a]/ladder[1.5]/x',
  'desks[a/b]/ladder',
  'desks[a[0]]',
];

/** An item belongs to its step, and a step to the step that uses its playbook. */
function isUnder(address: string, place: string): boolean {
  const [own, around] = [canonicalAddress(address), canonicalAddress(place)];
  return own.startsWith(around) && ['', '[', '/'].includes(own.charAt(around.length));
}

test('an order at any place of a later step is treated as part of the playbook', () => {
  const nowhere = new Set<string>();
  for (const address of addresses) {
    for (const place of addresses) {
      const under = isUnder(address, place);
      const places = new Set([canonicalAddress(place)]);
      const order = { key: 'k', address };
      const known = { keys: nowhere, later: nowhere, skipped: nowhere };
      expect(placeOf(order, { ...known, later: places })).toBe(under ? 'later' : 'out');
      expect(placeOf(order, { ...known, skipped: places })).toBe(under ? 'in' : 'out');
    }
  }
});
