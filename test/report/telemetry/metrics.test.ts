/** Metrics: made from journals, in a format that a strict reader accepts, without reading a journal twice. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { second, standingClock } from '../../../src/base/clock.ts';
import { cataloguePath } from '../../../src/engine/journal/catalogue.ts';
import { bytesIn } from '../../../src/engine/journal/catalogue-bytes.ts';
import { CatalogueLines } from '../../../src/engine/journal/catalogue-lines.ts';
import type { Entry, Event } from '../../../src/engine/journal/entry.ts';
import { createRun, openRun } from '../../../src/engine/journal/runs.ts';
import { allFigures, figuresReader } from '../../../src/report/overview/all-figures.ts';
import { openOverviews } from '../../../src/report/overview/overviews.ts';
import { storyOf } from '../../../src/report/story.ts';
import { figuresOf, type RunFigures } from '../../../src/report/telemetry/figures.ts';
import { FiguresSum, sumOfRuns } from '../../../src/report/telemetry/figures-sum.ts';
import { metricsOf } from '../../../src/report/telemetry/metrics.ts';
import { prometheusText } from '../../../src/report/telemetry/prometheus.ts';
import { sandbox, started } from '../../support/desk-setup.ts';
import { doubtRun, doneRun, killedRun, resumedRun, stoppedRun } from '../../support/entries.ts';
import { familiesIn } from './exposition.ts';

const now = Date.UTC(2026, 10, 20, 12);

const figuresIn = (entries: readonly Entry[]): RunFigures => figuresOf(storyOf(entries), entries);

function samplesOf(
  runs: readonly RunFigures[],
  damaged = 0,
  at = now,
): ReadonlyMap<string, number> {
  const families = familiesIn(
    metricsOf({ sum: sumOfRuns(runs), damaged }, { version: '1.2.3', now: at }),
  );
  return new Map([...families.values()].flatMap(({ samples }) => [...samples]));
}

describe('the figures of runs', () => {
  const runs = [doneRun(), stoppedRun(), doubtRun(), resumedRun(), killedRun()];

  test('count values of responses that deviate from the interface, by operation, field and kind', () => {
    let nth = 0;
    const entries = doneRun().map((entry): Entry => {
      if (entry.kind !== 'answered' || entry.operation !== 'futures/place-order') return entry;
      nth += 1;
      return { ...entry, deviations: [{ field: 'orderId', came: 'number', count: 2 }] };
    });
    expect(nth).toBeGreaterThan(0);
    const labels = 'operation="futures/place-order",field="orderId",came="number"';
    const name = `deskhand_response_deviations_total{${labels}}`;
    expect(samplesOf([figuresIn(entries), figuresIn(entries)]).get(name)).toBe(4 * nth);
    expect([...samplesOf([figuresIn(doneRun())]).keys()].join()).not.toContain('deviations');
  });

  test('count ends, orders, doubts and requests', () => {
    const samples = samplesOf(runs.map(figuresIn), 1);
    const entries = runs.flat();
    const ends = entries.flatMap((entry) => (entry.kind === 'finished' ? [entry.status] : []));
    for (const state of ['done', 'stopped', 'doubt', 'interrupted']) {
      const count = ends.filter((end) => end === state).length;
      expect([state, samples.get(`deskhand_runs_total{state="${state}"}`)]).toEqual([state, count]);
    }
    expect(samples.get('deskhand_runs_unfinished')).toBe(1);
    expect(samples.get('deskhand_runs_damaged')).toBe(1);
    expect(samples.get('deskhand_doubts')).toBeGreaterThan(0);
    const answers = entries.filter(
      (entry) => entry.kind === 'answered' && entry.operation === 'futures/place-order',
    );
    const name = 'deskhand_request_seconds_count{operation="futures/place-order"}';
    expect(samples.get(name)).toBe(answers.length);
    const placed = entries.filter(
      (entry) =>
        entry.kind === 'settled' &&
        entry.address.startsWith('ladder[') &&
        entry.outcome.kind === 'done',
    );
    expect(samples.get('deskhand_orders_total{state="placed"}')).toBe(placed.length);
    expect(samples.get('deskhand_build_info{version="1.2.3"}')).toBe(1);
  });

  test('have no series for a value that a playbook or the exchange chooses', () => {
    const series = [...samplesOf(runs.map(figuresIn)).keys()].join('\n');
    expect(series).not.toMatch(/desk-setup|ladder|r-[0-9a-z]|sandbox|61500/);
    const labels = new Set([...series.matchAll(/(\w+)="/g)].map(([, label]) => label));
    expect(labels).toEqual(new Set(['version', 'state', 'operation', 'le']));
  });
});

describe('a run', () => {
  const place = 'futures/place-order';
  const entriesOf = (...events: readonly Event[]): Entry[] =>
    [started('r-1', sandbox), ...events].map((event, index) => ({
      ...event,
      seq: index + 1,
      at: now,
    }));
  const intent: Event = {
    kind: 'intended',
    address: 'ladder[1]',
    operation: place,
    input: { symbol: 'BTCUSDT' },
    identity: 'i',
    attempt: 1,
    signedAt: now + 250,
  };
  const doubt: Event = {
    kind: 'settled',
    address: 'ladder[1]',
    outcome: { kind: 'doubt', because: 'lost' },
  };

  test('that is sending an order is in doubt only when no response can arrive', () => {
    const figures = figuresIn(entriesOf(intent));
    expect(samplesOf([figures], 0, now + 10 * second).get('deskhand_doubts')).toBe(0);
    expect(samplesOf([figures], 0, now + 600 * second).get('deskhand_doubts')).toBe(1);
  });

  test('that ended in doubt is in doubt at once, until the order is settled', () => {
    const ended: Event = { kind: 'finished', status: 'doubt', exit: 6, outputs: null };
    expect(samplesOf([figuresIn(entriesOf(intent, doubt, ended))]).get('deskhand_doubts')).toBe(1);
    const unsettled = figuresIn(entriesOf(intent, ended));
    expect(samplesOf([unsettled]).get('deskhand_doubts')).toBe(1);
    const found: Event = {
      kind: 'settled',
      address: 'ladder[1]',
      outcome: { kind: 'done', output: null, evidence: 'looked-up' },
    };
    const samples = samplesOf([figuresIn(entriesOf(intent, doubt, ended, found))]);
    expect(samples.get('deskhand_doubts')).toBe(0);
    expect(samples.get('deskhand_orders_total{state="doubt"}')).toBe(1);
    expect(samples.get('deskhand_orders_total{state="placed"}')).toBe(1);
  });

  test('gives each response its own duration, and the newest offset of the clock', () => {
    const answered = {
      kind: 'answered',
      address: 'a',
      operation: place,
      status: 200,
      code: '00000',
    } as const;
    const samples = samplesOf([
      figuresIn(entriesOf(intent, { ...answered, attempt: 1, ms: 800, count: 4 })),
      figuresIn(
        entriesOf({ ...intent, signedAt: now + 1 }).map((one) => ({ ...one, at: now - 5 })),
      ),
    ]);
    const bucket = (le: string): unknown =>
      samples.get(`deskhand_request_seconds_bucket{operation="${place}",le="${le}"}`);
    expect(['0.1', '0.25', '+Inf'].map(bucket)).toEqual([0, 4, 4]);
    expect(samples.get(`deskhand_request_seconds_sum{operation="${place}"}`)).toBe(0.8);
    expect(samples.get('deskhand_clock_offset_seconds')).toBe(0.25);
  });

  test('counts only waits for the rate limit, and the delay of its schedule', () => {
    const wait = { kind: 'waited', address: 'a', operation: place, ms: 700 } as const;
    const [first, ...rest] = entriesOf({ ...wait, why: 'limit' }, { ...wait, why: 'retry' });
    if (first?.kind !== 'started') throw new Error('a journal starts with its start');
    const late = { ...first, scheduledFor: first.time - 20 * second };
    const samples = samplesOf([figuresIn([late, ...rest])]);
    expect(samples.get('deskhand_limit_wait_seconds_count')).toBe(1);
    expect(samples.get('deskhand_limit_wait_seconds_bucket{le="1"}')).toBe(1);
    expect(samples.get('deskhand_schedule_lag_seconds_sum')).toBe(20);
  });
});

test('values and descriptions are escaped', () => {
  const text = prometheusText([
    {
      name: 'a_b',
      help: 'one\\two\nthree',
      type: 'gauge',
      samples: [{ labels: { version: '"\\\n' }, value: 1 }],
    },
  ]);
  expect(text).toBe(
    '# HELP a_b one\\\\two\\nthree\n# TYPE a_b gauge\na_b{version="\\"\\\\\\n"} 1\n',
  );
  expect(familiesIn(text).size).toBe(1);
});

describe('a state folder', () => {
  let state: string;
  const clock = standingClock(now);
  beforeEach(() => {
    state = mkdtempSync(join(tmpdir(), 'metrics-'));
  });
  afterEach(() => rmSync(state, { recursive: true, force: true }));

  async function record(run: string, events: readonly Event[]): Promise<void> {
    const header = {
      run,
      playbook: 'desk-setup',
      destination: sandbox,
      createdAt: 1,
      program: 'd',
    };
    const journal = await createRun(state, header, clock);
    for (const event of [started(run, sandbox), ...events]) await journal.append(event);
    await journal.close();
  }
  const pathOf = (run: string, name: string): string => join(state, 'runs', run, name);
  const finished: Event = { kind: 'finished', status: 'done', exit: 0, outputs: null };

  test('without runs has metrics, too', async () => {
    expect(await figuresReader(state, openOverviews(state))()).toEqual({
      sum: new FiguresSum(),
      damaged: 0,
    });
  });

  test('is read again only where a journal has changed', async () => {
    await record('r-1', [finished]);
    await record('r-2', []);
    mkdirSync(join(state, 'runs', 'notes'));
    const overviews = openOverviews(state);
    const read = figuresReader(state, overviews);
    const first = await read();
    expect([[...first.sum.ends], first.sum.unfinished]).toEqual([[['done', 1]], 1]);
    const [before] = [await overviews.read('r-1')];
    expect(await read()).toEqual(first);
    expect(await overviews.read('r-1')).toBe(before);
    writeFileSync(pathOf('r-2', 'journal.ndjson'), 'x\n');
    const third = await read();
    expect([[...third.sum.ends], third.sum.unfinished, third.damaged]).toEqual([
      [['done', 1]],
      0,
      1,
    ]);
  });

  test('has the sum of a block of the catalogue while no file of its runs changed', async () => {
    for (const run of ['r-1', 'r-2', 'r-3', 'r-4', 'r-5']) await record(run, [finished]);
    await setTimeout(2_100); // files that have just changed are not stored
    const alone = await allFigures(state, openOverviews(state));
    const path = cataloguePath(state);
    const packed = new CatalogueLines(bytesIn(readFileSync(path))).packed(() => true, []);
    writeFileSync(path, packed);
    const overviews = openOverviews(state);
    const read = vi.spyOn(overviews, 'read');
    const inBlocks = figuresReader(state, overviews);
    expect([await inBlocks(), read.mock.calls]).toEqual([alone, []]);
    const { journal } = await openRun(state, 'r-3', clock);
    await journal.append({ kind: 'resumed' });
    await journal.append({ kind: 'finished', status: 'stopped', exit: 1, outputs: null });
    await journal.close();
    const again = await inBlocks();
    expect([...again.sum.ends]).toEqual([
      ['done', 5],
      ['stopped', 1],
    ]);
    expect(read).toHaveBeenCalledTimes(5);
    rmSync(join(state, 'runs', 'r-4'), { recursive: true });
    expect((await inBlocks()).sum.ends.get('done')).toBe(4);
  });
});
