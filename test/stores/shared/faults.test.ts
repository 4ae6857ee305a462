/** The database is unreachable, loses answers, answers late, or forgets: nothing is there twice, and no doubt is hidden. */
import { cpSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { isWhole } from '../../support/share.ts';
import { minute } from '../../../src/base/clock.ts';
import { linesIn } from '../../../src/stores/shared/lines.ts';
import type { SharedRuns } from '../../../src/stores/shared/shared-runs.ts';
import { booksOf, deathsIn, desks, judge, toldBy } from '../market.ts';
import { entriesOn, runProcess, type Death } from '../machine-process.ts';
import { machineOn } from './machines.ts';
import type { Defect, Fault } from './simulated.ts';
import { continued, ends, lengthOf, stage, toldWithStrangers, type Stage } from './stage.ts';

const tries = { timeout: 600_000 };
const step = isWhole ? 1 : 2;

/** A fault of the n-th question, and of as many after it. */
function faultAt(
  nth: number,
  fault: Fault,
  many = 1,
): (method: keyof SharedRuns) => Fault | undefined {
  let asked = 0;
  return () => {
    asked += 1;
    return asked >= nth && asked < nth + many ? fault : undefined;
  };
}

/** Number of questions in a whole run. */
async function questions(): Promise<number> {
  let asked = 0;
  const { harness, a } = await stage(undefined, () => {
    asked += 1;
    return undefined;
  });
  await runProcess(a, harness, desks);
  return asked;
}

async function judged({ harness, a, tracer }: Stage): Promise<readonly string[]> {
  const books = await booksOf(harness);
  const result = { status: 'done', exit: 0, outputs: null } as const;
  return [...judge(result, books, await toldBy(a), 'resend'), ...tracer.broken];
}

test(
  'an answer that is lost during a run is asked for again, and nothing is stored twice',
  tries,
  async () => {
    const broken: string[] = [];
    for (let nth = 6; nth <= (await questions()); nth += step) {
      const all = await stage(undefined, faultAt(nth, 'answer-lost'));
      const result = await runProcess(all.a, all.harness, desks).catch((error: Error) => error);
      if (result instanceof Error || result.status !== 'done')
        broken.push(`${nth}: it ended otherwise`);
      broken.push(...(await judged(all)).map((what) => `${nth}: ${what}`));
    }
    expect(broken).toEqual([]);
  },
);

test('a database that is unreachable for less than the lease stops nothing', tries, async () => {
  for (let nth = 6; nth <= (await questions()); nth += 3) {
    const { harness, a } = await stage(undefined, faultAt(nth, 'unreachable', 5));
    expect(await runProcess(a, harness, desks), String(nth)).toMatchObject({ status: 'done' });
  }
});

test(
  'one that stays unreachable stops the run: nothing is sent, and another continues',
  tries,
  async () => {
    const broken: string[] = [];
    for (let nth = 1; nth <= (await questions()); nth += step) {
      const all = await stage(undefined, faultAt(nth, 'unreachable', Infinity));
      const isWhole = await ends(runProcess(all.a, all.harness, desks));
      if (isWhole) broken.push(`${nth}: it ended without its database`);
      const before = await booksOf(all.harness);
      all.pass();
      broken.push(...(await continued(all)).map((what) => `${nth}: ${what}`));
      if ((await booksOf(all.harness)).total < before.total) broken.push(`${nth}: fewer orders`);
    }
    expect(broken).toEqual([]);
  },
);

/** What A asked arrives after B has continued. */
async function lateOf(nth: number, fault: Fault, defect?: Defect): Promise<readonly string[]> {
  const faults = faultAt(nth, fault, fault === 'late' ? Infinity : 1);
  let isStuck = (): void => undefined;
  const stuck = new Promise<void>((resolve) => (isStuck = resolve));
  const all = await stage(defect, (method) => {
    const found = faults(method);
    if (found === 'slow') isStuck();
    return found;
  });
  const { database, harness, a, b } = all;
  const first = ends(runProcess(a, harness, desks));
  await Promise.race([first, stuck]);
  all.pass(0);
  const broken = [...(await continued(all))];
  database.deliver();
  await first;
  await b.store.sync();
  for (const [name, ids] of (await booksOf(harness)).byName) {
    if (ids.length > 1) broken.push(`${name} stands ${ids.length} times`);
  }
  const isKnown = (await entriesOn(b).catch(() => [])).length > 0;
  if (isKnown)
    await runProcess(b, harness, desks, { isResumed: true }).catch((error: Error) =>
      broken.push(error.message),
    );
  broken.push(...all.tracer.broken);
  return broken.map((what) => `${nth}: ${what}`);
}

test.each(['late', 'slow'] as const)(
  'a question that arrives %s changes nothing of a run that another has',
  tries,
  async (fault) => {
    const broken: string[] = [];
    for (let nth = 5; nth <= (await questions()); nth += step)
      broken.push(...(await lateOf(nth, fault)));
    expect(broken).toEqual([]);
  },
);

/** By the exchange's books, and by the transitions of the model. */
const signs = ['times', 'must not'];

test('the planted defect no-row-lock is noticed', tries, async () => {
  const broken: string[] = [];
  for (let nth = 5; nth <= (await questions()); nth++) {
    broken.push(...(await lateOf(nth, 'slow', 'no-row-lock')));
  }
  for (const sign of signs) expect(broken.filter((what) => what.includes(sign))).not.toEqual([]);
});

/** The database is copied at one question, and A dies at a later act; B continues on the copy. */
async function restoredOf(
  copied: number,
  dies: Death,
  defect?: Defect,
): Promise<readonly string[]> {
  let copy: unknown;
  let asked = 0;
  const all: Stage = await stage(defect, () => {
    asked += 1;
    if (asked === copied) copy = all.database.copy();
    return undefined;
  });
  const { database, harness, b } = all;
  const observedAt = harness.clock.now();
  await ends(runProcess(all.a, harness, desks, { dies, observedAt }));
  if (copy === undefined) return [];
  database.restore(copy);
  all.pass(minute, false);
  await b.store.sync();
  const isKnown = (await entriesOn(b).catch(() => [])).length > 0;
  const result = await runProcess(b, harness, desks, { isResumed: isKnown, observedAt });
  const judged = judge(result, await booksOf(harness), await toldWithStrangers(b), 'ask');
  const broken = [...judged, ...all.tracer.broken];
  return broken.map((what) => `copied at ${copied}, ${JSON.stringify(dies)}: ${what}`);
}

async function restored(defect?: Defect): Promise<readonly string[]> {
  const broken: string[] = [];
  const length = await lengthOf();
  const all = await questions();
  for (const dies of deathsIn({ ...length, journal: 0 }, { from: 1, oneOf: 5 })) {
    for (let copied = 3; copied <= all; copied += 4 * step * step)
      broken.push(...(await restoredOf(copied, dies, defect)));
  }
  return broken;
}

test('a database that forgets what it confirmed: every write is looked up', tries, async () => {
  expect(await restored()).toEqual([]);
});

test('the planted defect no-takeover-record is noticed', tries, async () => {
  const broken = await restored('no-takeover-record');
  for (const sign of signs) expect(broken.filter((what) => what.includes(sign))).not.toEqual([]);
});

test(
  'a machine that has more lines than a restored database reports that it forgot them',
  tries,
  async () => {
    const broken: string[] = [];
    let tried = 0;
    const length = { ...(await lengthOf()), journal: 0, request: 0 };
    for (const dies of deathsIn(length, { from: 1, oneOf: 1 })) {
      let copy: unknown;
      let asked = 0;
      const all: Stage = await stage(undefined, () => {
        asked += 1;
        if (asked === 9) copy = all.database.copy();
        return undefined;
      });
      const { database, harness, a } = all;
      await ends(runProcess(a, harness, desks, { dies }));
      const lines = (await entriesOn(a).catch(() => [])).length;
      if (copy === undefined) continue;
      database.restore(copy, false);
      if (linesIn(database.text('r-1')) === lines) continue;
      tried += 1;
      all.pass(minute, false);
      const again = machineOn(() => database.connect(), harness.clock);
      cpSync(a.stateDir, again.stateDir, {
        recursive: true,
        filter: (path) => basename(path) !== 'locks',
      });
      const result = await runProcess(again, harness, desks, { isResumed: true });
      const told = judge(result, await booksOf(harness), await toldWithStrangers(again), 'ask');
      broken.push(...told.map((what) => `${JSON.stringify(dies)}: ${what}`));
      const entries = await entriesOn(again);
      if (!entries.some((entry) => entry.kind === 'taken-over' && entry.forgets === true)) {
        broken.push(`${JSON.stringify(dies)}: not noticed`);
      }
    }
    expect(broken).toEqual([]);
    expect(tried).toBeGreaterThan(5);
  },
);
