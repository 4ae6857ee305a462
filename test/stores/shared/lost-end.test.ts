/** Answers are lost while a run ends: a run that is done is never told as anything else. */
import { expect, test } from 'vitest';
import { isDone } from '../../../src/engine/journal/end.ts';
import { openRun, readToContinue } from '../../../src/engine/journal/runs.ts';
import type { SharedRuns } from '../../../src/stores/shared/shared-runs.ts';
import { destination } from '../../support/harness.ts';
import { booksOf, desks, judge, toldBy } from '../market.ts';
import { runProcess } from '../machine-process.ts';
import { continued, stage } from './stage.ts';

type Method = keyof SharedRuns;

/** The numbers of the questions that store the end of a run and report it. */
async function endOf(): Promise<readonly (readonly [Method, number])[]> {
  const asked: Method[] = [];
  const { harness, a } = await stage(undefined, (method) => {
    asked.push(method);
    return undefined;
  });
  await runProcess(a, harness, desks);
  return (['keep', 'release'] as const).map((method) => [method, asked.lastIndexOf(method) + 1]);
}

const beyondLease = 40; // attempts

test('it is stored and reported although no answer arrives for longer than the lease', async () => {
  for (const [method, nth] of await endOf()) {
    for (const fault of ['answer-lost', 'unreachable'] as const) {
      let asked = 0;
      const all = await stage(undefined, () => {
        asked += 1;
        return asked >= nth && asked < nth + beyondLease ? fault : undefined;
      });
      const result = await runProcess(all.a, all.harness, desks);
      const { tracer } = all;
      const broken = judge(result, await booksOf(all.harness), await toldBy(all.a), 'resend');
      expect([method, fault, result.status, ...broken, ...tracer.broken]).toEqual([
        method,
        fault,
        'done',
      ]);
      expect(await all.database.connect().claims()).toEqual([]);
    }
  }
});

test('it is done although another has taken it before the lost answer was asked for again', async () => {
  for (const [method, nth] of await endOf()) {
    let asked = 0;
    let isStuck = (): void => undefined;
    const stuck = new Promise<void>((resolve) => (isStuck = resolve));
    const all = await stage(undefined, () => {
      asked += 1;
      if (asked === nth) return 'answer-lost';
      if (asked !== nth + 1) return undefined;
      isStuck();
      return 'slow';
    });
    const first = runProcess(all.a, all.harness, desks);
    await Promise.race([first.catch(() => undefined), stuck]);
    all.pass(0);
    expect([method, await continued(all)]).toEqual([method, []]);
    all.database.deliver();
    expect([method, await first]).toMatchObject([method, { status: 'done' }]);
  }
});

test('a run that another continues before its end was stored does not count as done here', async () => {
  const [[, nth] = ['keep', 0]] = await endOf();
  let asked = 0;
  let isStuck = (): void => undefined;
  const stuck = new Promise<void>((resolve) => (isStuck = resolve));
  const all = await stage(undefined, () => {
    asked += 1;
    if (asked === nth) return 'unreachable';
    if (asked !== nth + 1) return undefined;
    isStuck();
    return 'slow';
  });
  const first = runProcess(all.a, all.harness, desks).catch((error: Error) => error.message);
  await Promise.race([first, stuck]);
  all.pass(0);
  expect(await continued(all)).toEqual([]);
  all.database.deliver();
  expect(await first).toContain('no longer belongs to this process');
});

test('a run that is done and was not released stays done when another takes it', async () => {
  const isRelease = (method: Method): boolean => method === 'release';
  const all = await stage(undefined, (method) => (isRelease(method) ? 'unreachable' : undefined));
  const { harness, b } = all;
  await runProcess(all.a, harness, desks).catch(() => undefined);
  all.pass();
  await b.store.sync({ run: 'r-1' });
  const entries = await readToContinue(b.stateDir, 'r-1');
  const now = harness.clock.now();
  const claim = { run: 'r-1', playbook: desks.name, accounts: [destination], isResumed: true };
  const hold = await b.store.claim({ ...claim, now: async () => now, observedAt: now });
  const opened = await openRun(b.stateDir, 'r-1', harness.clock, entries, hold.over);
  const noted = await hold.open(opened);
  expect([noted.unreported, isDone(noted.entries)]).toEqual([undefined, true]);
  await noted.journal.close();
  await hold.release();
});
