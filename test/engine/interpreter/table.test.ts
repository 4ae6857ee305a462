/** Tables over the rows of other steps, on the sandbox: joined, grouped and exact. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { decimal, decimalText, zero } from '../../../src/base/decimal.ts';
import {
  clientOf,
  entriesOf,
  live,
  liveOn,
  openHarness,
  playbookFrom,
  type Harness,
  type Life,
} from '../../support/harness.ts';

const span = `startTime: "{{ daysAgo 20 tz='+08:00' }}", endTime: "{{ startOfDay tz='+08:00' }}"`;

const volume = (ending: string): string => `playbook: 1
name: tables
steps:
  - id: volume
    uses: agent/list-trade-volume
    with: { ${span} }
    write:
      file: out/volume.${ending}
      columns:
        uid: "{{ row.uid }}"
        month: "{{ date row.time 'yyyy-MM' tz='+08:00' }}"
        volume: "{{ row.volumn }}"
`;

const monthly = `  - id: assets
    uses: agent/list-assets
  - id: monthly
    uses: report/table
    with:
      from: volume
      join: [{ from: assets, as: held, on: { uid: "{{ row.uid }}" } }]
      group-by: { uid: "{{ row.uid }}", month: "{{ row.month }}" }
      columns:
        volume: { sum: "{{ row.volume }}" }
        days: { count: rows }
        best: { max: "{{ row.volume }}" }
        holds: { first: "{{ default joined.held.balance 'nothing' }}" }
      sort: [-volume]
    write: { file: out/monthly.ndjson }
`;

interface Monthly {
  readonly uid: string;
  readonly month: string;
  readonly volume: string;
  readonly days: number;
  readonly best: string;
  readonly holds: string;
}

/** The same values, computed from the exchange's responses in another way. */
async function byHand(harness: Harness, since: number, until: number): Promise<Monthly[]> {
  const exchange = clientOf(harness);
  const balances = new Map<string, string>();
  for await (const { rows } of exchange.pages('agent/list-assets', {})) {
    for (const row of rows) balances.set(String(row.uid), String(row.balance));
  }
  const groups = new Map<string, string[]>();
  const input = { startTime: String(since), endTime: String(until) };
  for await (const { rows } of exchange.pages('agent/list-trade-volume', input)) {
    for (const { uid, time, volumn } of rows) {
      const month = new Date(Number(time) + 8 * 3_600_000).toISOString().slice(0, 7);
      const name = `${String(uid)} ${month}`;
      groups.set(name, [...(groups.get(name) ?? []), String(volumn)]);
    }
  }
  return [...groups].map(([name, volumes]) => {
    const [uid = '', month = ''] = name.split(' ');
    const all = volumes.map(decimal);
    return {
      uid,
      month,
      volume: decimalText(all.reduce((sum, each) => sum.plus(each), zero)),
      days: volumes.length,
      best: volumes.toSorted((a, b) => decimal(b).cmp(decimal(a)))[0] ?? '',
      holds: balances.get(uid) || 'nothing', // an empty balance counts as none
    };
  });
}

function read(harness: Harness, file: string): Monthly[] {
  const text = readFileSync(join(harness.workspace, file), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line): Monthly => JSON.parse(line));
}

const byName = (a: Monthly, b: Monthly): number =>
  `${a.uid} ${a.month}` < `${b.uid} ${b.month}` ? -1 : 1;

test.each(['csv', 'ndjson', 'json'])(
  'volume by customer and month joined with balances, from .%s, digit by digit',
  async (ending) => {
    const harness = await openHarness();
    const result = await live(harness, playbookFrom(volume(ending) + monthly));
    expect(result.status).toBe('done');
    const made = read(harness, 'out/monthly.ndjson');
    const day = 86_400_000;
    const today = Math.floor((harness.clock.now() + 8 * 3_600_000) / day) * day - 8 * 3_600_000;
    const wanted = await byHand(harness, today - 20 * day, today);
    expect(wanted.length).toBeGreaterThan(20);
    expect(made.toSorted(byName)).toEqual(wanted.toSorted(byName));
    const volumes = made.map((row) => decimal(row.volume));
    expect(volumes.every((each, at) => at === 0 || volumes[at - 1]?.gte(each))).toBe(true);
  },
);

test('its manifest names the source files and their digests', async () => {
  const harness = await openHarness();
  await live(harness, playbookFrom(volume('csv') + monthly));
  const manifest = JSON.parse(
    readFileSync(join(harness.workspace, 'out/monthly.ndjson.manifest.json'), 'utf8'),
  );
  const wrote = entriesOf(harness).filter((entry) => entry.kind === 'wrote');
  const [source] = wrote;
  expect(manifest).toMatchObject({
    made: 'table',
    of: [
      { step: 'volume', file: 'out/volume.csv', rows: source?.rows, sha256: source?.sha256 },
      { step: 'assets' },
    ],
  });
});

const prices = (rest: string): string => `playbook: 1
name: tables
steps:
  - id: tickers
    uses: market/list-tickers
    with: { category: USDT-FUTURES }
${rest}`;

const answerOf = (harness: Harness, address: string): unknown => {
  const settled = entriesOf(harness).findLast(
    (entry) => entry.kind === 'settled' && entry.address === address,
  );
  return settled?.kind === 'settled' && settled.outcome.kind === 'done'
    ? settled.outcome.output
    : settled;
};

test('without write its rows are a response for later steps', async () => {
  const harness = await openHarness();
  const playbook = playbookFrom(
    prices(`  - id: top
    uses: report/table
    with:
      from: tickers
      where: "{{ gt row.lastPrice 100 }}"
      columns: { symbol: "{{ row.symbol }}", twice: "{{ mul row.lastPrice 2 }}" }
      sort: [-twice, symbol]
      first: 2
    expect: [{ that: "{{ eq (length response.rows) 2 }}" }]
outputs: { best: "{{ steps.top.outputs.rows.0.symbol }}" }
`),
  );
  const result = await live(harness, playbook);
  expect(result).toMatchObject({ status: 'done', outputs: { best: 'BTCUSDT' } });
  expect(answerOf(harness, 'top')).toMatchObject({ rows: [{ symbol: 'BTCUSDT' }, {}] });
});

test('rows of a for-each have the key of their item', async () => {
  const harness = await openHarness();
  const playbook = playbookFrom(`playbook: 1
name: tables
steps:
  - id: reserve
    for-each: [BTCUSDT, ETHUSDT]
    uses: market/get-risk-reserve
    with: { category: USDT-FUTURES, symbol: "{{ each.value }}" }
  - id: movements
    uses: report/table
    with:
      from: reserve
      group-by: { symbol: "{{ row.key }}" }
      columns: { entries: { count: rows }, lowest: { min: "{{ row.balance }}" } }
`);
  expect((await live(harness, playbook)).status).toBe('done');
  expect(answerOf(harness, 'movements')).toMatchObject({
    rows: [{ symbol: 'BTCUSDT' }, { symbol: 'ETHUSDT' }],
  });
});

test('two matches are refused, because a sum would count one of them twice', async () => {
  const harness = await openHarness();
  const playbook = playbookFrom(
    `${volume('csv')}  - id: all
    uses: report/table
    with:
      from: volume
      join: [{ from: volume, as: other, on: { uid: "{{ row.uid }}" } }]
      columns: { uid: "{{ row.uid }}" }
`,
  );
  expect((await live(harness, playbook)).status).toBe('stopped');
  expect(answerOf(harness, 'all')).toMatchObject({ outcome: { code: 'two-partners' } });
});

test.each([
  ['drop', 'done', undefined],
  ['stop', 'stopped', 'no-partner'],
])('a row without a match: %s', async (missing, status, code) => {
  const harness = await openHarness();
  const playbook = playbookFrom(
    prices(`  - id: none
    uses: report/table
    with:
      from: tickers
      join: [{ from: tickers, as: same, on: { symbol: "{{ row.symbol }}-X" }, missing: ${missing} }]
      columns: { symbol: "{{ joined.same.symbol }}" }
`),
  );
  expect((await live(harness, playbook)).status).toBe(status);
  const answer = answerOf(harness, 'none');
  if (code === undefined) expect(answer).toEqual({ rows: [] });
  else expect(answer).toMatchObject({ outcome: { code } });
});

test('a file that was changed after it was written is not read', async () => {
  const harness = await openHarness();
  const result = await live(harness, playbookFrom(volume('csv') + monthly), {
    onEntry: (entry) => {
      if (entry.kind !== 'wrote') return;
      writeFileSync(join(harness.workspace, entry.file), 'uid,month,volume\r\n1,2026-11,5\r\n');
    },
  });
  expect(result.status).toBe('stopped');
  expect(answerOf(harness, 'monthly')).toMatchObject({ outcome: { code: 'file-changed' } });
});

test('a process that crashes anywhere leaves the same table after resume', async () => {
  const playbook = playbookFrom(volume('csv') + monthly);
  const undisturbed = await openHarness();
  await live(undisturbed, playbook);
  const wanted = readFileSync(join(undisturbed.workspace, 'out/monthly.ndjson'), 'utf8');
  for (let nth = 1; nth <= undisturbed.counts.journal; nth++) {
    const harness = await openHarness();
    const death = { at: 'journal', nth, when: 'before' } as const;
    expect((await liveOn(harness, playbook, { death })).status).toBe('done');
    expect(readFileSync(join(harness.workspace, 'out/monthly.ndjson'), 'utf8')).toBe(wanted);
  }
});

test('a resumed run does not replace a file of another program', async () => {
  const harness = await openHarness();
  const stop = new AbortController();
  const wrap: Life['wrap'] = (transport) => async (request, signal) => {
    if (request.operation === 'agent/list-trade-volume') stop.abort();
    return transport(request, signal);
  };
  const playbook = playbookFrom(volume('csv') + monthly);
  expect((await live(harness, playbook, { drain: stop.signal, wrap })).status).toBe('interrupted');
  const file = join(harness.workspace, 'out/monthly.ndjson');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, 'theirs');
  expect((await live(harness, playbook)).status).toBe('stopped');
  expect(readFileSync(file, 'utf8')).toBe('theirs');
});

test.each(['', ', sort: [uid, month]', ', unique: [uid, month]'])(
  'in Parquet a table has all its rows, and numbers are numbers%s',
  async (more) => {
    const harness = await openHarness();
    const own = monthly.replace('out/monthly.ndjson', `out/monthly.parquet${more}`);
    const result = await live(
      harness,
      playbookFrom(
        volume('csv') +
          monthly +
          own
            .replaceAll('monthly', 'packed')
            .replace('  - id: assets\n    uses: agent/list-assets\n', ''),
      ),
    );
    expect(result.status).toBe('done');
    const lines = readFileSync(join(harness.workspace, 'out/monthly.ndjson'), 'utf8')
      .trim()
      .split('\n');
    const bytes = new Uint8Array(readFileSync(join(harness.workspace, 'out/packed.parquet')))
      .buffer;
    const { schema } = parquetMetadata(bytes);
    const rows = await parquetReadObjects({ file: bytes });
    expect(rows.length).toBe(lines.length);
    expect(rows.length).toBeGreaterThan(10);
    const kinds = new Map(schema.map(({ name, converted_type: kind }) => [name, kind]));
    expect([kinds.get('month'), kinds.get('volume'), kinds.get('days')]).toEqual([
      'UTF8',
      'DECIMAL',
      'DECIMAL',
    ]);
  },
);
