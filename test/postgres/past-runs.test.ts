/** What a start fetches of ended runs: of those that changed a summary, and never a record, however many there are. */
import { afterAll, expect, test } from 'vitest';
import { storePastRuns } from '../../bench/processes/filled-store.ts';
import { day, hour, minute, second, standingClock, systemClock } from '../../src/base/clock.ts';
import { accountNames } from '../../src/engine/journal/account.ts';
import type { Entry } from '../../src/engine/journal/entry.ts';
import { allRuns, newestOf } from '../../src/engine/journal/run-list.ts';
import { openPostgres } from '../../src/stores/postgres/runs.ts';
import { upgradePostgres } from '../../src/stores/postgres/upgrade.ts';
import type { SharedRuns } from '../../src/stores/shared/shared-runs.ts';
import { started } from '../support/desk-setup.ts';
import { machineOn } from '../stores/shared/machines.ts';
import { startPostgres } from './server.ts';

const opened: SharedRuns[] = [];
afterAll(() => Promise.all(opened.map((runs) => runs.close())));

interface Fetched {
  /** Runs that the database named as changed. */
  changed: number;
  summaries: number;
  /** Characters of all answers. */
  size: number;
  records: number;
}

/** Counts what a machine fetches. */
function counted(url: string): { readonly runs: SharedRuns; readonly take: () => Fetched } {
  const runs = openPostgres({ url, lease: minute });
  opened.push(runs);
  const none = { changed: 0, summaries: 0, size: 0, records: 0 };
  let fetched: Fetched = { ...none };
  return {
    take: () => {
      const before = fetched;
      fetched = { ...none };
      return before;
    },
    runs: {
      ...runs,
      changed: async (...asked) => {
        const changes = await runs.changed(...asked);
        fetched.changed += changes.runs.length;
        fetched.size += JSON.stringify(changes).length;
        return changes;
      },
      summaries: async (...asked) => {
        const found = await runs.summaries(...asked);
        fetched.summaries += found.length;
        fetched.size += JSON.stringify(found).length;
        return found;
      },
      lines: async (...asked) => {
        fetched.records += 1;
        return runs.lines(...asked);
      },
    },
  };
}

const model = modelOf(started('r-model'));

function modelOf(event: ReturnType<typeof started>): Extract<Entry, { kind: 'started' }> {
  if (event.kind !== 'started') throw new TypeError('a run begins with `started`');
  const destination = { ...event.destination, accountId: 'desk-1', keyFingerprint: 'key-1' };
  return { ...event, destination, seq: 1, at: 0 };
}

test('a start beside ten times as many runs fetches as much', async () => {
  const beside = { playbook: model.playbook.name, accounts: accountNames(model.destination) };
  const starts: { readonly first: Fetched; readonly next: Fetched }[] = [];
  for (const runs of [100, 1_000]) {
    const server = await startPostgres();
    await upgradePostgres(server.url());
    const every = (300 * day) / runs;
    const now = systemClock.now();
    await storePastRuns(server, model, { runs, orders: 5, until: now - day, every });
    const { runs: shared, take } = counted(server.url());
    const machine = machineOn(() => shared, standingClock(now), undefined, undefined, true);
    await machine.store.sync({ beside });
    const first = take();
    const more = { runs: 1, orders: 5, until: now, every: second, first: runs + 1 };
    await storePastRuns(server, model, more);
    await machine.store.sync({ beside });
    starts.push({ first, next: take() });
    expect((await allRuns(machine.stateDir)).headers).toHaveLength(runs + 1);
    await server.stop();
  }
  const [small, large] = starts;
  const one = { changed: 1, summaries: 1, records: 0 };
  expect(small?.next).toMatchObject(one);
  expect(large?.next).toMatchObject(one);
  expect(large?.next.size).toBeLessThan(1.1 * (small?.next.size ?? 0));
  // A machine that knows nothing yet fetches a small row for each.
  expect(large?.first).toMatchObject({ changed: 1_000, summaries: 1_000, records: 0 });
  expect((large?.first.size ?? Infinity) / 1_000).toBeLessThan(4_000);
});

test('a list of the newest runs fetches as much beside ten times as many, and shows what a list of all does', async () => {
  const server = await startPostgres();
  await upgradePostgres(server.url());
  const now = systemClock.now();
  const other = { ...model, playbook: { ...model.playbook, name: 'other' } };
  const past = { orders: 1, until: now - hour };
  await storePastRuns(server, model, { ...past, runs: 1_000, every: hour });
  await storePastRuns(server, other, { ...past, runs: 100, every: 10 * hour, first: 2_000 });
  const everything = machineOn(
    () => counted(server.url()).runs,
    standingClock(now),
    undefined,
    undefined,
    true,
  );
  await everything.store.sync();
  const all = await allRuns(everything.stateDir);
  for (const wanted of [
    { max: 50 },
    { max: 50, playbook: 'other' },
    { max: 50, since: now - 20 * hour },
    { max: 50, playbook: 'none' },
  ]) {
    const isAsked = ({ playbook, createdAt }: { playbook: string; createdAt: number }) =>
      (wanted.playbook ?? playbook) === playbook && createdAt >= (wanted.since ?? 0);
    const { runs: shared, take } = counted(server.url());
    const machine = machineOn(() => shared, standingClock(now), undefined, undefined, true);
    const listing = await machine.store.syncNewest?.(wanted);
    const fetched = take();
    expect(fetched).toMatchObject({ changed: 0, records: 0 });
    expect(fetched.summaries).toBeLessThanOrEqual(100);
    const here = newestOf(await allRuns(machine.stateDir), isAsked, 50);
    const there = newestOf(all, isAsked, 50);
    expect(here.headers).toEqual(there.headers);
    if (wanted.since === undefined) {
      expect(listing?.count).toBe(there.headers.length + there.older);
    }
    await machine.store.syncNewest?.(wanted);
    expect(take()).toMatchObject({ changed: 0, summaries: 0, records: 0 });
    await machine.store.sync(); // what was fetched for lists does not count as everything
    expect((await allRuns(machine.stateDir)).headers).toHaveLength(1_100);
  }
});
