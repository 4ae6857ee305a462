/** Queries by time: the windows a list is read in, and how far back they may reach. */
import { expect, test } from 'vitest';
import { day, minute } from '../../../src/base/clock.ts';
import type { OperationName } from '../../../src/exchange/api/operations/index.ts';
import { fieldsOf, order } from '../../support/lists.ts';
import { scripted, startOfTest, success } from '../../support/scripted.ts';

const now = startOfTest;

async function sentFor(name: OperationName, input: object) {
  const { client, requests } = scripted(({ operation }) =>
    success(
      operation === 'order/list-history'
        ? { list: [], cursor: '' }
        : operation === 'futures/list-bills'
          ? { bills: [], endId: '' }
          : [],
    ),
  );
  for await (const page of client.pages(name, input)) expect(page.rows).toEqual([]);
  return requests.map(fieldsOf);
}
const dayOf = (text: string | undefined): number => (now - Number(text)) / day;

test('windows go from oldest to newest, touch without gaps and never overlap', async () => {
  const sent = await sentFor('order/list-history', {
    startTime: String(now - 70 * day),
    endTime: String(now),
  });
  expect(sent.map(({ limit }) => limit)).toEqual(['100', '100', '100']);
  expect(sent[0]?.['startTime']).toBe(String(now - 70 * day));
  expect(sent.at(-1)?.['endTime']).toBe(String(now));
  for (const [before, after] of sent.slice(1).map((window, index) => [sent[index], window])) {
    expect(Number(after?.['startTime'])).toBe(Number(before?.['endTime']) + 1);
  }
});

test('times are always sent, even if the playbook omits them', async () => {
  const history = await sentFor('order/list-history', {});
  expect(history.map(({ endTime }) => Math.round(dayOf(endTime)))).toEqual([60, 30, 0]);
  expect(Math.round(dayOf(history[0]?.['startTime']))).toBe(90);
  const bills = await sentFor('futures/list-bills', { productType: 'USDT-FUTURES' });
  expect(bills).toHaveLength(3);
  const [volume] = await sentFor('agent/list-trade-volume', {});
  const midnight = Date.UTC(2026, 10, 19, 16); // 00:00 of the 20th in UTC+8
  expect(volume).toMatchObject({
    startTime: String(midnight - day),
    endTime: String(midnight - 1),
  });
});

test('a request for one customer or one loan has no times, because times would hide it', async () => {
  expect(await sentFor('agent/list-customers', { uid: '7' })).toEqual([
    { uid: '7', pageNo: '1', pageSize: '1000' },
  ]);
  expect(await sentFor('loan/list-orders', { orderId: '7' })).toEqual([{ orderId: '7' }]);
});

test('a list of loans starts 30 days ago by default, whatever its end is', async () => {
  const [early] = await sentFor('loan/list-orders', { endTime: String(now - 10 * day) });
  expect([dayOf(early?.['startTime']), dayOf(early?.['endTime'])]).toEqual([30, 10]);
  await expect(sentFor('loan/list-orders', { endTime: String(now - 31 * day) })).rejects.toThrow(
    'without startTime only the last',
  );
});

test('one bound is completed: a start reaches to now, an end begins where the data begins', async () => {
  for (const name of ['order/list-history', 'agent/list-trade-volume', 'tax/list-p2p'] as const) {
    const sent = await sentFor(name, { startTime: String(now - 70 * day) });
    expect(sent, name).toHaveLength(3);
    expect(dayOf(sent.at(-1)?.['endTime']), name).toBe(0);
  }
  const sent = await sentFor('agent/list-trade-volume', { endTime: String(now - 10 * day) });
  expect([Math.round(dayOf(sent[0]?.['startTime'])), dayOf(sent.at(-1)?.['endTime'])]).toEqual([
    90, 10,
  ]);
});

test('an end in the future is now: rows that arrive later belong to the next read', async () => {
  const [sent] = await sentFor('order/list-history', {
    startTime: String(now - day),
    endTime: String(now + day),
  });
  expect(sent).toMatchObject({ endTime: String(now) });
});

test('the oldest start moves forward while a long list is read', async () => {
  let asked = 0;
  const { client, clock, requests } = scripted(() => {
    clock.advance(minute);
    asked += 1;
    const list = asked > 3 ? [] : [order({ id: 9 - asked, at: now })];
    return success({ list, cursor: 'x'.repeat(asked) }, now + asked * minute);
  });
  const input = { startTime: '0', endTime: String(now - 60 * day) };
  const pages = [];
  for await (const page of client.pages('order/list-history', input)) pages.push(page.window);
  const starts = requests.map((request) => Number(fieldsOf(request)['startTime']));
  expect(starts.map((start) => Math.round((start - (starts[0] ?? 0)) / minute))).toEqual([
    0, 1, 2, 3,
  ]);
  expect(pages.map((window) => window?.start)).toEqual(starts);
});

test('a range from the beginning of time is read in windows that no check takes for seconds', async () => {
  const sent = await sentFor('loan/list-orders', { startTime: '0' });
  expect(sent[0]?.['startTime']).toBe('100000000000');
  expect(Number(sent.at(-1)?.['endTime'])).toBe(now);
  expect(sent.every(({ endTime }) => String(endTime).length >= 12)).toBe(true);
  await expect(sentFor('loan/list-orders', { startTime: '0', endTime: '9' })).rejects.toThrow(
    'keeps only data since 1973',
  );
});

test('contradicting times, and times before all data, are refused', async () => {
  const walk = (input: object) => sentFor('order/list-history', input);
  const late = String(now - 1);
  await expect(walk({ startTime: String(now), endTime: late })).rejects.toThrow('after endTime');
  await expect(walk({ startTime: '0', endTime: '1' })).rejects.toThrow('keeps only the last');
  const soon = String(now + 2 * minute);
  await expect(walk({ startTime: soon })).rejects.toThrow('startTime is in the future');
  await expect(sentFor('tax/list-p2p', { endTime: late })).rejects.toThrow('startTime is required');
  await expect(
    sentFor('tax/list-p2p', { startTime: '0', endTime: '9'.repeat(16) }),
  ).rejects.toThrow('windows apart');
});
