/** Which run a time of a schedule is: one for each, wherever it is begun. */
import { describe, expect, test } from 'vitest';
import { scheduleId, shownTime, slotAt, slotRunId } from '../../../src/app/schedule/slot.ts';
import { destination, playbookFrom } from '../../support/harness.ts';

const playbook = playbookFrom(`
playbook: 1
name: nightly
schedule:
  - { cron: "15 2 * * *", timezone: "+08:00", only: [b] }
  - { cron: "15 2 * * 1", timezone: "+08:00", only: [a, b] }
  - { cron: "0 0 1 * *" }
steps:
  - { id: a, uses: market/list-tickers, with: { category: SPOT } }
  - { id: b, uses: market/list-tickers, with: { category: SPOT } }
`);
const tuesday = Date.parse('2026-11-24T02:15:00+08:00');
const monday = Date.parse('2026-11-23T02:15:00+08:00');

describe('the slot of an occurrence', () => {
  test('has the steps of its schedule', () => {
    expect(slotAt(playbook, tuesday, [])).toEqual({ scheduledFor: tuesday, only: ['b'] });
    expect(slotAt(playbook, Date.parse('2026-12-01T00:00Z'), []).only).toEqual([]);
  });

  test('requires a choice between two schedules', () => {
    expect(() => slotAt(playbook, monday, [])).toThrow(
      /no schedule with exactly these steps at 2026-11-22T18:15Z/,
    );
    expect(slotAt(playbook, monday, ['b', 'a', 'a']).only).toEqual(['a', 'b']);
  });

  test('is refused if no schedule is due, with the next time', () => {
    expect(() => slotAt(playbook, tuesday + 60_000, [])).toThrow(
      expect.objectContaining({
        message: 'no schedule of nightly is due at 2026-11-23T18:16Z',
        hint: 'the next time is 2026-11-24T18:15Z',
      }),
    );
  });

  test('is any time for a playbook without schedules', () => {
    const any = { ...playbook, schedule: [] };
    expect(slotAt(any, 12_345, ['a'])).toEqual({ scheduledFor: 12_345, only: ['a'] });
  });
});

test('a slot has one run, wherever it is started, and no other slot has it', () => {
  const slot = { scheduledFor: tuesday, only: ['b'] };
  const own = slotRunId(destination, 'nightly', slot);
  expect(own).toMatch(/^r-[0-9a-f]{10}$/);
  expect(slotRunId({ ...destination, profile: 'other' }, 'nightly', slot)).toBe(own);
  const others = [
    slotRunId({ ...destination, keyFingerprint: '11111111' }, 'nightly', slot),
    slotRunId(destination, 'daily', slot),
    slotRunId(destination, 'nightly', { ...slot, scheduledFor: monday }),
    slotRunId(destination, 'nightly', { ...slot, only: [] }),
  ];
  expect(new Set([own, ...others]).size).toBe(5);
});

test('a schedule keeps its id while its meaning is unchanged', () => {
  const entry = { cron: '15 2 * * *', timezone: 'UTC', only: ['a', 'b'] };
  const own = scheduleId('main', 'nightly', entry);
  expect(scheduleId('main', 'nightly', { ...entry, cron: ' 15  2 * * *', only: ['b', 'a'] })).toBe(
    own,
  );
  expect(scheduleId('main', 'nightly', { ...entry, timezone: '+00:00' })).not.toBe(own);
  expect(scheduleId('other', 'nightly', entry)).not.toBe(own);
});

test('a time is shown in the format of the flag', () => {
  const moments = [tuesday, tuesday + 1_000, tuesday + 1];
  expect(moments.map(shownTime)).toEqual([
    '2026-11-23T18:15Z',
    '2026-11-23T18:15:01Z',
    '2026-11-23T18:15:00.001Z',
  ]);
});
