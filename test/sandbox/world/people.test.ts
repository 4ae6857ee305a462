/** Referred customers, loans and tax records that follow from the seed alone. */
import { describe, expect, test } from 'vitest';
import { day, hour, minute } from '../../../src/base/clock.ts';
import { decimal, decimalText } from '../../../src/base/decimal.ts';
import { customersOf } from '../../../src/sandbox/world/customers.ts';
import { loansOf } from '../../../src/sandbox/world/loans.ts';
import { p2pRecords } from '../../../src/sandbox/world/p2p.ts';
import { interestOn } from '../../../src/sandbox/world/rates.ts';
import { startOfAgentDay } from '../../../src/sandbox/windows.ts';

const born = Date.UTC(2026, 10, 21, 9, 30);
const agent = '7000000004';

describe('an agent', () => {
  const customers = customersOf(1, agent, born);

  test('starts with some sixty customers, half of them of the last 30 days', () => {
    const all = customers.at(born);
    const recent = all.filter(({ registerTime }) => registerTime > born - 30 * day);
    expect(all.length).toBeGreaterThanOrEqual(60);
    expect(all.length).toBeLessThanOrEqual(62);
    expect(recent.length).toBeGreaterThanOrEqual(28);
    expect(new Set(all.map(({ uid }) => uid)).size).toBe(all.length);
    expect(all.some(({ isTooLarge }) => isTooLarge)).toBe(true);
  });

  test('gets one more customer every day, so the previous day is never empty', () => {
    for (let later = 0; later < 40; later++) {
      const now = born + later * day;
      const today = startOfAgentDay(now);
      const yesterday = customers
        .at(now)
        .filter(({ registerTime }) => registerTime >= today - day && registerTime < today);
      expect(yesterday).toHaveLength(1);
    }
  });

  test('sees the same volume of a day in every window that contains its start', () => {
    const today = startOfAgentDay(born);
    const wide = customers.volumes({ from: today - 30 * day, to: born }, born);
    const narrow = customers.volumes({ from: today - 5 * day, to: today - 4 * day - 1 }, born);
    expect(narrow.length).toBeGreaterThan(10);
    expect(wide).toEqual(expect.arrayContaining([...narrow]));
    expect(wide.map(({ time }) => time)).toEqual(
      wide.map(({ time }) => time).sort((a, b) => b - a),
    );
  });

  test('sees today’s volume grow every ten minutes', () => {
    const today = startOfAgentDay(born);
    const total = (now: number) =>
      customers.volumes({ from: today, to: now }, now).reduce((sum, { cents }) => sum + cents, 0);
    const refreshed = Math.floor(born / (10 * minute)) * 10 * minute;
    expect(total(refreshed + 10 * minute - 1)).toBe(total(refreshed));
    expect(total(refreshed + 10 * minute)).toBeGreaterThan(total(refreshed));
    expect(total(today + day)).toBeGreaterThan(total(today + 12 * hour));
  });

  test('sees no trades of a customer before the registration', () => {
    for (const { uid, registerTime } of customers.at(born)) {
      const before = { from: registerTime - 20 * day, to: startOfAgentDay(registerTime) - 1 };
      expect(customers.volumes(before, born).filter((row) => row.uid === uid)).toEqual([]);
    }
  });
});

describe('loans', () => {
  const borrower = { seed: 1, uid: agent, born };

  test('are kept at any age', () => {
    const then = loansOf(borrower, born).within({ from: 0, to: born });
    const later = loansOf(borrower, born + 900 * day);
    expect(then).toHaveLength(12);
    for (const { orderId, loanTime } of then) {
      expect(later.of(orderId)).toMatchObject({ orderId, loanTime, status: 'paid_off' });
      const at = Number(loanTime);
      expect(later.within({ from: at, to: at + 15 * day }).map((loan) => loan.orderId)).toEqual([
        orderId,
      ]);
    }
  });

  test('belong to one account, and are unknown before they are drawn', () => {
    const [next] = loansOf(borrower, born + 40 * day).within({ from: born, to: born + 40 * day });
    const id = next?.orderId ?? '';
    expect(id).not.toBe('');
    expect(loansOf(borrower, born).of(id)).toBeUndefined();
    expect(loansOf({ ...borrower, uid: '7' }, born + 40 * day).of(id)).toBeUndefined();
    expect(loansOf(borrower, born).of('130000010000000004')).toBeUndefined();
  });

  test('are listed in every window of 30 days, newest first', () => {
    for (let later = 0; later < 100; later += 7) {
      const now = born + later * day;
      const loans = loansOf(borrower, now).within({ from: 0, to: now });
      expect(Number(loans[0]?.loanTime)).toBeGreaterThan(now - 30 * day);
      const times = loans.map(({ loanTime }) => Number(loanTime));
      expect(times).toEqual([...times].sort((a, b) => b - a));
    }
  });

  test('add up, and are paid off in time', () => {
    const loans = loansOf(borrower, born).within({ from: 0, to: born });
    for (const { loanAmount, unpaidAmount, repaidAmount, status, loanTime } of loans) {
      const sum = decimal(unpaidAmount).plus(decimal(repaidAmount));
      expect(decimalText(sum)).toBe(decimalText(decimal(loanAmount)));
      expect(status === 'paid_off').toBe(born - Number(loanTime) > 60 * day);
    }
    expect(new Set(loans.map(({ status }) => status))).toEqual(
      new Set(['paid_off', 'not_paid_off']),
    );
  });
});

describe('tax records', () => {
  const all = p2pRecords(1, agent, { span: { from: 0, to: born }, now: born, born });

  test('are several hundred over 400 days, of all kinds, newest first', () => {
    expect(all.length).toBeGreaterThan(400);
    expect(all.length).toBeLessThan(2_000);
    expect(new Set(all.map(({ p2pTaxType }) => p2pTaxType)).size).toBe(4);
    for (const [index, record] of all.entries()) {
      const older = all[index + 1];
      if (older === undefined) continue;
      expect(BigInt(record.id) > BigInt(older.id)).toBe(true);
      expect(Number(record.ts)).toBeGreaterThanOrEqual(Number(older.ts));
    }
  });

  test('share a time on busy days', () => {
    const perMoment = new Map<string, number>();
    for (const { ts } of all) perMoment.set(ts, (perMoment.get(ts) ?? 0) + 1);
    expect(Math.max(...perMoment.values())).toBe(30);
  });

  test('are the same in any window', () => {
    const span = { from: born - 100 * day, to: born - 70 * day };
    const inside = all.filter(({ ts }) => Number(ts) >= span.from && Number(ts) <= span.to);
    expect(p2pRecords(1, agent, { span, now: born, born })).toEqual(inside);
  });
});

test('interest has eight decimals and changes every hour', () => {
  const rate = interestOn(1, 'USDT', born);
  expect(rate?.dailyInterestRate).toMatch(/^0\.\d{8}$/);
  expect(rate?.annualInterestRate).toMatch(/^0\.\d{8}$/);
  expect(rate?.updatedTime).toBe(String(Math.floor(born / hour) * hour));
  expect(interestOn(1, 'NOPE', born)).toBeUndefined();
});
