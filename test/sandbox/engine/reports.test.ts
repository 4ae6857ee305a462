/** What agents' reports are made of: each fill once at its own time, balances as of a refresh. */
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { day, minute } from '../../../src/base/clock.ts';
import { decimal, decimalText, zero } from '../../../src/base/decimal.ts';
import { createEngine, restoreEngine } from '../../../src/sandbox/engine/create.ts';
import type { Engine } from '../../../src/sandbox/engine/engine.ts';
import { lastRefresh } from '../../../src/sandbox/engine/model/reporting.ts';
import { btc, testEngine, funded, type TestEngine } from './support.ts';

let d: TestEngine;
beforeEach(() => {
  d = testEngine([btc]);
  funded(d, 'a');
  funded(d, 'b');
});

/** Buys 1 of what `a` sells at 100. */
const take = (size = '1'): void => {
  d.place('b', { size, force: 'ioc' });
};

/** What a report at that moment says was traded, by day. */
function reported(engine: Engine, uid: string, now: number): Record<string, string> {
  const days: Record<string, string> = {};
  for (const { until, value } of engine.tradedValues(uid)) {
    if (until > lastRefresh(now)) continue;
    const name = String(Math.floor(until / day));
    days[name] = decimalText(decimal(days[name] ?? '0').plus(decimal(value)));
  }
  return days;
}

const usdt = (engine: Engine, uid: string, now: number): string | undefined =>
  engine
    .reportedBalances(uid, now)
    .find(({ walletType, coin }) => walletType === 'SPOT' && coin === 'USDT')?.balance;

describe('traded value', () => {
  test('counts each fill of an order on its own day', () => {
    d.wait(1); // what happens at the very moment of a refresh is in it
    d.place('a', { side: 'sell', size: '10' });
    const today = String(Math.floor(d.now() / day));
    take();
    d.wait(10 * minute);
    expect(reported(d.engine, 'a', d.now())).toEqual({ [today]: '100' });
    d.wait(day);
    take('2');
    expect(reported(d.engine, 'a', d.now())).toEqual({ [today]: '100' });
    d.wait(10 * minute);
    const both = { [today]: '100', [String(Number(today) + 1)]: '200' };
    expect(reported(d.engine, 'a', d.now())).toEqual(both);
    d.act({ kind: 'cancel-all', uid: 'a' });
    d.wait(day);
    expect(reported(d.engine, 'a', d.now())).toEqual(both);
    expect(reported(d.engine, 'b', d.now())).toEqual(both);
  });

  test('survives a snapshot, and older worlds count an order at its last change', () => {
    d.place('a', { side: 'sell', size: '2' });
    take();
    d.wait(day);
    take();
    const snapshot = d.engine.snapshot();
    const again = restoreEngine(snapshot);
    expect([...again.tradedValues('a')]).toEqual([...d.engine.tradedValues('a')]);
    expect(again.hash()).toBe(d.engine.hash());
    const { reported: _new, ...state } = snapshot.state;
    const accounts = state.accounts.map(({ traded: _alsoNew, ...account }) => account);
    const older = restoreEngine({ version: 1, state: { ...state, accounts } });
    const later = d.now() + 10 * minute;
    const today = String(Math.floor(d.now() / day));
    expect(reported(older, 'a', later)).toEqual({ [today]: '200' });
  });
});

describe('reported balances', () => {
  test('do not change with movements of other accounts', () => {
    d.wait(10 * minute);
    const before = usdt(d.engine, 'a', d.now());
    expect(before).toBe('10000');
    d.wait(1);
    d.act({ kind: 'credit', uid: 'a', walletType: 'SPOT', coin: 'USDT', amount: '5' });
    for (let count = 0; count < 10_100; count++) {
      d.act({ kind: 'credit', uid: 'b', walletType: 'SPOT', coin: 'USDT', amount: '1' });
    }
    expect(usdt(d.engine, 'a', d.now())).toBe(before);
    d.wait(10 * minute);
    expect(usdt(d.engine, 'a', d.now())).toBe('10005');
  });

  test('are those of the last refresh, for any history and through snapshots', () => {
    const moves = fc.array(
      fc.record({
        wait: fc.constantFrom(0, 1, minute, 10 * minute - 1, 10 * minute, 25 * minute),
        amount: fc.integer({ min: 1, max: 9 }),
        isSaved: fc.boolean(),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(moves, (history) => {
        let engine = createEngine();
        let now = 1_700_000_000_000;
        const positionModes = {};
        engine.apply({ kind: 'open-account', uid: 'a', accountKind: 'main', positionModes }, now);
        const made: { at: number; amount: number }[] = [];
        for (const { wait, amount, isSaved } of history) {
          now += wait;
          const move = {
            uid: 'a',
            walletType: 'SPOT',
            coin: 'USDT',
            amount: String(amount),
          } as const;
          engine.apply({ kind: 'credit', ...move }, now);
          made.push({ at: now, amount });
          if (isSaved) engine = restoreEngine(engine.snapshot());
          for (const later of [now, now + 1, now + 10 * minute]) {
            const seen = made.filter(({ at }) => at <= lastRefresh(later));
            const sum = seen.reduce((all, one) => all.plus(decimal(String(one.amount))), zero);
            expect(usdt(engine, 'a', later) ?? '0').toBe(decimalText(sum));
          }
        }
      }),
    );
  });
});
