/** The runs of other machines that a run fetches before it starts: those that may be of its accounts. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { standingClock } from '../../../src/base/clock.ts';
import { accountNames } from '../../../src/engine/journal/account.ts';
import type { Destination } from '../../../src/engine/journal/entry.ts';
import { createRun } from '../../../src/engine/journal/runs.ts';
import type { SharedRuns } from '../../../src/stores/shared/shared-runs.ts';
import type { Beside, Hold } from '../../../src/stores/store.ts';
import { machineOn, type SharedMachine } from './machines.ts';
import { SimulatedDatabase } from './simulated.ts';

const clock = standingClock(Date.UTC(2026, 0, 5));

function accountWith(accountId: string | undefined, keyFingerprint: string): Destination {
  const place = { profile: 'main', target: 'live', host: 'api.example.com' } as const;
  return { ...place, keyFingerprint, ...(accountId !== undefined && { accountId }) };
}

const [ours, theirs] = [accountWith('ours', 'key-1'), accountWith('theirs', 'key-2')];
const beside: Beside = { playbook: 'ladder', accounts: accountNames(ours) };

interface Begun {
  readonly run: string;
  readonly account: Destination;
  readonly playbook?: string;
}

/** A run with two lines; its account is claimed until it is released. */
async function begun(
  { store, stateDir }: SharedMachine,
  { run, account: destination, playbook = 'ladder' }: Begun,
): Promise<Hold> {
  const time = clock.now();
  const hold = await store.claim({
    run,
    playbook,
    accounts: [destination],
    isResumed: false,
    observedAt: time,
    now: async () => time,
  });
  const header = { run, playbook, destination, createdAt: time, program: 'test' };
  const made = await createRun(stateDir, header, clock, hold.over);
  const { journal } = await hold.open({ journal: made, entries: [] });
  await journal.append({
    kind: 'started',
    run,
    playbook: { name: playbook, file: 'x.yaml', digest: 'a'.repeat(64), text: '' },
    destination,
    inputs: {},
    steps: [],
    time,
    program: 'test',
  });
  await journal.append({ kind: 'resumed' });
  await journal.close();
  return hold;
}

async function ended(one: SharedMachine, run: Begun): Promise<void> {
  await (await begun(one, run)).release();
}

/** More runs on our account than a database compares again before its cursor. */
async function later(one: SharedMachine): Promise<void> {
  for (let nth = 0; nth < 12; nth++) await ended(one, { run: `r-later-${nth}`, account: ours });
}

const isNamed = (run: string): boolean => !run.startsWith('r-later-');

const runsOn = ({ stateDir }: SharedMachine): readonly string[] => {
  const folder = join(stateDir, 'runs');
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
};

/** Two machines, and what the second one asks of the database. */
function world() {
  const database = new SimulatedDatabase(standingClock(0));
  const asked = { changes: 0, lines: 0 };
  const counted = (runs: SharedRuns): SharedRuns => ({
    ...runs,
    changed: async (...words) => {
      const found = await runs.changed(...words);
      asked.changes += found.runs.length;
      return found;
    },
    lines: (run, after) => {
      asked.lines += 1;
      return runs.lines(run, after);
    },
  });
  const here = machineOn(() => counted(database.connect()), clock);
  return { elsewhere: machineOn(() => database.connect(), clock), here, asked };
}

test('a run fetches itself and the runs on its account, in progress or ended, and not others', async () => {
  const { elsewhere, here } = world();
  await ended(elsewhere, { run: 'r-same', account: ours });
  await ended(elsewhere, { run: 'r-same-in-another-playbook', account: ours, playbook: 'exit' });
  await ended(elsewhere, { run: 'r-same-key', account: accountWith('other', 'key-1') });
  await ended(elsewhere, { run: 'r-former-key', account: accountWith('ours', 'key-0') });
  await ended(elsewhere, { run: 'r-other', account: theirs });
  await later(elsewhere);
  await begun(elsewhere, { run: 'r-other-open', account: accountWith('third', 'key-3') });
  await begun(elsewhere, { run: 'r-same-open', account: ours });
  await here.store.sync({ run: 'r-same-open', beside });
  const same = [
    'r-former-key',
    'r-same',
    'r-same-in-another-playbook',
    'r-same-key',
    'r-same-open',
  ];
  expect(runsOn(here).filter(isNamed)).toEqual(same);
  // The cursor of some runs is not that of all.
  await here.store.sync();
  expect(runsOn(here).filter(isNamed)).toEqual([...same, 'r-other', 'r-other-open'].toSorted());
});

test('without accounts only the run itself is fetched, with its claim', async () => {
  const { elsewhere, here } = world();
  await begun(elsewhere, { run: 'r-own', account: ours });
  await begun(elsewhere, { run: 'r-other', account: theirs });
  const claims = await here.store.sync({ run: 'r-own' });
  expect(claims.map(({ run }) => run)).toEqual(['r-own']);
  expect(runsOn(here)).toEqual(['r-own']);
  // One that is complete is not checked line by line, however long it is.
  const path = join(here.stateDir, 'runs', 'r-own', 'journal.ndjson');
  const whole = readFileSync(path, 'utf8');
  const damaged = whole.replace('ladder', 'laddex');
  writeFileSync(path, damaged);
  await here.store.sync({ run: 'r-own' });
  expect(readFileSync(path, 'utf8')).toBe(damaged);
  writeFileSync(path, damaged.slice(0, damaged.indexOf('\n') + 1));
  await here.store.sync({ run: 'r-own' });
  expect(readFileSync(path, 'utf8')).toBe(whole);
});

test('a playbook that ran on an account without an id needs the runs on every account', async () => {
  const { elsewhere, here } = world();
  await ended(elsewhere, { run: 'r-unnamed', account: accountWith(undefined, 'key-9') });
  // Which account key 9 is of is known from this run alone.
  await ended(elsewhere, {
    run: 'r-link',
    account: accountWith('nine', 'key-9'),
    playbook: 'exit',
  });
  await here.store.sync({ run: 'r-new', beside });
  expect(runsOn(here)).toEqual(['r-link', 'r-unnamed']);
  await here.store.sync({ run: 'r-new', beside: { ...beside, playbook: 'exit' } });
  await ended(elsewhere, { run: 'r-later', account: theirs, playbook: 'exit' });
  await here.store.sync({ run: 'r-new', beside: { ...beside, playbook: 'exit' } });
  expect(runsOn(here)).toEqual(['r-link', 'r-unnamed']);
});

test('what a start fetches does not grow with the runs on other accounts', async () => {
  const { elsewhere, here, asked } = world();
  await later(elsewhere);
  await ended(elsewhere, { run: 'r-same', account: ours });
  await here.store.sync({ run: 'r-new', beside });
  expect(runsOn(here)).toHaveLength(13);
  const before = { ...asked };
  for (let nth = 0; nth < 30; nth++) {
    await begun(elsewhere, { run: `r-${nth}`, account: accountWith(`${nth}`, `other-${nth}`) });
  }
  await here.store.sync({ run: 'r-new', beside });
  // The last ten that ended, which are complete here; and the lines of the new one.
  expect([asked.changes - before.changes, asked.lines - before.lines]).toEqual([10, 1]);
  expect(runsOn(here)).toHaveLength(13);
});

test('an account starts where all runs were fetched last, and everything is compared when runs were deleted', async () => {
  const { elsewhere, here, asked } = world();
  for (let nth = 0; nth < 12; nth++)
    await ended(elsewhere, { run: `r-${nth + 10}`, account: ours });
  await here.store.sync();
  asked.changes = 0;
  await here.store.sync({ run: 'r-10', beside });
  expect(asked.changes).toBeLessThan(12);
  rmSync(join(here.stateDir, 'runs', 'r-10'), { recursive: true });
  await here.store.sync({ run: 'r-21', beside });
  expect(runsOn(here)).toHaveLength(12);
});
