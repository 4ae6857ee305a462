/** `since: last`: where a read continues, what is merged, and when a file is not continued. */
import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { day, hour } from '../../../src/base/clock.ts';
import type { Transport } from '../../../src/exchange/api/exchange.ts';
import { checkFile } from '../../../src/engine/export/check.ts';
import { continuingFrom, holesIn } from '../../../src/engine/export/coverage.ts';
import {
  entriesOf,
  live,
  liveOn,
  openHarness,
  playbookFrom,
  type Harness,
} from '../../support/harness.ts';

const now = Date.UTC(2026, 10, 20, 4);

const exporting = (write: string, fields = 'productType: USDT-FUTURES', more = ''): string => `
playbook: 1
name: daily
steps:
  - id: bills
    uses: futures/list-bills
    with: { ${fields} }
    write: ${write}
${more}`;

/** Bills that the exchange lists, the newest first; the test changes them. */
interface Bills {
  rows: { readonly id: number; readonly at: number; readonly balance?: string }[];
}

const answering =
  (bills: Bills) =>
  (transport: Transport): Transport =>
  async (request, signal) => {
    const real = await transport(request, signal);
    if (request.operation !== 'futures/list-bills') return real;
    const query = new URLSearchParams(request.query);
    const between = (at: number): boolean =>
      at >= Number(query.get('startTime') ?? 0) && at <= Number(query.get('endTime') ?? now * 2);
    const data = {
      bills: bills.rows
        .filter(({ at }) => between(at))
        .toSorted((a, b) => b.id - a.id)
        .map(({ id, at, balance = '1' }) => ({
          billId: String(id),
          symbol: '',
          amount: '1',
          fee: '0',
          feeByCoupon: '',
          businessType: 'trans_to_exchange',
          coin: 'USDT',
          balance,
          cTime: String(at),
        })),
      endId: '',
    };
    const envelope = JSON.parse(Buffer.from(real.body).toString());
    return { ...real, body: Buffer.from(JSON.stringify({ ...envelope, data })) };
  };

async function ran(harness: Harness, text: string, bills: Bills, runId = 'r-test') {
  harness.disk = '';
  const result = await live(harness, playbookFrom(text), { wrap: answering(bills), runId });
  const wrote = entriesOf(harness).flatMap((entry) => (entry.kind === 'wrote' ? [entry] : []));
  const closed = entriesOf(harness).find((entry) => entry.kind === 'closed');
  return { ...result, wrote, because: closed?.kind === 'closed' ? closed.because : undefined };
}

const idsIn = (text: string): readonly string[] =>
  text
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(',')[0] ?? '');

const one = exporting('{ file: bills.csv, since: last }');

describe('a run continues where the file ends', () => {
  test('it adds later and late rows, replaces changed ones, and reports both', async () => {
    const harness = await openHarness();
    const bills: Bills = {
      rows: [
        { id: 1, at: now - 3 * day },
        { id: 4, at: now - hour },
      ],
    };
    const first = await ran(harness, one, bills);
    expect(first.wrote).toMatchObject([{ rows: 2, continued: { added: 2, replaced: 0 } }]);
    expect(first.wrote[0]?.continued).not.toHaveProperty('from');
    const before = harness.clock.now();
    harness.clock.advance(6 * hour);
    bills.rows = [
      { id: 4, at: now - hour, balance: '2' },
      { id: 2, at: now - 5 * hour },
      { id: 5, at: now + hour },
    ];
    const { wrote } = await ran(harness, one, bills);
    expect(wrote).toMatchObject([{ rows: 4, continued: { added: 2, replaced: 1 } }]);
    expect(Math.abs(Number(wrote[0]?.continued?.from) - before)).toBeLessThan(5_000);
    const text = await readFile(join(harness.workspace, 'bills.csv'), 'utf8');
    expect(idsIn(text)).toEqual(['1', '2', '4', '5']);
    expect(text).toContain('\r\n4,,1,0,,trans_to_exchange,USDT,2,');
    expect(await checkFile(join(harness.workspace, 'bills.csv'))).toMatchObject({ findings: [] });
  });

  test('a first run begins with the oldest data, however long the read takes', async () => {
    const harness = await openHarness();
    const { clock } = harness;
    const plain = { ...clock };
    const ticking = (): number => {
      clock.advance(1);
      return plain.monotonic();
    };
    Object.assign(clock, { monotonic: ticking });
    await live(harness, playbookFrom(one), {});
    const wrote = entriesOf(harness).find((entry) => entry.kind === 'wrote');
    expect(wrote).toMatchObject({ continued: { replaced: 0 } });
    expect(wrote).not.toHaveProperty('clamped');
    const manifest = await readFile(join(harness.workspace, 'bills.csv.manifest.json'), 'utf8');
    expect(JSON.parse(manifest).clamps).toEqual([]);
  });

  test('a missing file is read again, and what the exchange no longer keeps is reported once', async () => {
    const harness = await openHarness();
    const monthly = exporting(`{ file: "b-{{ date row.cTime 'yyyy-MM' }}.csv", since: last }`);
    const bills: Bills = {
      rows: [
        { id: 1, at: now - 40 * day },
        { id: 2, at: now - day },
      ],
    };
    const first = await ran(harness, monthly, bills);
    expect(first.wrote.map(({ file, rows }) => [file, rows])).toEqual([
      ['b-2026-08.csv', 0],
      ['b-2026-09.csv', 0],
      ['b-2026-10.csv', 1],
      ['b-2026-11.csv', 1],
    ]);
    await rm(join(harness.workspace, 'b-2026-10.csv'));
    const again = await ran(harness, monthly, bills);
    expect(again.wrote.map(({ file, rows }) => [file, rows])).toEqual([
      ['b-2026-09.csv', 0], // the overlap
      ['b-2026-10.csv', 1],
      ['b-2026-11.csv', 1],
    ]);
    harness.clock.advance(100 * day);
    const late = await ran(harness, monthly, bills);
    const [gap] = late.wrote[0]?.continued?.gaps ?? [];
    expect(late.wrote.filter(({ continued }) => continued?.gaps)).toHaveLength(1);
    expect(Math.round(((gap?.to ?? 0) - (gap?.from ?? 0)) / day)).toBe(10);
    const after = await ran(harness, monthly, bills);
    expect(after.wrote.filter(({ continued }) => continued?.gaps)).toEqual([]);
  });

  test('rows without an id are compared by all their fields', async () => {
    const harness = await openHarness();
    const blank = (wrap: (transport: Transport) => Transport) => (transport: Transport) => {
      const inner = wrap(transport);
      const changed: Transport = async (request, signal) => {
        const real = await inner(request, signal);
        const text = Buffer.from(real.body)
          .toString()
          .replaceAll(/"billId":"\d+"/g, '"billId":""');
        return { ...real, body: Buffer.from(text) };
      };
      return changed;
    };
    const bills: Bills = {
      rows: [
        { id: 1, at: now - hour },
        { id: 2, at: now - hour, balance: '7' },
      ],
    };
    for (const rows of [2, 2]) {
      harness.disk = '';
      await live(harness, playbookFrom(one), { wrap: blank(answering(bills)) });
      const wrote = entriesOf(harness).find(({ kind }) => kind === 'wrote');
      expect(wrote).toMatchObject({ rows });
    }
  });
});

/** Every file of the workspace by name; only the hidden ones of an export in progress are missing. */
async function filesOf({ workspace }: Harness): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(workspace)).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(workspace, name), 'utf8')));
  return Object.fromEntries(names.map((name, at) => [name, texts[at] ?? '']));
}

test('after a crash anywhere, the files and what is said of them are those of an unbroken run', async () => {
  const monthly = playbookFrom(
    exporting(`{ file: "b-{{ date row.cTime 'yyyy-MM' }}.csv", since: last, overlap: 25d }`),
  );
  const first = [
    { id: 1, at: now - 22 * day },
    { id: 2, at: now - day },
  ];
  const second = [
    { id: 1, at: now - 22 * day, balance: '2' },
    { id: 3, at: now - 21 * day },
    { id: 4, at: now },
  ];
  const prepared = async (bills: Bills): Promise<Harness> => {
    const harness = await openHarness();
    await live(harness, monthly, { wrap: answering(bills) });
    bills.rows = [...bills.rows.slice(1), ...second];
    harness.clock.advance(day);
    harness.disk = '';
    return harness;
  };
  const said = (harness: Harness) =>
    entriesOf(harness).flatMap((entry) => {
      if (entry.kind !== 'wrote') return [];
      const { seq: _seq, at: _at, ...rest } = entry;
      return [rest];
    });
  const bills = { rows: first };
  const unbroken = await prepared(bills);
  await live(unbroken, monthly, { wrap: answering(bills) });
  const expected = await filesOf(unbroken);
  expect(said(unbroken)).toMatchObject([
    { file: 'b-2026-10.csv', continued: { added: 1, replaced: 1 } },
    { file: 'b-2026-11.csv', continued: { added: 1, replaced: 0 } },
  ]);
  for (let nth = 1; nth <= unbroken.counts.journal; nth++) {
    for (const when of ['before', 'after'] as const) {
      const again = { rows: first };
      const harness = await prepared(again);
      const death = { at: 'journal', nth, when } as const;
      const result = await liveOn(harness, monthly, { wrap: answering(again), death });
      expect([nth, when, result.status]).toEqual([nth, when, 'done']);
      expect([nth, when, await filesOf(harness)]).toEqual([nth, when, expected]);
      const all = new Map(said(harness).map((wrote) => [wrote.file, wrote]));
      expect([nth, when, ...all.values()]).toEqual([nth, when, ...said(unbroken)]);
    }
  }
});

test('a resumed run refuses a file that another run has continued meanwhile', async () => {
  const harness = await openHarness();
  const bills: Bills = { rows: [{ id: 1, at: now - hour }] };
  const playbook = playbookFrom(one);
  await ran(harness, one, bills);
  harness.clock.advance(hour);
  harness.disk = '';
  const death = { at: 'journal', nth: 4, when: 'after' } as const;
  await expect(live(harness, playbook, { wrap: answering(bills), death })).rejects.toThrow();
  const { disk } = harness;
  bills.rows.push({ id: 2, at: now });
  harness.clock.advance(hour);
  expect(await ran(harness, one, bills, 'r-other')).toMatchObject({ status: 'done' });
  harness.disk = disk;
  const { status } = await live(harness, playbook, { wrap: answering(bills) });
  const closed = entriesOf(harness).findLast(({ kind }) => kind === 'closed');
  expect([status, closed]).toEqual([
    'stopped',
    expect.objectContaining({
      because: expect.stringMatching(/bills.csv was changed since this run began to read/),
    }),
  ]);
});

test('a second run at the same time is refused', async () => {
  const harness = await openHarness();
  const bills: Bills = { rows: [{ id: 1, at: now - hour }] };
  let other: unknown;
  const wrap = (transport: Transport): Transport => {
    const inner = answering(bills)(transport);
    return async (request, signal) => {
      if (request.operation === 'futures/list-bills' && other === undefined) {
        other = 'asked';
        const second = { ...harness, disk: '' };
        other = await ran(second, one, bills, 'r-second');
      }
      return inner(request, signal);
    };
  };
  expect(await live(harness, playbookFrom(one), { wrap })).toMatchObject({ status: 'done' });
  expect(other).toMatchObject({
    status: 'stopped',
    because: expect.stringMatching(/bills.csv is not written: run r-test .* is writing it/),
  });
});

describe('a file is not continued, and stays', () => {
  const bills: Bills = { rows: [{ id: 1, at: now - hour }] };
  const cases: readonly (readonly [
    name: string,
    change: (path: string, harness: Harness) => Promise<unknown>,
    text: string,
    because: RegExp,
  ])[] = [
    [
      'that was edited',
      async (path) => writeFile(path, (await readFile(path, 'utf8')).replace('USDT', 'USDC')),
      one,
      /bills.csv was changed since it was written: its digest is not/,
    ],
    [
      'that was cut',
      (path) => truncate(path, 90),
      one,
      /was changed since it was written: it has 90 bytes/,
    ],
    [
      'without its manifest',
      (path) => rm(`${path}.manifest.json`),
      one,
      /bills.csv is not continued: it has no manifest/,
    ],
    [
      'of another input',
      async () => undefined,
      exporting('{ file: bills.csv, since: last }', 'productType: COIN-FUTURES'),
      /is not continued: its rows were read with another input/,
    ],
    [
      'with other columns',
      async () => undefined,
      exporting(
        '{ file: bills.csv, since: last, columns: { at: "{{ row.cTime }}" }, unique: [at] }',
      ),
      /is not continued: it has other columns/,
    ],
    [
      'of an export that was written as a whole',
      async (_, harness) => ran(harness, exporting('{ file: bills.csv, overwrite: true }'), bills),
      one,
      /is not continued: it was not written with since: last/,
    ],
  ];
  test.each(cases)('%s', async (_, change, text, because) => {
    const harness = await openHarness();
    expect(await ran(harness, one, bills)).toMatchObject({ status: 'done' });
    const path = join(harness.workspace, 'bills.csv');
    await change(path, harness);
    const before = await readFile(path);
    const { status, because: reason } = await ran(harness, text, bills);
    expect([status, reason]).toEqual(['stopped', expect.stringMatching(because)]);
    expect(await readFile(path)).toEqual(before);
  });
});

describe('where a read continues', () => {
  const reach = { end: 1_000, kept: 500, overlapMs: 10 };
  const covering = (...covered: (readonly [number, number])[]) => ({
    covered: covered.map(([from, to]) => ({ from, to })),
  });
  test.each([
    ['without files, at the oldest data', [], {}, { start: 500, gaps: [] }],
    ['without files, at the given start', [], { start: 700 }, { start: 700, gaps: [] }],
    ['at the end of the files', [covering([600, 800])], {}, { start: 791, from: 801, gaps: [] }],
    [
      'at the first hole between files',
      [covering([600, 700]), covering([720, 800])],
      {},
      { start: 691, from: 701, gaps: [] },
    ],
    [
      'after a gap, at the oldest data',
      [covering([100, 300])],
      {},
      { start: 500, from: 500, gaps: [{ from: 301, to: 499 }] },
    ],
    [
      'before the files, if the given start is earlier',
      [covering([700, 800])],
      { start: 650 },
      { start: 650, from: 650, gaps: [] },
    ],
    ['within the end', [covering([600, 1_000])], {}, { start: 990, from: 1_001, gaps: [] }],
    [
      'after a gap that was reported',
      [{ ...covering([100, 300], [400, 900]), asked: { from: 100, to: 900 } }],
      {},
      { start: 891, from: 901, gaps: [] },
    ],
  ] as const)('%s', (_, files, more, expected) => {
    expect(continuingFrom(files, { ...reach, ...more })).toEqual(expected);
  });

  test('holes are the rest of a range', () => {
    const covered = [
      { from: 5, to: 6 },
      { from: 1, to: 2 },
      { from: 2, to: 3 },
    ];
    expect(holesIn({ from: 0, to: 9 }, covered)).toEqual([
      { from: 0, to: 0 },
      { from: 4, to: 4 },
      { from: 7, to: 9 },
    ]);
  });
});
