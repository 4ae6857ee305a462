/** A rate limit in a shared database: what happens when it cannot be written after a response. */
import { expect, test } from 'vitest';
import { standingClock } from '../../../src/base/clock.ts';
import { storedPace } from '../../../src/app/config/stored-pace.ts';
import type { SharedPaces } from '../../../src/stores/shared/shared-paces.ts';
import { StoreError } from '../../../src/stores/store.ts';

test('what is not written after a response is a warning of its session, and fails nothing', async () => {
  const lost = (): Promise<void> => Promise.reject(new StoreError('the database is gone', 'wait'));
  const paces: SharedPaces = {
    take: () => Promise.resolve(0),
    answered: lost,
    hold: lost,
    close: () => Promise.resolve(),
  };
  const warnings: string[] = [];
  const warn = (message: string): void => void warnings.push(message);
  const pace = storedPace(
    paces,
    'key',
    { permits: 1, per: 1, of: 'ip' },
    { clock: standingClock(0), warn },
  );
  const taken = await pace.take();
  if (taken.kind !== 'go') throw new Error('it has its place at once');
  await taken.slot.answered();
  await pace.hold(1);
  expect(warnings).toEqual(
    Array(2).fill('the shared rate limit was not written: the database is gone'),
  );
});
