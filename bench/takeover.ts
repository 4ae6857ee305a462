/**
 * How soon a second worker continues a run over Postgres, without placing its orders first: a worker is killed
 * after a few orders, and its journal in the database is replaced by one in which more were placed, without an
 * open one. Times are from the end of its lease in the database. The second worker waits for the job meanwhile,
 * or is started at the kill, in a folder that knows nothing (`--new`); `--past` runs of the account ended before.
 *
 *   npm run build && npx tsx bench/takeover.ts [--items 10000] [--placed 6000] [--times 3] [--past 10000] [--new]
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { day, hour, second, systemClock, type Millis } from '../src/base/clock.ts';
import type { Entry, Event } from '../src/engine/journal/entry.ts';
import { clientOidOf, identityOf } from '../src/engine/journal/identity.ts';
import { readRecord } from '../src/engine/journal/record.ts';
import type { RequestNote } from '../src/sandbox/requests.ts';
import { batchesOf } from '../src/stores/shared/lines.ts';
import { Machine, type Life, type Site } from '../test/postgres/machine.ts';
import { login, type PostgresServer } from '../test/postgres/server.ts';
import { cleanFile } from '../test/support/cleanup.ts';
import { median } from './figures/median.ts';
import { chained, onlyStart } from './growth/records.ts';
import type { Desk } from './processes/desk.ts';
import { storePastRuns } from './processes/filled-store.ts';
import { largeLadder, lowest, queuedRun } from './processes/queued-run.ts';

const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '10000' },
    placed: { type: 'string', default: '6000' },
    times: { type: 'string', default: '3' },
    past: { type: 'string', default: '0' },
    new: { type: 'boolean', default: false },
  },
});
const items = Number(values.items);
const placed = Number(values.placed);
const past = Number(values.past);
const longest: Millis = 60 * second; // until the first order
const open = 'select id from deskhand.run where ended is null';
const model = 3; // the order whose entries the others repeat
const text = largeLadder(items);

interface Figures {
  readonly request: Millis;
  readonly order: Millis;
  /** CPU of the worker from the end of the lease until its first order. */
  readonly cpu: Millis;
  readonly megabytes: number;
  /** Characters of the lines that the second worker stored before its first intent. */
  readonly stored: number;
}

const all: Figures[] = [];
try {
  for (let time = 0; time < Number(values.times); time++) {
    const figures = await takeOver();
    all.push(figures);
    console.log(wordsOf(figures));
  }
  const middle = (of: keyof Figures): number => median(all.map((figures) => figures[of]));
  console.log(
    `in the middle: ${wordsOf({
      request: middle('request'),
      order: middle('order'),
      cpu: middle('cpu'),
      megabytes: middle('megabytes'),
      stored: middle('stored'),
    })}`,
  );
} finally {
  await cleanFile();
}

function wordsOf({ request, order, cpu, megabytes, stored }: Figures): string {
  const seconds = (ms: Millis): string => `${(ms / second).toFixed(2)} s`;
  return (
    `from the end of the lease ${seconds(request)} to the first request, ${seconds(order)} to the ` +
    `first order, ${seconds(cpu)} of CPU; ${megabytes.toFixed(0)} MB at the peak; ` +
    `${(stored / 1e6).toFixed(3)} MB of lines stored before the first order`
  );
}

async function takeOver(): Promise<Figures> {
  const {
    desk,
    server,
    one,
    two,
    worker: killed,
  } = await queuedRun(text, '5s', past > 0 ? addPast : undefined);
  await one.untilSent(killed, model + 2);
  const waiting = values.new ? undefined : two.begin(['worker']);
  if (waiting !== undefined) await untilServing(waiting);
  killed.child.kill('SIGKILL');
  await killed.end;
  const since = await leaseEnd(server);
  const [{ id: run } = { id: '' }] = await server.sql(open, login.database);
  const stored = await replaceJournal(server);
  const next = waiting ?? two.begin(['worker']);
  const figures = await measured(desk, two, next, since);
  next.child.kill('SIGTERM');
  await next.end;
  const rows = await server.sql(
    `select text from deskhand.lines where run = '${run}' and first > ${stored} order by first`,
    login.database,
  );
  const added = rows.flatMap(({ text: lines }) => String(lines).match(/^.+$/gm) ?? []);
  const until = added.findIndex((line) => readRecord(line).entry.kind === 'intended');
  const size = added.slice(0, until).join('\n').length;
  await Promise.all([one.close(), two.close()]);
  await desk.close();
  return { ...figures, stored: size };
}

async function untilServing({ child }: Life): Promise<void> {
  let said = '';
  child.stderr?.on('data', (part: Buffer) => void (said += part.toString()));
  while (!said.includes('serves')) await systemClock.sleep(20);
}

/** The time at which another worker may take the job and the run. */
async function leaseEnd(server: PostgresServer): Promise<Millis> {
  const [row] = await server.sql(
    `select extract(epoch from greatest(max(run.lease), max(job.free))) * 1000 as until
      from deskhand.run, deskhand.job where run.ended is null and job.ended is null`,
    login.database,
  );
  return Number(row?.['until']);
}

/**
 * Adds runs of the account that ended, over the last year. It takes longer than a small run, so it is done before
 * the run begins.
 */
async function addPast(site: Site): Promise<void> {
  const model = await Machine.open(site, 'model', largeLadder(1), 0);
  const { code, stderr } = await model.begin(['run', 'ladder.yaml']).end;
  if (code !== 0) throw new Error(stderr);
  await model.close();
  const started = onlyStart(join(model.folder, '.deskhand'));
  const until = systemClock.now() - hour;
  const every = (365 * day) / past;
  await storePastRuns(site.server, started, { runs: past, orders: 5, until, every });
}

/** @param since the end of the lease */
async function measured(
  desk: Desk,
  machine: Machine,
  life: Life,
  since: Millis,
): Promise<Omit<Figures, 'stored'>> {
  let output = '';
  life.child.stderr?.on('data', (part: Buffer) => void (output += part.toString()));
  while (systemClock.now() < since) await systemClock.sleep(5);
  const before = cpuOf(life);
  while (machine.sentBy(life).length === 0) {
    if (systemClock.now() - since > longest) throw new Error(`no order was sent: ${output}`);
    await systemClock.sleep(5);
  }
  const order = systemClock.now() - since;
  const cpu = cpuOf(life) - before;
  await systemClock.sleep(second);
  const notes = (await desk.control('requests')) as readonly RequestNote[];
  const request = (notes.find(({ at }) => at > since)?.at ?? NaN) - since;
  return { request, order, cpu, megabytes: peakOf(life) };
}

/** @returns the number of its lines */
async function replaceJournal(server: PostgresServer): Promise<number> {
  const rows = await server.sql(
    `select text from deskhand.lines where run = (${open}) order by first`,
    login.database,
  );
  const entries = rows
    .flatMap(({ text: lines }) => String(lines).match(/^.+$/gm) ?? [])
    .map((line) => readRecord(line).entry);
  const { text: journal, seq, link } = chained(asIfPlaced(entries), systemClock.now());
  const client = await server.connect(login.database);
  try {
    await client.query('begin');
    await client.query(`delete from deskhand.lines where run = (${open})`);
    for (const row of batchesOf(journal, 0).flat()) {
      await client.query(
        'insert into deskhand.lines (run, first, last, text) select id, $1, $2, $3 from deskhand.run where ended is null',
        [row.first, row.last, row.text],
      );
    }
    await client.query('update deskhand.run set lines = $1, link = $2 where ended is null', [
      seq,
      link,
    ]);
    await client.query('commit');
  } finally {
    await client.end();
  }
  return seq;
}

/** The start of the run as it was, then orders with the entries of the model at their own price. */
function asIfPlaced(entries: readonly Entry[]): readonly Event[] {
  const begin = entries.filter(({ kind }) => kind === 'started' || kind === 'opened');
  const [started] = begin;
  const address = `ladder[${lowest + model}]`;
  const own = entries.filter((entry) => 'address' in entry && entry.address === address);
  const intent = own.find((entry) => entry.kind === 'intended');
  if (started?.kind !== 'started' || intent === undefined) throw new Error('nothing was placed');
  if (!own.some(({ kind }) => kind === 'settled')) throw new Error('the model was not placed');
  const serialized = JSON.stringify(own.map((entry) => ({ ...entry, of: undefined }))); // a digest
  const orders = Array.from({ length: placed }, (_, place) => {
    const price = String(lowest + place);
    const other = `ladder[${price}]`;
    const identity = identityOf({ per: 'run', run: started.run }, other, null);
    const text = serialized
      .replaceAll(clientOidOf(intent.identity), clientOidOf(identity))
      .replaceAll(intent.identity, identity)
      .replaceAll(address, other)
      .replaceAll(`"price":"${lowest + model}"`, `"price":"${price}"`);
    return JSON.parse(text) as readonly Event[];
  });
  return [...begin, ...orders.flat()];
}

/** CPU time a process has used. */
function cpuOf({ child }: Life): Millis {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12])); // ticks of a hundredth of a second
}

/** Resident memory at its peak, in MB. */
function peakOf({ child }: Life): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(status) ?? [];
  return Number(kilobytes) / 1024;
}
