/** What a machine answers from summaries of ended runs is what it answers from their records. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recordsFor } from '../../../src/app/drift/records.ts';
import { day, hour, standingClock, type Millis } from '../../../src/base/clock.ts';
import type { Destination, Entry, Event } from '../../../src/engine/journal/entry.ts';
import { ledgerFrom } from '../../../src/engine/journal/ledger.ts';
import { lastLink } from '../../../src/stores/shared/lines.ts';
import { pruneDecisions } from '../../../src/engine/journal/prune.ts';
import { readDoubtsBeside, readForLedger } from '../../../src/engine/journal/records.ts';
import { readJournal } from '../../../src/engine/journal/journal.ts';
import { encodeRecord } from '../../../src/engine/journal/record.ts';
import { allRuns, everyName, readableRuns } from '../../../src/engine/journal/run-list.ts';
import { readRun } from '../../../src/engine/journal/runs.ts';
import type { SentSummary } from '../../../src/engine/journal/sent-facts.ts';
import { keyUsesOf } from '../../../src/engine/journal/standing.ts';
import { storedRuns } from '../../../src/engine/journal/stored-runs.ts';
import { unfinishedAmong } from '../../../src/engine/journal/unfinished.ts';
import { readVisibilities } from '../../../src/engine/journal/visibility.ts';
import { areUnlisted } from '../../../src/engine/plan/drift-orders.ts';
import { driftOf } from '../../../src/engine/plan/drift.ts';
import type { Observer } from '../../../src/engine/plan/observe.ts';
import { NamedOrders, orderIn } from '../../../src/engine/plan/order-row.ts';
import { openOverviews } from '../../../src/report/overview/overviews.ts';
import { runHere } from '../../../src/stores/run-files.ts';
import type { Holder, SharedRuns, Summary } from '../../../src/stores/shared/shared-runs.ts';
import {
  doneRun,
  doubtRun,
  interruptedRun,
  killedRun,
  resumedRun,
  stoppedRun,
} from '../../support/entries.ts';
import { clientOidOf } from '../../support/desk-setup.ts';
import { startOfRuns } from '../../support/tape.ts';
import { recordRun } from '../../support/recorded.ts';
import { freshFolder } from '../machines.ts';
import { batchOf, requestOf, resumeOf, taken } from './contract.ts';
import { machineOn, type SharedMachine } from './machines.ts';
import { SimulatedDatabase } from './simulated.ts';
import { recordsIn } from '../../support/past-records.ts';

const kinds: Readonly<Record<string, () => readonly Entry[]>> = {
  done: doneRun,
  stopped: stoppedRun,
  doubt: doubtRun,
  interrupted: interruptedRun,
  killed: killedRun,
  resumed: resumedRun,
  read: () => onlyReads(doneRun()),
  lasting: () => doneRun().map((entry) => lasting(entry)),
  orders: () => onlyOrders(doneRun()),
  ended: () => onlyOrders(doneRun()).map((entry) => refusedFirst(entry)),
  'set aside': () => [...doubtRun().slice(0, -1), ...setAside(doubtRun())],
  live: () => doneRun().flatMap((entry) => [entry, ...shown(entry)]),
};

/** A desk with a run of each kind, ended by processes of several versions. */
class Desk {
  readonly database = new SimulatedDatabase(standingClock(0));
  readonly clock = standingClock(Date.UTC(2026, 10, 30));
  readonly runs: SharedRuns = this.database.connect();
  readonly names: string[] = [];

  /** @param summarizes whether the process that ends the run stores its summary */
  async add(kind: string, summarizes: boolean): Promise<string> {
    const run = `r-${this.names.length + 1}-${kind.replace(' ', '-')}`;
    this.names.push(run);
    const entries = (kinds[kind] ?? doneRun)();
    const source = join(freshFolder(), 'state');
    await recordRun(source, entries, run);
    const { header = '', journal = '' } = (await runHere(source, run)) ?? {};
    const [started] = entries;
    const playbook = started?.kind === 'started' ? started.playbook.name : '';
    const { holder } = await taken(this.runs, requestOf(run, { playbook }));
    const link = lastLink(journal);
    const batch = { ...batchOf(0, journal), header, link };
    await this.runs.keep(holder, batch);
    await this.runs.release(holder);
    if (summarizes) await this.machine(true).store.sync(); // makes it from the record
    return run;
  }

  /** A process stores more entries. */
  async keepMore(run: string, holder: Holder, entries: readonly Entry[]): Promise<void> {
    const { header, text, count } = (await this.runs.lines(run, 0)) ?? noLines;
    let { seq, link } = readJournal(text, '').state;
    const lines = entries.map((entry) => {
      const { seq: _seq, at, ...event } = entry;
      seq += 1;
      const own = { seq, at };
      const encoded = encodeRecord({ ...(event as Event), ...own }, { ...own, prev: link });
      ({ link } = encoded);
      return encoded.line;
    });
    expect(await this.runs.keep(holder, { ...batchOf(count, lines.join('')), header, link })).toBe(
      true,
    );
  }

  machine(summarizes: boolean, stateDir?: string): SharedMachine {
    const connect = (): SharedRuns => this.database.connect();
    return machineOn(connect, this.clock, stateDir, undefined, summarizes);
  }
}

const noLines = { header: '', text: '', count: 0 };

/** Everything that commands and workers ask of other runs. */
async function answersOf({ stateDir }: SharedMachine): Promise<unknown> {
  const runs = await allRuns(stateDir);
  const playbooks = [...new Set(runs.headers.map(({ playbook }) => playbook))];
  const accounts: readonly Destination[] = keyUsesOf(runs).map((use) => use.destination);
  const any = (): boolean => true;
  const options = { runs, keeps: true };
  const ledgers = [];
  for (const playbook of [...playbooks, 'another']) {
    for (const isWide of [false, true]) {
      const records = recordsIn(await readForLedger(stateDir, { playbook, isWide }, options));
      ledgers.push([
        ...ledgerFrom(records, { standingOf: () => 'same' }),
        unfinishedAmong(records, any),
      ]);
    }
    ledgers.push(await readDoubtsBeside(playbook, any, options));
  }
  const drifts = await driftsOf(stateDir, playbooks);
  const overviews = openOverviews(stateDir);
  const names = await everyName(stateDir);
  const read = await Promise.all(names.map((run) => overviews.read(run)));
  return {
    headers: runs.headers,
    names,
    ledgers,
    drifts,
    read: read.map((one) => (one?.kind === 'damaged' ? one.kind : one)),
    named: await Promise.all(names.map((run) => overviews.header(run))),
    prune: await pruneDecisions(stateDir, { before: Infinity, keep: 0 }),
    visible: [...(await readVisibilities(stateDir, accounts))],
    unnamed: (await readableRuns(stateDir)).unnamed,
    journals: await Promise.all(names.map((run) => readRun(stateDir, run))),
  };
}

/** What `drift` finds, while the lists have all orders of the runs, and when they have only open ones of them. */
async function driftsOf(stateDir: string, playbooks: readonly string[]): Promise<unknown> {
  const found: unknown[] = [];
  for (const playbook of playbooks) {
    for (const now of [startOfRuns + hour, startOfRuns + 100 * day]) {
      const { runs, isPast } = { runs: await readableRuns(stateDir), isPast: pastAt(now) };
      const records = await recordsFor(runs, { playbook, stateDir, isOurs: () => true, isPast });
      const { own, past, sentHere, endedHere, elsewhere } = records;
      const writes = own.flatMap((each) => each.writes);
      const accounts = [{ profile: 'main', family: 'classic', observer: showing }] as const;
      const options = { writes, past, sentHere, endedHere, accounts, now };
      const names = ['61500.0', '61000.0'].map(clientOidOf);
      const known = [...(await sentHere(names)), ...(await endedHere(names)).keys()];
      const { lines, older } = await driftOf(options);
      const texts = lines.map((line) => JSON.stringify(line)).toSorted(); // older ones may be first
      found.push({ lines: texts, older, elsewhere, known: known.toSorted() });
    }
  }
  return found;
}

const pastAt = (now: Millis) => (facts: SentSummary, signedAt: Millis) =>
  !facts.hasOthers && areUnlisted(facts.orders, signedAt, 'classic', now);

/** An account on which one order is open, and an unknown one. */
const showing: Observer = {
  quotes: () => Promise.reject(new Error('no quotes')),
  order: () => Promise.reject(new Error('no order')),
  positions: () => Promise.reject(new Error('no positions')),
  held: () => Promise.reject(new Error('no positions')),
  state: async () => undefined,
  mode: async () => undefined,
  requests: new Map(),
  orders: async ({ lists }) => {
    const orders = new NamedOrders();
    for (const clientOid of [clientOidOf('61000.0'), `dh${'0'.repeat(26)}`]) {
      orders.put(orderIn(lists.open, { ...row, clientOid }));
    }
    return orders;
  },
};

const row = {
  orderId: '1',
  symbol: 'BTCUSDT',
  side: 'buy',
  price: '61000.0',
  size: '0.010',
  baseVolume: '0',
  status: 'live',
  cTime: String(startOfRuns),
  tradeSide: 'open',
};

/** Whether a machine has the record of a run, and not only its summary. */
const hasRecord = ({ stateDir }: SharedMachine, run: string): boolean =>
  existsSync(join(stateDir, 'runs', run));

describe('the same answers', () => {
  test('of runs of every kind, with and without summaries in the database', async () => {
    const desk = new Desk();
    for (const summarizes of [true, false]) {
      for (const kind of Object.keys(kinds)) await desk.add(kind, summarizes);
    }
    const [with_, without] = [desk.machine(true), desk.machine(false)];
    await with_.store.sync();
    await without.store.sync();
    const known = desk.names.filter((run) => !hasRecord(with_, run));
    const clean = ['done', 'resumed', 'read', 'lasting', 'orders', 'ended', 'set-aside', 'live'];
    expect(known).toEqual(
      clean.map((kind) => expect.stringMatching(new RegExp(`^r-([1-9]|1[0-2])-${kind}$`))),
    );
    expect(await answersOf(with_)).toEqual(await answersOf(without));
    expect(known.every((run) => hasRecord(with_, run))).toBe(true); // its last answer reads all
    expect(await answersOf(with_)).toEqual(await answersOf(without));
    // Meanwhile the first machine has stored those that were missing.
    const third = desk.machine(true);
    await third.store.sync();
    expect(desk.names.filter((run) => !hasRecord(third, run))).toHaveLength(2 * known.length);
    expect(await answersOf(third)).toEqual(await answersOf(without));
  });
});

describe('a summary that does not count', () => {
  const change = {
    'another line': (summary: Summary) => ({ ...summary, lines: summary.lines + 1 }),
    'another link': (summary: Summary) => ({ ...summary, link: '0'.repeat(16) }),
    'a changed text': (summary: Summary) => {
      return { ...summary, text: summary.text.replace('"status":"done"', '"status":"open"') };
    },
    'half a text': (summary: Summary) => {
      return { ...summary, text: summary.text.slice(0, summary.text.length / 2) };
    },
    'no text': (summary: Summary) => ({ ...summary, text: '' }),
    'another version': (summary: Summary) => ({ ...summary, version: summary.version + 1 }),
    'an earlier version': (summary: Summary) => ({ ...summary, version: 1 }),
  } satisfies Record<string, (summary: Summary) => Summary>;

  test.each(Object.keys(change))('with %s: the record is read', async (what) => {
    const desk = new Desk();
    const run = await desk.add('done', true);
    await desk.add('doubt', true);
    desk.database.changeSummary(run, change[what as keyof typeof change]); // eslint-disable-line
    const [with_, without] = [desk.machine(true), desk.machine(false)];
    await with_.store.sync();
    await without.store.sync();
    expect(hasRecord(with_, run)).toBe(true);
    expect(await answersOf(with_)).toEqual(await answersOf(without));
  });

  test('of another run: the record is read', async () => {
    const desk = new Desk();
    const [one, other] = [await desk.add('done', true), await desk.add('doubt', true)];
    const text = desk.database.summaryOf(one)?.text ?? '';
    desk.database.changeSummary(one, (summary) => {
      return { ...summary, text: text.replaceAll(one, other) };
    });
    const machine = desk.machine(true);
    await machine.store.sync();
    expect(hasRecord(machine, one)).toBe(true);
  });
});

test('a run that an older version continued is read from its record, until it has a new summary', async () => {
  const desk = new Desk();
  const run = await desk.add('done', true);
  const [knows, fresh, without] = [desk.machine(true), desk.machine(true), desk.machine(false)];
  await knows.store.sync();
  expect(hasRecord(knows, run)).toBe(false);
  const { holder } = await taken(desk.runs, resumeOf(run));
  await desk.keepMore(run, holder, killedRun().slice(-1));
  const machines = [knows, fresh, without];
  for (const machine of machines) await machine.store.sync();
  for (const machine of machines) {
    expect(await answersOf(machine)).toEqual(await answersOf(without));
    expect(hasRecord(machine, run)).toBe(true);
  }
  await desk.keepMore(run, holder, doneRun().slice(-1));
  await desk.runs.release(holder);
  const later = desk.machine(true);
  for (const machine of [...machines, later]) await machine.store.sync();
  for (const machine of [...machines, later]) {
    expect(await answersOf(machine)).toEqual(await answersOf(without));
  }
});

test('runs that begin at one time fetch the summaries of earlier ones once', async () => {
  const desk = new Desk();
  for (const kind of ['done', 'orders', 'doubt']) await desk.add(kind, true);
  const asked: (readonly string[])[] = [];
  const connect = (): SharedRuns => {
    const runs = desk.database.connect();
    const summaries: SharedRuns['summaries'] = (names, version) => {
      if (names.length > 0) asked.push(names);
      return runs.summaries(names, version);
    };
    return { ...runs, summaries };
  };
  const { store, stateDir } = machineOn(connect, desk.clock, undefined, undefined, true);
  await Promise.all([store.sync(), store.sync(), store.sync()]);
  const ended = desk.names.slice(0, 2);
  expect(
    asked
      .flat()
      .filter((run) => ended.includes(run))
      .toSorted(),
  ).toEqual(ended);
  expect([...storedRuns(stateDir).names()].toSorted()).toEqual(ended);
});

describe('what a machine knows', () => {
  test('that is damaged is an error until the store is asked, and then fetched again', async () => {
    for (const damage of [cut, swap, (): string => '']) {
      const desk = new Desk();
      const run = await desk.add('done', true);
      const machine = desk.machine(true);
      await machine.store.sync();
      const folder = join(machine.stateDir, 'state');
      for (const name of readdirSync(folder)) {
        const path = join(folder, name);
        writeFileSync(path, damage(readFileSync(path, 'utf8')));
      }
      await expect(allRuns(machine.stateDir)).rejects.toThrow('is damaged');
      await machine.store.sync();
      expect((await allRuns(machine.stateDir)).headers.map((header) => header.run)).toEqual([run]);
    }
  });

  test('of many runs is in files, of which a missing one is an error', async () => {
    const desk = new Desk();
    for (let nth = 0; nth < 70; nth++) await desk.add('read', false);
    await desk.machine(true).store.sync();
    const machine = desk.machine(true);
    await machine.store.sync();
    const folder = join(machine.stateDir, 'state');
    const facts = readdirSync(folder).filter((name) => name.endsWith('.facts'));
    expect(facts).toHaveLength(1);
    expect((await allRuns(machine.stateDir)).headers).toHaveLength(70);
    const copy = join(freshFolder(), 'copy'); // this process has read the files of the other folder
    cpSync(machine.stateDir, copy, { recursive: true });
    rmSync(join(copy, 'state', facts[0] ?? ''));
    await expect(allRuns(copy)).rejects.toThrow('is damaged');
    await desk.machine(true, copy).store.sync();
    expect((await allRuns(copy)).headers).toHaveLength(70);
  });

  test('of a database that forgot the end of a run counts as a restore before the next run', async () => {
    const desk = new Desk();
    const run = await desk.add('done', true);
    const machine = desk.machine(true);
    await machine.store.sync();
    const copy = desk.database.copy();
    desk.database.restore(copy, false);
    desk.database.shorten(run, 3);
    await machine.store.sync();
    expect((await readRun(machine.stateDir, run)).at(-1)?.kind).not.toBe('finished');
    expect(storedRuns(machine.stateDir).end(run)).toBe(undefined);
    const restored: number[] = [];
    const watched: SharedRuns = {
      ...desk.runs,
      restored: async (now) => void restored.push(now),
    };
    const later = machineOn(() => watched, desk.clock, machine.stateDir, undefined, true);
    const wanted = {
      run: 'r-next',
      playbook: 'ladder',
      accounts: [],
      isResumed: false,
      now: async () => 7,
      observedAt: 7,
    };
    await (await later.store.claim(wanted)).release();
    expect(restored).toEqual([7]);
    await (await later.store.claim({ ...wanted, run: 'r-last' })).release();
    expect(restored).toEqual([7]);
  });
});

const cut = (text: string): string => text.slice(0, text.length / 2);
const swap = (text: string): string => text.replace('"run', '"rnu');

function onlyReads(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter(
    (entry) => !('address' in entry) && !['opened', 'closed'].includes(entry.kind),
  );
}

function onlyOrders(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter((entry) => !('address' in entry) || entry.address.startsWith('ladder'));
}

function refusedFirst(entry: Entry): Entry {
  if (entry.kind !== 'settled' || entry.address !== 'ladder[61500.0]') return entry;
  return { ...entry, outcome: { kind: 'refused', code: '40762', message: 'too large', exit: 1 } };
}

/** An order is done once per playbook. */
function lasting(entry: Entry): Entry {
  return entry.kind === 'intended' ? { ...entry, identity: 'a'.repeat(64) } : entry;
}

function setAside(entries: readonly Entry[]): readonly Entry[] {
  const last = entries.at(-1);
  if (last === undefined) return [];
  const word: Event = {
    kind: 'signalled',
    name: 'deskhand/set-aside',
    payload: { who: 'ann', reason: 'closed by hand' },
  };
  return [
    { ...word, seq: last.seq, at: last.at },
    { ...last, seq: last.seq + 1 },
  ];
}

/** What lists showed of each order. */
function shown(entry: Entry): readonly Entry[] {
  if (entry.kind !== 'settled') return [];
  const order = { run: 'r-7k2m', address: entry.address, clientOid: 'dh1' };
  const news: Event = {
    kind: 'visibility',
    account: 'live here key',
    line: 'USDT-FUTURES',
    profile: 'main',
    orders: 'listed',
    order,
    time: entry.at,
  };
  return [{ ...news, seq: entry.seq, at: entry.at }];
}
