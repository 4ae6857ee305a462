/** A year of daily exports with `since: last` equals one export of the year: with late and changed rows, missed days and kills. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { occurrencesWithin } from '../../../src/app/schedule/occurrences.ts';
import { day, hour, standingClock, type Millis } from '../../../src/base/clock.ts';
import { seededRandom } from '../../../src/base/random.ts';
import type { Transport } from '../../../src/exchange/api/exchange.ts';
import { checkFile } from '../../../src/engine/export/check.ts';
import { openSandbox } from '../../../src/sandbox/sandbox.ts';
import { live, liveOn, openHarness, playbookFrom, type Harness } from '../../support/harness.ts';
import { shareOf } from '../../support/share.ts';

const beginning = Date.UTC(2026, 0, 31, 23); // midnight in UTC+1; both clock changes of Berlin follow
const daily = { cron: '15 2 * * *', timezone: 'Europe/Berlin' };

const exporting = (file: string, rest: string): string => `
playbook: 1
name: daily
account: main
steps:
  - id: records
    uses: tax/list-p2p
    with: { startTime: "${beginning}", endTime: "{{ addTime (startOfDay tz='+01:00') '-1ms' }}" }
    write: { file: "${file}", unique: [id], ${rest} }
`;

const months = playbookFrom(
  exporting("out/p2p-{{ date row.ts 'yyyy-MM' tz='+01:00' }}.csv", 'since: last'),
);
const single = playbookFrom(exporting('out/all.ndjson.gz', 'since: last, overlap: 2d'));
const whole = playbookFrom(exporting('whole.csv', 'sort: [ts, id]'));

async function openDesk(): Promise<Harness> {
  const clock = standingClock(beginning);
  return { ...(await openHarness()), clock, sandbox: await openSandbox({ clock, limits: false }) };
}

/** The exchange lists some rows hours after their time, and corrects the amount of some. */
const tardy =
  ({ clock }: Harness) =>
  (transport: Transport): Transport =>
  async (request, signal) => {
    const real = await transport(request, signal);
    if (request.operation !== 'tax/list-p2p') return real;
    const envelope: { data: Record<string, string>[] } = JSON.parse(
      Buffer.from(real.body).toString(),
    );
    const data = envelope.data.flatMap((row) => {
      const digit = Number(row['id']?.slice(-1)) + (Number(row['ts']) % 7);
      const age = clock.now() - Number(row['ts']);
      if (digit % 5 === 0 && age < 20 * hour) return [];
      return digit % 3 === 0 && age < 15 * hour ? [{ ...row, balance: '0' }] : [row];
    });
    return { ...real, body: Buffer.from(JSON.stringify({ ...envelope, data })) };
  };

function advanceTo(harness: Harness, time: Millis): void {
  harness.clock.advance(Math.max(0, time - harness.clock.now()));
}

/** The lines of CSV files without their headers, in order of their names. */
async function linesOf(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.csv')).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) => text.split('\r\n').slice(1, -1));
}

test('a year of daily exports with late and changed rows, missed days and kills equals one export', async () => {
  const days = shareOf(365, 40);
  const harness = await openDesk();
  const wrap = tardy(harness);
  const chance = seededRandom(11);
  const until = beginning + days * day;
  let missed = 0;
  for (const occurrence of occurrencesWithin(daily, { after: beginning + day, until })) {
    if (missed === 0 && chance.next() < 0.05) missed = 1 + Math.floor(chance.next() * 4);
    if (missed-- > 0) continue;
    missed = 0;
    advanceTo(harness, occurrence);
    harness.disk = '';
    const nth = 1 + Math.floor(chance.next() * 14);
    const at = chance.next() < 0.5 ? 'journal' : 'request';
    const when = chance.next() < 0.5 ? 'before' : 'after';
    const isKilled = chance.next() < 0.3;
    const { status } = await liveOn(harness, months, {
      wrap,
      ...(isKilled && { death: { at, nth, when } }),
    });
    expect([new Date(occurrence).toISOString(), status]).toEqual([
      new Date(occurrence).toISOString(),
      'done',
    ]);
  }
  advanceTo(harness, until + 2 * day + 3 * hour);
  for (const playbook of [months, single, whole]) {
    harness.disk = '';
    expect(await live(harness, playbook, { wrap })).toMatchObject({ status: 'done' });
  }
  const out = join(harness.workspace, 'out');
  const rows = await linesOf(out);
  expect(rows.length).toBeGreaterThan(days);
  expect(rows).toEqual(await linesOf(harness.workspace));
  for (const name of (await readdir(out)).filter((file) => file.endsWith('.csv')))
    expect([name, await checkFile(join(out, name))]).toEqual([
      name,
      expect.objectContaining({ findings: [], unchecked: [] }),
    ]);
});
