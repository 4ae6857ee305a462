/** The orders of all runs over the API. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hour } from '../../../src/base/clock.ts';
import { ordersCsv } from '../../../src/app/orders/orders-csv.ts';
import { ordersOfRun, recordedOrders } from '../../../src/app/orders/recorded-orders.ts';
import { readableRuns } from '../../../src/engine/journal/run-list.ts';
import type { AnswerOf, Routes } from '../../../src/serve/server/routes/index.ts';
import { clientOidOf } from '../../support/desk-setup.ts';
import { approvedRun, doubtRun, longRun, stoppedRun } from '../../support/entries.ts';
import { continueRun, recordRun } from '../../support/recorded.ts';
import { startOfRuns } from '../../support/tape.ts';
import { served, type Served } from './desk.ts';

type Found = AnswerOf<Routes['GET /orders']>;

async function desk(): Promise<Served & { readonly list: (query?: string) => Promise<Found> }> {
  const server = await served();
  for (const entries of [approvedRun(), doubtRun(), stoppedRun()]) {
    await recordRun(server.stateDir, entries);
  }
  await server.poll();
  const list = async (query = ''): Promise<Found> => {
    const response = await server.get(`/orders?${query}`);
    expect([query, response.status]).toEqual([query, 200]);
    return (await response.json()) as Found;
  };
  return { ...server, list };
}

const runs = ({ orders }: Found): readonly string[] => [...new Set(orders.map(({ run }) => run))];

test('an order is found by its clientOid or orderId, with run, step, plan and who approved it', async () => {
  const { list } = await desk();
  const { orders } = await list(`id=${clientOidOf('61500.0')}`);
  const approved = orders.find(({ run }) => run === 'r-7k2m');
  expect(approved).toMatchObject({
    desk: 'desk',
    address: 'ladder[61500.0]',
    playbook: 'desk-setup',
    plan: 'p-41c9d2aa',
    approvedBy: ['ana@desk.example', 'ben@desk.example'],
  });
  expect(runs(await list(`id=${approved?.orderId}`))).toEqual(
    runs(await list(`id=${clientOidOf('61500.0')}`)),
  );
  expect((await list('id=none')).matching).toBe(0);
});

test('sums are pages of 500, so that each is behind a link', async () => {
  const { stateDir, poll, list } = await desk();
  const entries = longRun(600).map((entry, at) =>
    entry.kind === 'intended'
      ? { ...entry, input: { ...Object(entry.input), symbol: `A${at}USDT` } }
      : entry,
  );
  await recordRun(stateDir, entries);
  await poll();
  const [first, second] = [await list('account=sandbox'), await list('account=sandbox&page=2')];
  expect([first.sums.length, first.sumsLeft, first.sumsAll]).toEqual([500, 101, 601]);
  expect([second.sums.length, second.sumsLeft]).toEqual([101, 0]);
  const names = new Set([...first.sums, ...second.sums].map(({ symbol }) => symbol));
  expect(names.size).toBe(601);
});

test('orders are selected by time, account, symbol and state, with sums; choices are those of the time', async () => {
  const { list } = await desk();
  const all = await list();
  expect(all).toMatchObject({ page: 1, pages: 1, sumsLeft: 0, damages: [] });
  expect(all.sums).toMatchObject([
    { symbol: 'BTCUSDT', coin: 'USDT', notional: expect.stringContaining(',') },
  ]);
  const doubt = await list('state=doubt&symbol=btcusdt');
  expect(doubt.orders).toMatchObject([{ run: 'r-9d1f', account: 'mm-main', target: 'live' }]);
  expect([doubt.states, doubt.symbols]).toEqual([all.states, ['BTCUSDT']]);
  expect(runs(await list('account=mm-main'))).toEqual(['r-9d1f']);
  expect((await list('playbook=other')).matching).toBe(0);
  expect((await list(`until=${startOfRuns}`)).matching).toBe(0);
  expect((await list(`since=${startOfRuns}`)).matching).toBe(all.matching);
});

test('days of sums are those of the zone that is asked for', async () => {
  const { list } = await desk();
  const dayIn = async (zone: string): Promise<readonly string[]> => {
    const { sums, zone: used } = await list(`zone=${encodeURIComponent(zone)}`);
    return [...new Set([used, ...sums.map(({ day }) => day)])];
  };
  const day = (offset: number): string =>
    new Date(startOfRuns + offset * hour).toISOString().slice(0, 10);
  expect(await dayIn('UTC')).toEqual(['UTC', day(0)]);
  for (const [zone, offset] of [
    ['+14:00', 14],
    ['-12:00', -12],
    ['Pacific/Kiritimati', 14],
    ['asia/calcutta', 5.5],
  ] as const) {
    expect(await dayIn(zone)).toEqual([zone, day(offset)]);
  }
  expect(new Set([day(14), day(-12)]).size).toBe(2);
  expect(await dayIn('Mars/Olympus')).toEqual(['UTC', day(0)]);
});

test('a page has 30 orders, the newest first, and the last page answers for those after it', async () => {
  const { list, stateDir, poll } = await desk();
  await recordRun(stateDir, longRun(70));
  await poll();
  const first = await list('symbol=BTCUSDT');
  expect([first.orders.length, first.pages]).toEqual([30, Math.ceil(first.matching / 30)]);
  const pages = await Promise.all([1, 2, 3].map((page) => list(`page=${page}`)));
  const times = pages.flatMap(({ orders }) => orders.map(({ sentAt }) => sentAt));
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect((await list('page=999')).page).toBe(first.pages);
});

test('orders of a run that goes on are there once its line changed; the others are not read again', async () => {
  const { list, stateDir, poll } = await desk();
  const entries = longRun(5);
  await recordRun(stateDir, entries.slice(0, 8));
  await poll();
  const before = (await list()).matching;
  await continueRun(stateDir, 'r-5m1k', entries.slice(8));
  await poll();
  expect((await list()).matching).toBeGreaterThan(before);
});

test('a damaged record is named, what can be read of it is listed, and the file says it is incomplete', async () => {
  const { list, get, stateDir, poll } = await desk();
  const before = await list();
  const saved = await get('/orders/file');
  const found = await recordedOrders(
    await readableRuns(stateDir),
    { from: -Infinity, to: Infinity },
    (run) => ordersOfRun(stateDir, run),
  );
  expect(await saved.text()).toBe(
    `${ordersCsv(found.orders.map(({ order }) => order)).join('\n')}\n`,
  );
  expect(saved.headers.get('content-disposition')).toContain("''orders.csv");
  const journal = join(stateDir, 'runs', 'r-8p0a', 'journal.ndjson');
  const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
  writeFileSync(journal, `${lines.with(-2, '{"damaged":true}').join('\n')}\n`);
  await poll();
  for (let round = 0; round < 10; round++) await poll();
  const after = await list();
  expect(after.damages).toEqual([expect.stringContaining('r-8p0a')]);
  expect(runs(after).toSorted()).toEqual(runs(before).toSorted());
  expect((await list()).damages).toEqual(after.damages); // also the second time
  const readable = after.orders.find(({ run }) => run === 'r-8p0a');
  expect(runs(await list(`id=${readable?.clientOid}`))).toContain('r-8p0a');
  const incomplete = await get('/orders/file');
  expect(incomplete.headers.get('content-disposition')).toContain("''orders-incomplete.csv");
});
