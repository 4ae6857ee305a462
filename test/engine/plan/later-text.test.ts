/** A text of which a plan knows a part: a reviewer reads that part, and after which step the rest is known. */
import { expect, test } from 'vitest';
import { localWords } from '../../../src/report/words.ts';
import { limitOrder } from '../../support/order.ts';
import { openHarness, planOn, playbookFrom } from '../../support/harness.ts';

test('a notice shows what is known of its text', async () => {
  const playbook = playbookFrom(`
playbook: 1
name: later
steps:
  - id: order
    uses: futures/place-order
    with:${limitOrder({ price: '40000.0' })}
  - id: tell
    uses: notify/webhook
    with:
      url: https://hooks.example/a
      text: "{{ mul 2 3 }} bids, the first is {{ steps.order.response.orderId }}."
`);
  const { steps } = await planOn(await openHarness(), playbook);
  const [{ input } = {}] = steps.at(-1)?.actions ?? [];
  expect(input).toMatchObject({
    text: { 'known-after': 'order', text: '6 bids, the first is (after order).' },
  });
  expect(localWords({ input: input ?? null })).toBe(
    'POST to hooks.example: "6 bids, the first is (after order)."',
  );
});
