/** Whatever is done to a world: its checks hold, and doing it again from the log gives the same. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { day, minute, second, standingClock, type StandingClock } from '../../src/base/clock.ts';
import type { OperationName } from '../../src/exchange/api/operations/index.ts';
import { Refusal } from '../../src/sandbox/refusal.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { opened, signed } from './support.ts';

const born = Date.UTC(2026, 10, 21, 4, 0, 0);

type Deed = (sandbox: Sandbox, clock: StandingClock) => void;

const role = fc.constantFrom('oneway', 'hedge', 'leader', 'sub');
const symbol = fc.constantFrom('BTCUSDT', 'ETHUSDT', 'SOLUSDT');
const bases = { BTCUSDT: 81_000, ETHUSDT: 3_280, SOLUSDT: 155 };
const sizes = { BTCUSDT: 0.05, ETHUSDT: 1.5, SOLUSDT: 40 };

function send(
  sandbox: Sandbox,
  who: keyof Sandbox['accounts'],
  name: OperationName,
  input: object,
) {
  const request = signed(sandbox.accounts[who], name, { input, timestamp: sandbox.now() });
  return opened(sandbox.handle(request));
}

const placing = fc
  .record({
    who: role,
    of: symbol,
    side: fc.constantFrom('buy', 'sell'),
    tradeSide: fc.constantFrom('open', 'close'),
    orderType: fc.constantFrom('limit', 'market'),
    force: fc.constantFrom('gtc', 'ioc', 'fok', 'post_only'),
    stpMode: fc.constantFrom('none', 'cancel_taker', 'cancel_maker', 'cancel_both'),
    reduceOnly: fc.constantFrom('YES', 'NO'),
    distance: fc.integer({ min: -30, max: 30 }),
    times: fc.integer({ min: 1, max: 8 }),
  })
  .map(({ who, of, tradeSide, reduceOnly, distance, times, ...order }): Deed => {
    const isHedge = who === 'hedge' || who === 'leader';
    const price = (bases[of] * (1 + distance / 1_000)).toFixed(1);
    return (sandbox) => {
      send(sandbox, who, 'futures/place-order', {
        ...order,
        ...(isHedge ? { tradeSide } : { reduceOnly }),
        symbol: of,
        productType: 'USDT-FUTURES',
        marginMode: 'crossed',
        marginCoin: 'USDT',
        size: (sizes[of] * times).toFixed(of === 'SOLUSDT' ? 1 : 2),
        ...(order.orderType === 'limit' && { price }),
      });
    };
  });

const passing = fc.integer({ min: 100, max: 2 * day }).map(
  (ms): Deed =>
    (_sandbox, clock) =>
      clock.advance(ms),
);
const ticking = fc.constant<Deed>((_sandbox, clock) => clock.advance(second));
const leverage = fc
  .record({ who: role, leverage: fc.integer({ min: 1, max: 125 }) })
  .map(({ who, leverage: wanted }): Deed => (sandbox) => {
    const input = { productType: 'USDT-FUTURES', leverage: String(wanted) };
    send(sandbox, who, 'futures/set-all-leverage', input);
  });
const reading = role.map((who): Deed => (sandbox) => {
  send(sandbox, who, 'order/list-open', {});
});
const pushing = fc
  .record({ of: symbol, percent: fc.integer({ min: -40, max: 60 }) })
  .map(({ of, percent }): Deed => (sandbox) => {
    const price = (bases[of] * (1 + percent / 100)).toFixed(1);
    sandbox.control('POST', 'market', { category: 'USDT-FUTURES', symbol: of, price });
  });
const lateOrder = fc.constant<Deed>((sandbox) => {
  const action = { kind: 'late-commit', ms: minute };
  const rules = [{ match: { operation: 'futures/place-order' }, times: 1, action }];
  sandbox.control('PUT', 'faults', { rules });
});
const takingOut = role.map((who): Deed => (sandbox) => {
  const { uid } = sandbox.accounts[who];
  const money = { uid, walletType: 'USDT-FUTURES', coin: 'USDT', amount: '-700000' };
  try {
    sandbox.control('POST', 'transfers', money);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error; // it has not so much left
  }
});

const deeds = fc.array(
  fc.oneof(
    { weight: 10, arbitrary: placing },
    { weight: 3, arbitrary: passing },
    { weight: 3, arbitrary: ticking },
    { weight: 2, arbitrary: reading },
    { weight: 1, arbitrary: leverage },
    { weight: 1, arbitrary: pushing },
    { weight: 1, arbitrary: lateOrder },
    { weight: 1, arbitrary: takingOut },
  ),
  { minLength: 5, maxLength: 60 },
);

test('the engine’s checks hold, and the log reproduces the world', async () => {
  await fc.assert(
    fc.asyncProperty(deeds, async (list) => {
      const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
      const stateFile = join(folder, 'world');
      const clock = standingClock(born);
      const sandbox = await openSandbox({ clock, stateFile, limits: false });
      for (const deed of list) deed(sandbox, clock);
      expect(sandbox.control('GET', 'invariants')).toEqual([]);
      const again = await openSandbox({ clock, stateFile });
      expect(again.control('GET', 'hash')).toEqual(sandbox.control('GET', 'hash'));
      expect(again.control('GET', 'invariants')).toEqual([]);
      await Promise.all([sandbox.close(), again.close()]);
      rmSync(folder, { recursive: true });
    }),
    { numRuns: 60, seed: 20_261_121 },
  );
});
