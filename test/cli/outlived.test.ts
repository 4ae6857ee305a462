/** A plan that expired during its review. */
import { expect, test } from 'vitest';
import { hour, standingClock } from '../../src/base/clock.ts';
import { seededRandom } from '../../src/base/random.ts';
import { createClient } from '../../src/exchange/client/client.ts';
import { refuseOutlived } from '../../src/app/planning/reviewed.ts';
import { openHarness, planOn, playbookFrom } from '../support/harness.ts';

test('a plan that expired at the prompt is refused, even if this machine was suspended', async () => {
  const harness = await openHarness();
  const reads = '  - { id: look, uses: market/list-tickers, with: { category: SPOT } }\n';
  const plan = await planOn(harness, playbookFrom(`playbook: 1\nname: it\nsteps:\n${reads}`));
  const asleep = standingClock(harness.clock.now());
  const random = seededRandom(7);
  const exchange = createClient({ transport: harness.sandbox.transport, clock: asleep, random });
  const signal = new AbortController().signal;
  await refuseOutlived(plan, exchange, signal, hour);
  harness.clock.advance(2 * hour);
  await expect(refuseOutlived(plan, exchange, signal, hour)).rejects.toThrow(
    /is 2 h old and was valid for 60 min; nothing was sent$/,
  );
});
