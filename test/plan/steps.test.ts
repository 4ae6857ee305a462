/** A plan tells of prices and sizes that are finer than the symbol is quoted in. */
import { expect, test } from 'vitest';
import { openDesk, planOn, playbookFrom } from '../support/desk.ts';

const order = (price: string, size: string): string => `
playbook: 1
name: steps
steps:
  - id: it
    uses: futures/place-order
    with:
      symbol: LINKUSDT
      productType: USDT-FUTURES
      marginMode: crossed
      marginCoin: USDT
      side: buy
      tradeSide: open
      orderType: limit
      price: "${price}"
      size: "${size}"
`;

test.each([
  ['14.123', '3', undefined],
  ['14.1234', '3', /^price 14.1234 has more than the 3 decimal places/],
  ['14.123', '3.5', /^size 3.5 has more than the 0 decimal places/],
])('price %s and size %s', async (price, size, note) => {
  const plan = await planOn(await openDesk(), playbookFrom(order(price, size)));
  const said = plan.steps[0]?.actions[0]?.note;
  if (note === undefined) expect(said).toBeUndefined();
  else expect(said).toMatch(note);
});
