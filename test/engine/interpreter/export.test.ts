/** Exports that crash anywhere and resume: the file equals that of an undisturbed export, byte for byte. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { StringDecoder } from 'node:string_decoder';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { day, hour } from '../../../src/base/clock.ts';
import { fieldOf } from '../../../src/base/json.ts';
import type { Transport, WireResponse } from '../../../src/exchange/api/exchange.ts';
import { verifyFile } from '../../../src/engine/export/verify.ts';
import {
  entriesOf,
  live,
  liveOn,
  openHarness,
  playbookFrom,
  type CrashPoint,
  type Harness,
} from '../../support/harness.ts';
import { parseCsv } from '../../support/csv.ts';
import { fieldsOf, order, type Row } from '../../support/lists.ts';
import { answer, success } from '../../support/scripted.ts';

const now = Date.UTC(2026, 10, 20, 4);

/** Orders of the last 88 days, newest first, several in one millisecond and on window edges. */
const orders: readonly Row[] = Array.from({ length: 720 }, (_, index) => ({
  id: 5_000 - index,
  at: now - Math.floor(index / 4) * 10 * hour,
}));

/** An exchange that lists these orders and forwards everything else to the sandbox. */
function serving(
  rows: () => readonly Row[],
  fault: (nth: number, before: WireResponse | undefined) => WireResponse | undefined = () =>
    undefined,
): (transport: Transport) => Transport {
  let nth = 0;
  let before: WireResponse | undefined; // the previous page of the same window
  return (transport) => async (request, signal) => {
    if (request.operation !== 'order/list-history') return transport(request, signal);
    const { startTime, endTime, cursor } = fieldsOf(request);
    const disturbed = fault(++nth, cursor === undefined ? undefined : before);
    if (disturbed !== undefined) return disturbed;
    const below = Number(cursor ?? Infinity);
    const page = rows()
      .filter(({ id, at }) => id < below && at >= Number(startTime) && at <= Number(endTime))
      .slice(0, 100);
    before = success({ list: page.map(order), cursor: String(page.at(-1)?.id ?? '') });
    return before;
  };
}

const exporting = (file: string, more = '', days = 80) =>
  playbookFrom(`
playbook: 1
name: exporting
account: main
steps:
  - id: orders
    uses: order/list-history
    with: { startTime: "${now - days * day}", endTime: "${now}" }
    write: { file: ${file}${more} }
`);

const csv = exporting('orders.csv');

const readBack = (harness: Harness, file: string) =>
  readFile(join(harness.workspace, file), 'utf8');

async function undisturbed(
  file: string,
  more = '',
): Promise<{ text: string; manifest: string; harness: Harness }> {
  const harness = await openHarness();
  const { status } = await live(harness, exporting(file, more), { wrap: serving(() => orders) });
  expect(status).toBe('done');
  return {
    harness,
    text: await readBack(harness, file),
    manifest: await readBack(harness, `${file}.manifest.json`),
  };
}

/** The files of a successful export: file, manifest, and nothing else. */
async function expectSame(
  harness: Harness,
  file: string,
  whole: { text: string; manifest: string },
) {
  expect(await readBack(harness, file)).toBe(whole.text);
  // A process that crashed before requesting the time requests it later.
  const timeless = (manifest: string): string => manifest.replace(/"exchangeTime": \d+/, '');
  expect(timeless(await readBack(harness, `${file}.manifest.json`))).toBe(timeless(whole.manifest));
  expect((await readdir(harness.workspace)).sort()).toEqual([file, `${file}.manifest.json`]);
  expect(await verifyFile(join(harness.workspace, file))).toMatchObject({ kind: 'whole' });
}

test.each([
  ['orders.csv', '', 1],
  ['orders.ndjson', ', sort: [orderId], unique: [orderId]', 7],
  ['orders.json', ', columns: { id: "{{ row.orderId }}", price: "{{ row.price }}" }', 7],
])(
  'crashing at every journal write and every page of %s%s',
  async (file, more, every) => {
    const { harness: first, ...whole } = await undisturbed(file, more);
    expect(whole.text.length).toBeGreaterThan(orders.length * 10);
    const points = (['journal', 'request'] as const).flatMap((at) =>
      Array.from({ length: first.counts[at] }, (_, index) =>
        (['before', 'after'] as const).map((when): CrashPoint => ({ at, nth: index + 1, when })),
      ).flat(),
    );
    expect(points.length).toBeGreaterThan(40);
    for (const death of points.filter((_, index) => index % every === 0)) {
      const harness = await openHarness();
      const playbook = exporting(file, more);
      const { status } = await liveOn(harness, playbook, { death, wrap: serving(() => orders) });
      expect(status, JSON.stringify(death)).toBe('done');
      await expectSame(harness, file, whole);
    }
  },
  120_000,
);

test.each(['.rows', '.names'])(
  'kept rows of an export are not used unless all are intact: %s',
  async (ending) => {
    const whole = await undisturbed('orders.csv');
    const damages: readonly ((bytes: Buffer) => Buffer | undefined)[] = [
      () => undefined,
      () => Buffer.alloc(0),
      (bytes) => bytes.subarray(0, bytes.length - 10),
      (bytes) => bytes.subarray(0, Math.floor(bytes.length / 2)),
      (bytes) => Buffer.concat([bytes, Buffer.from('["1"]\n')]),
      (bytes) => Buffer.from(bytes.toString('utf8').replace(/(?<=4[3-9])\d/, 'x')),
    ];
    for (const damage of damages) {
      const harness = await openHarness();
      const death: CrashPoint = { at: 'request', nth: 7, when: 'before' };
      await expect(live(harness, csv, { death, wrap: serving(() => orders) })).rejects.toThrow();
      const [name = ''] = (await readdir(harness.workspace)).filter((file) =>
        file.endsWith(ending),
      );
      const path = join(harness.workspace, name);
      const kept = await readFile(path);
      expect(kept.length).toBeGreaterThan(1_000);
      const changed = damage(kept);
      expect(changed).not.toEqual(kept);
      if (changed === undefined) await rm(path);
      else await writeFile(path, changed);
      expect(await live(harness, csv, { wrap: serving(() => orders) })).toMatchObject({
        status: 'done',
      });
      await expectSame(harness, 'orders.csv', whole);
    }
  },
);

test('an export continues in the workspace of another machine, empty or with an earlier export', async () => {
  const whole = await undisturbed('orders.csv');
  const earlier = await openHarness();
  await live(earlier, csv, { wrap: serving(() => orders.slice(300)) });
  const files = ['orders.csv', 'orders.csv.manifest.json'];
  const unsettled = whole.harness.counts.journal - 3;
  for (const death of [
    { at: 'request', nth: 7, when: 'before' },
    { at: 'request', nth: 7, when: 'after' },
    { at: 'journal', nth: unsettled, when: 'before' },
    { at: 'journal', nth: unsettled, when: 'after' },
  ] satisfies readonly CrashPoint[]) {
    for (const there of [[], files]) {
      const harness = await openHarness();
      await expect(live(harness, csv, { death, wrap: serving(() => orders) })).rejects.toThrow();
      for (const name of await readdir(harness.workspace)) await rm(join(harness.workspace, name));
      for (const name of there) {
        await writeFile(join(harness.workspace, name), await readBack(earlier, name));
      }
      const { status } = await live(harness, csv, { wrap: serving(() => orders) });
      expect([status, death]).toEqual(['done', death]);
      await expectSame(harness, 'orders.csv', whole);
    }
  }
});

test('a crash repeats at most the pages since the last checkpoint', async () => {
  const { harness: first } = await undisturbed('orders.csv');
  const pages = first.counts.request;
  expect(pages).toBeGreaterThan(10);
  for (const ms of [100, 300]) {
    for (let nth = 2; nth <= pages; nth++) {
      const harness = await openHarness();
      const wrap = (transport: Transport): Transport => {
        const served = serving(() => orders)(transport);
        return async (request, signal) => {
          harness.clock.advance(ms);
          await setImmediate(); // a transport never responds within the same turn
          return served(request, signal);
        };
      };
      const death: CrashPoint = { at: 'request', nth, when: 'before' };
      await expect(live(harness, csv, { death, wrap })).rejects.toThrow();
      await live(harness, csv, { wrap });
      // A checkpoint is made after 250 ms of reading, and each process requests the time once.
      const again = harness.counts.request - (pages - nth + 1);
      expect(again, `${nth} at ${ms} ms`).toBeLessThanOrEqual(1 + (ms < 250 ? 3 : 1));
    }
  }
});

test.each([
  { file: 'orders.csv', more: '', isDecoded: false },
  { file: 'orders.ndjson', more: '', isDecoded: false },
  { file: 'orders.csv', more: ', sort: [orderId]', isDecoded: true },
])('stored rows are decoded only to be changed: $file $more', async ({ file, more, isDecoded }) => {
  const decode = vi.spyOn(StringDecoder.prototype, 'write');
  onTestFinished(() => decode.mockRestore());
  await undisturbed(file, more);
  expect(decode.mock.calls.length > 0).toBe(isDecoded);
});

test('later rows with more fields add columns', async () => {
  const more = (row: object, index: number): object => ({
    ...row,
    clientOid: `c,"${index}"\r\n`,
    ...(index > 2 && { feeBroker: '0.1' }),
    ...(index > 500 && { quote: '"', tail: '' }),
  });
  const wide = (wrap: ReturnType<typeof serving>): typeof wrap => {
    let served = 0;
    return (transport) => async (request, signal) => {
      const response = await wrap(transport)(request, signal);
      if (request.operation !== 'order/list-history') return response;
      const { data } = JSON.parse(Buffer.from(response.body).toString());
      const from = served;
      served += data.list.length;
      const list = data.list.map((row: object, index: number) => more(row, from + index));
      return success({ ...data, list });
    };
  };
  const harness = await openHarness();
  const { status } = await live(harness, csv, { wrap: wide(serving(() => orders)) });
  expect(status).toBe('done');
  const sorted = await openHarness();
  const inOrder = exporting('orders.csv', ', sort: [createdTime, orderId]');
  await live(sorted, inOrder, { wrap: wide(serving(() => orders)) });
  const [direct, byRows] = [
    await readBack(harness, 'orders.csv'),
    await readBack(sorted, 'orders.csv'),
  ];
  expect(parseCsv(direct).length).toBe(orders.length + 1);
  const recordsOf = (text: string) => parseCsv(text).map((record) => JSON.stringify(record));
  expect(recordsOf(direct).sort()).toEqual(recordsOf(byRows).sort());
});

test('429, broken responses and stale pages do not change the result', async () => {
  const { harness: _first, ...whole } = await undisturbed('orders.csv');
  const limited = answer({ code: '429', msg: 'too many' }, { status: 429 });
  const faults = [limited, answer('{"code":"00000","da'), 'stale', answer('gone', { status: 503 })];
  for (const [at, fault] of faults.entries()) {
    const harness = await openHarness();
    const wrap = serving(
      () => orders,
      (nth, before) => {
        if (nth % 3 !== 2) return undefined;
        return typeof fault === 'string' ? before : fault;
      },
    );
    expect(await live(harness, csv, { wrap }), `fault ${at}`).toMatchObject({ status: 'done' });
    expect(await readBack(harness, 'orders.csv')).toBe(whole.text);
  }
});

test('a cursor that does not advance stops the export and leaves no file', async () => {
  const harness = await openHarness();
  const wrap = serving(
    () => orders,
    () => success({ list: orders.slice(0, 100).map(order), cursor: '4901' }),
  );
  const result = await live(harness, csv, { wrap });
  expect(result).toMatchObject({ status: 'stopped', exit: 1 });
  const closed = entriesOf(harness).find(({ kind }) => kind === 'closed');
  expect(fieldOf(closed, 'because')).toContain('order/list-history: the cursor was repeated');
  expect((await readdir(harness.workspace)).filter((name) => !name.startsWith('.'))).toEqual([]);
});

test('orders that arrive during the export are left to the next one', async () => {
  const { harness: _first, ...whole } = await undisturbed('orders.csv');
  const harness = await openHarness();
  let arrived: readonly Row[] = orders;
  const wrap = serving(
    () => arrived,
    (nth) => {
      arrived = [{ id: 6_000 + nth, at: now + nth }, ...arrived];
      return undefined;
    },
  );
  const long = exporting('orders.csv', '', 90).text;
  const late = playbookFrom(long.replace(`"${now}"`, `"${now + day}"`));
  expect(await live(harness, late, { wrap })).toMatchObject({ status: 'done' });
  const inOrder = (text: string): string[] => text.split('\r\n').sort();
  expect(inOrder(await readBack(harness, 'orders.csv'))).toEqual(inOrder(whole.text));
  const manifest: unknown = JSON.parse(await readBack(harness, 'orders.csv.manifest.json'));
  expect(fieldOf(manifest, 'clamps')).toEqual([
    { bound: 'from', asked: now - 90 * day, used: now - 90 * day + 10_000, because: 'not kept' },
    { bound: 'to', asked: now + day, used: now, because: 'not over' },
  ]);
});

describe('an existing file', () => {
  const again = async (harness: Harness, playbook = csv) =>
    live(harness, playbook, { runId: 'r-again', wrap: serving(() => orders) });

  test('is replaced and recorded in the journal if it is a complete export', async () => {
    const { harness, ...whole } = await undisturbed('orders.csv');
    harness.disk = '';
    expect(await again(harness)).toMatchObject({ status: 'done' });
    await expectSame(harness, 'orders.csv', whole);
    expect(entriesOf(harness).find(({ kind }) => kind === 'wrote')).toMatchObject({
      replaces: orders.length,
    });
  });

  test('is kept if another program wrote or changed it', async () => {
    const { harness, text } = await undisturbed('orders.csv');
    for (const [content, because] of [
      ['mine', 'it has 4 bytes, its manifest says'],
      [text.replace('5000', '5001'), 'its digest is not the one in its manifest'],
    ] as const) {
      await writeFile(join(harness.workspace, 'orders.csv'), content);
      harness.disk = '';
      expect(await again(harness)).toMatchObject({ status: 'stopped' });
      const closed = entriesOf(harness).find(({ kind }) => kind === 'closed');
      expect(fieldOf(closed, 'because')).toContain(`orders.csv already exists: ${because}`);
      expect(await readBack(harness, 'orders.csv')).toBe(content);
    }
    harness.disk = '';
    const forced = exporting('orders.csv', ', overwrite: true');
    expect(await again(harness, forced)).toMatchObject({ status: 'done' });
    expect(await readBack(harness, 'orders.csv')).toBe(text);
  });

  test('is always kept with overwrite: false', async () => {
    const { harness } = await undisturbed('orders.csv');
    harness.disk = '';
    const never = exporting('orders.csv', ', overwrite: false');
    expect(await again(harness, never)).toMatchObject({ status: 'stopped' });
  });
});
