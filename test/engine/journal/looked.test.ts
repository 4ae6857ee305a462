/** Beside tens of thousands of runs: whose files are looked at, and when. */
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { standingClock, systemClock } from '../../../src/base/clock.ts';
import { cataloguePath } from '../../../src/engine/journal/catalogue.ts';
import { columnOf } from '../../../src/engine/journal/columns.ts';
import { continuedPath } from '../../../src/engine/journal/continued.ts';
import type { Event } from '../../../src/engine/journal/entry.ts';
import { clientOidOf, identityOf } from '../../../src/engine/journal/identity.ts';
import { changedSinceLooked, noteLooked } from '../../../src/engine/journal/looked.ts';
import { lookedMax } from '../../../src/engine/journal/proved-runs.ts';
import { frame, unframe } from '../../../src/engine/journal/record.ts';
import { readForLedger } from '../../../src/engine/journal/records.ts';
import { allRuns } from '../../../src/engine/journal/run-list.ts';
import { createRun, journalPath, openRun, readHeader } from '../../../src/engine/journal/runs.ts';
import { unfinishedAmong } from '../../../src/engine/journal/unfinished.ts';
import { runHere, putRun } from '../../../src/stores/run-files.ts';
import { started } from '../../support/desk-setup.ts';
import { recordsIn } from '../../support/past-records.ts';

const clock = standingClock(1_790_000_000_000);
const account = { profile: 'main', target: 'sandbox', host: 'here', keyFingerprint: 'k' } as const;
const playbook = 'desk-setup';
const scope = { playbook, isWide: true };
const finished: Event = { kind: 'finished', status: 'done', exit: 0, outputs: {} };
const older = ['r-1', 'r-2', 'r-3', 'r-4'];
const newer = ['r-5', 'r-6', 'r-7', 'r-8'];

function intent(run: string): Event {
  const address = 'ladder[1]';
  const operation = 'futures/place-order';
  const identity = identityOf({ per: 'run', run }, address, null);
  const input = { symbol: 'BTCUSDT', size: '1', clientOid: clientOidOf(identity) };
  return { kind: 'intended', address, operation, input, identity, attempt: 1, signedAt: 10 };
}

let root: string;
let folders: string[] = [];

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'looked-'));
  folders = Array.from({ length: 14 }, (_none, at) => join(root, String(at)));
  for (const state of folders) {
    for (const run of [...older, ...newer]) {
      const header = { run, playbook, destination: account, createdAt: 1, program: 'd' };
      const journal = await createRun(state, header, clock);
      for (const event of [started(run, account), finished]) await journal.append(event);
      await journal.close();
    }
  }
  await setTimeout(2_100); // until the file system would show another change
}, 60_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

/**
 * A folder whose catalogue has many runs between the older and the newer ones; all files were looked at.
 * @param ago milliseconds
 */
async function manyRuns(ago = 0): Promise<string> {
  const state = folders.pop() ?? '';
  const runs = await allRuns(state);
  await readForLedger(state, scope, { runs, keeps: true });
  const facts = readFileSync(cataloguePath(state), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(unframe(line)));
  const [model] = facts;
  const gone = Array.from({ length: lookedMax }, (_none, at) => {
    const run = `r-gone-${at}`;
    const files = model.files.map((stamp: number[]) => stamp.map((each) => each + at));
    return {
      ...model,
      run,
      files,
      value: { ...model.value, header: { ...model.value.header, run } },
    };
  });
  const of = (names: readonly string[]) => facts.filter(({ run }) => names.includes(run));
  const blocks = [of(older), gone, of(newer)].map((some) =>
    frame(
      JSON.stringify({
        kind: model.kind,
        rows: some.length,
        runs: some.map(({ run }) => run),
        files: columnOf(some.map(({ files }) => files)),
        values: columnOf(some.map(({ value }) => value)),
      }),
    ),
  );
  writeFileSync(cataloguePath(state), blocks.join(''));
  noteLooked(state, systemClock.now() - ago, []);
  return state;
}

/** The runs whose journals are read by the next run of the playbook. */
async function read(state: string): Promise<readonly string[]> {
  const { others, ended } = await allRuns(state);
  const own = [
    ...others,
    ...ended.listing.notable(
      () => true,
      () => false,
    ),
  ];
  return own.filter((header) => ended.ended(header) === undefined).map(({ run }) => run);
}

async function unfinished(state: string): Promise<readonly string[]> {
  const past = await readForLedger(state, scope, { runs: await allRuns(state), keeps: false });
  return unfinishedAmong(recordsIn(past), () => true).map(({ run }) => run);
}

/** Another program changes a run: only the file system shows it. */
const touch = (state: string, run: string): void => utimesSync(journalPath(state, run), 1, 1);

test('the files of older runs are looked at once an hour', async () => {
  const state = await manyRuns();
  expect(await read(state)).toEqual([]);
  touch(state, 'r-1');
  expect(await read(state)).toEqual([]);
  noteLooked(state, systemClock.now() - 3_600_001, []);
  expect(await read(state)).toEqual(['r-1']);
});

test('a run looks at all files when it has locked its accounts, whatever its plan relied on', async () => {
  const state = await manyRuns();
  const shown = await allRuns(state);
  touch(state, 'r-1');
  const locked = await allRuns(state, shown);
  expect(locked.ended.ended(await readHeader(state, 'r-1'))).toBeUndefined();
});

test('an older run that this program continues is read at once, and its doubt blocks others', async () => {
  const state = await manyRuns();
  const { journal } = await openRun(state, 'r-2', clock);
  await journal.append({ kind: 'resumed' });
  await journal.append(intent('r-2'));
  await journal.close();
  expect(await unfinished(state)).toEqual(['r-2']);
});

test('an older run that a store replaces is read at once', async () => {
  const state = await manyRuns();
  const files = await runHere(state, 'r-3');
  if (files) await putRun(state, 'r-3', files);
  expect(await read(state)).toEqual(['r-3']);
});

test('when a newer run was changed by another program, the files of all are looked at', async () => {
  const state = await manyRuns();
  touch(state, 'r-1');
  touch(state, 'r-6');
  expect((await read(state)).toSorted()).toEqual(['r-1', 'r-6']);
});

test('a run that had changed when all were looked at is looked at by each command', async () => {
  const state = await manyRuns();
  touch(state, 'r-4');
  noteLooked(state, systemClock.now(), ['r-4']);
  expect(await read(state)).toEqual(['r-4']);
});

test('an older run whose folder is missing stops a command at once', async () => {
  const state = await manyRuns();
  rmSync(join(state, 'runs', 'r-1'), { recursive: true });
  await expect(allRuns(state)).rejects.toThrow('the folder of run r-1 is missing');
});

/** What may happen to the files on which this depends. */
const losses: Readonly<Record<string, (state: string) => void>> = {
  'the names of continued runs were removed': (state) => rmSync(continuedPath(state)),
  'the names of continued runs are a copy': (state) => {
    const names = readFileSync(continuedPath(state));
    writeFileSync(join(state, 'other'), ''); // another gets its inode
    rmSync(continuedPath(state));
    writeFileSync(join(state, 'third'), '');
    writeFileSync(continuedPath(state), names);
  },
  'the record was removed': (state) => rmSync(join(state, 'looked')),
  'the record is torn': (state) => truncateSync(join(state, 'looked'), 40),
  'the record is a link': (state) => {
    rmSync(join(state, 'looked'));
    symlinkSync(continuedPath(state), join(state, 'looked'));
  },
  'the record is of a later time': (state) => noteLooked(state, systemClock.now() + 60_000, []),
};

test.each(Object.entries(losses))('all files are looked at when %s', async (_name, lose) => {
  const state = await manyRuns();
  touch(state, 'r-1');
  lose(state);
  expect(changedSinceLooked(state, systemClock.now())).toBe(undefined);
  expect(await read(state)).toEqual(['r-1']);
});

test('names of continued runs that became fewer do not count', async () => {
  const state = await manyRuns();
  writeFileSync(continuedPath(state), 'r-1\nr-2\n');
  noteLooked(state, systemClock.now(), []);
  truncateSync(continuedPath(state), 4);
  expect(existsSync(join(state, 'looked'))).toBe(true);
  expect(changedSinceLooked(state, systemClock.now())).toBe(undefined);
});
