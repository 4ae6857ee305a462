import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { standingClock } from '../../../src/base/clock.ts';
import { essential } from '../../../src/engine/journal/digest.ts';
import type { Entry, Event, Outcome } from '../../../src/engine/journal/entry.ts';
import { markPath, putMark, readMark } from '../../../src/engine/journal/high-water.ts';
import { clientOidOf, identityOf } from '../../../src/engine/journal/identity.ts';
import { ledgerFrom, playbookKey, type RunRecord } from '../../../src/engine/journal/ledger.ts';
import { placedOrders } from '../../../src/engine/journal/placed-orders.ts';
import { frame, unframe } from '../../../src/engine/journal/record.ts';
import { readEssentials, readForLedger } from '../../../src/engine/journal/records.ts';
import { everyRunToShow } from '../../../src/engine/journal/run-list.ts';
import { createRun, openRun, readRun } from '../../../src/engine/journal/runs.ts';
import { isLasting, stampOf } from '../../../src/engine/journal/stamp.ts';
import { started } from '../../support/desk-setup.ts';

const clock = standingClock(1_790_000_000_000);
const account = { profile: 'main', target: 'sandbox', host: 'here', keyFingerprint: 'k' } as const;
const finished: Event = { kind: 'finished', status: 'done', exit: 0, outputs: { a: 1 } };
const operation = 'futures/place-order';
let state: string;

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'digest-'));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

function intentOf(run: string, key: string, scope: 'run' | 'playbook', attempt = 1): Event {
  const address = `ladder[${key}]`;
  const content = { symbol: 'BTCUSDT', size: key };
  const identity =
    scope === 'run'
      ? identityOf({ per: 'run', run }, address, null)
      : playbookKey(account, { playbook: 'desk-setup', address, operation, content });
  const input = { ...content, clientOid: clientOidOf(identity) };
  return { kind: 'intended', address, operation, input, identity, attempt, signedAt: 10 * attempt };
}

function settled(key: string, kind: 'done' | 'refused' | 'doubt' | 'absent'): Event {
  const outcomes: Record<typeof kind, Outcome> = {
    done: { kind: 'done', output: { orderId: key }, evidence: 'answered' },
    refused: { kind: 'refused', code: '1', message: 'no', exit: 1 },
    doubt: { kind: 'doubt', because: 'lost' },
    absent: { kind: 'failed', code: '', message: '', exit: 1, person: { who: 'ann' } },
  };
  return { kind: 'settled', address: `ladder[${key}]`, outcome: outcomes[kind] };
}

async function record(run: string, events: readonly Event[], end = [finished]): Promise<void> {
  const header = { run, playbook: 'desk-setup', destination: account, createdAt: 1, program: 'd' };
  const journal = await createRun(state, header, clock);
  for (const event of [started(run, account), ...events, ...end]) await journal.append(event);
  await journal.close();
}

async function read(keeps = true): Promise<readonly RunRecord[]> {
  const runs = await everyRunToShow(state);
  return readEssentials(
    state,
    { playbook: 'desk-setup', isWide: false },
    { runs, whole: 'r-other', keeps },
  );
}
const pathOf = (run: string, name = 'digest'): string => join(state, 'runs', run, name);
const ledgerIn = (records: readonly RunRecord[]): unknown => [
  ...ledgerFrom(records, { as: account, standingOf: () => 'same' }),
];

function digestOf(run: string) {
  return JSON.parse(unframe(readFileSync(pathOf(run), 'utf8').trimEnd()));
}

/** Changes a digest's entries, but nothing that it is checked by; or these fields as well. */
function forge(run: string, fields = {}): void {
  const value = digestOf(run);
  const entries = value.entries.slice(0, 1);
  writeFileSync(pathOf(run), frame(JSON.stringify({ ...value, entries, ...fields })));
}

/** What a digest that is made later than this will say about the files of its journal. */
function filesOf(run: string): string {
  const files = [pathOf(run, 'journal.ndjson'), markPath(state, run)];
  return files.map((path) => stampOf(path)?.text).join(', ');
}

/** Whether the ledger has a run's order; the forged digest has none. */
async function isKnown(run: string): Promise<boolean> {
  const records = await read();
  return records.some((each) => each.run === run && each.entries.length > 2);
}

test('the essential entries tell the ledger and the search for orphans what the journal does', () => {
  const event = fc.tuple(
    fc.constantFrom('1', '2', '3'),
    fc.constantFrom('run', 'playbook', 'done', 'refused', 'doubt', 'absent', 'read'),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 12 }), (drawn) => {
      const events = drawn.map(([key, what], place): Event => {
        if (what === 'run' || what === 'playbook') return intentOf('r-1', key, what, place + 1);
        if (what === 'read') return { kind: 'opened', step: 'verify' };
        return settled(key, what);
      });
      const all = [started('r-1', account), ...events, finished];
      const entries = all.map((one, index): Entry => ({ ...one, seq: index + 1, at: index }));
      const short = essential(entries, 'r-1');
      const view = { as: account, standingOf: () => 'same' as const };
      const own = new Set(
        ['1', '2', '3'].map((key) =>
          identityOf({ per: 'run', run: 'r-1' }, `ladder[${key}]`, null),
        ),
      );
      const ledger = (of: readonly Entry[]): unknown =>
        [...ledgerFrom([{ run: 'r-1', entries: of }], view)].filter(([key]) => !own.has(key));
      const placed = (of: readonly Entry[]): unknown =>
        placedOrders([{ run: 'r-1', entries: of }], view);
      expect(ledger(short)).toEqual(ledger(entries));
      expect(placed(short)).toEqual(placed(entries));
    }),
  );
});

describe('a digest', () => {
  const order = [intentOf('r-1', '1', 'playbook'), settled('1', 'done')];

  test('of a finished run is read instead of its journal, and says the same', async () => {
    await record('r-1', order);
    const before = ledgerIn(await read(false));
    expect(existsSync(pathOf('r-1'))).toBe(false);
    expect(ledgerIn(await read())).toEqual(before);
    expect(ledgerIn(await read())).toEqual(before);
    forge('r-1');
    expect(await isKnown('r-1')).toBe(false); // so it was read
    rmSync(pathOf('r-1'));
    expect(ledgerIn(await read())).toEqual(before);
  });

  test('is not made of a run that is not finished, nor of the one that is planned', async () => {
    await record('r-1', order, []);
    await record('r-other', [intentOf('r-other', '1', 'run'), settled('1', 'done')]);
    const records = await read();
    expect([existsSync(pathOf('r-1')), existsSync(pathOf('r-other'))]).toEqual([false, false]);
    expect(records.find(({ run }) => run === 'r-other')?.entries).toHaveLength(4);
  });

  test.each<readonly [string, () => Promise<void> | void]>([
    [
      'the run continued',
      async () => {
        const { journal } = await openRun(state, 'r-1', clock);
        await journal.append({ kind: 'resumed' });
        await journal.append(finished);
        await journal.close();
      },
    ],
    [
      'anything was added behind the last line',
      () => appendFileSync(pathOf('r-1', 'journal.ndjson'), 'torn'),
    ],
    [
      'the journal and its mark were restored from an older backup',
      async () => {
        const path = pathOf('r-1', 'journal.ndjson');
        const lines = readFileSync(path, 'utf8').split('\n');
        writeFileSync(path, `${lines.slice(0, -2).join('\n')}\n`);
      },
    ],
    [
      'the mark is another',
      async () => {
        const mark = await readMark(state, 'r-1');
        if (mark) await putMark(state, mark, { ...mark, seq: 1, link: linkAfterFirst() });
      },
    ],
    [
      'it is the digest of another run',
      async () => {
        await record('r-2', [intentOf('r-2', '2', 'playbook'), settled('2', 'done')]);
        await read();
        writeFileSync(pathOf('r-1'), readFileSync(pathOf('r-2')));
      },
    ],
    ['it is torn', () => writeFileSync(pathOf('r-1'), readFileSync(pathOf('r-1')).subarray(0, -9))],
    ['it is empty', () => writeFileSync(pathOf('r-1'), '')],
    [
      'it has another version',
      () => {
        const value = JSON.parse(unframe(readFileSync(pathOf('r-1'), 'utf8').trimEnd()));
        writeFileSync(pathOf('r-1'), frame(JSON.stringify({ ...value, version: 0 })));
      },
    ],
    [
      'it is a link to a pipe',
      () => {
        rmSync(pathOf('r-1'));
        symlinkSync('/dev/null', pathOf('r-1'));
      },
    ],
    [
      'it is a folder',
      () => {
        rmSync(pathOf('r-1'));
        mkdirSync(pathOf('r-1'));
      },
    ],
  ])('is ignored when %s', async (_name, change) => {
    await record('r-1', order);
    await read();
    forge('r-1');
    expect(await isKnown('r-1')).toBe(false);
    await change();
    expect(await isKnown('r-1')).toBe(true);
    expect(await isKnown('r-1')).toBe(true); // and after it was created again
  });

  test('hides no damage of its journal', async () => {
    await record('r-1', order);
    await read();
    const path = pathOf('r-1', 'journal.ndjson');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"size":"1"', '"size":"2"'));
    await expect(read()).rejects.toThrow(/is damaged/);
    rmSync(path);
    await expect(read()).rejects.toThrow(/file not found/);
  });
});

describe('a digest of files that the file system shows as unchanged', () => {
  const order = [intentOf('r-1', '1', 'playbook'), settled('1', 'done')];
  const other = { journal: { sha256: '0'.repeat(64), mark: null } };
  const path = (): string => pathOf('r-1', 'journal.ndjson');

  /** Its journal has not changed since more than two seconds before it was made. */
  async function recordLong(): Promise<void> {
    await record('r-1', order);
    await read();
    forge('r-1', { files: filesOf('r-1') });
  }

  test('counts although its hash is of another journal: the journal is not read', async () => {
    await recordLong();
    forge('r-1', other);
    expect(await isKnown('r-1')).toBe(false);
  });

  test('says what the file system says two seconds after the last change, and not before', async () => {
    await record('r-1', order);
    await read();
    expect(digestOf('r-1').files).toBeUndefined();
    await setTimeout(2_100);
    await read(false);
    expect(digestOf('r-1').files).toBeUndefined();
    forge('r-1');
    await read(); // it counts by its hash, and is stored again
    expect(digestOf('r-1')).toMatchObject({ files: filesOf('r-1'), entries: [{ seq: 1 }] });
  });

  test('is compared with the hash when a byte was changed and the time of the write set back', async () => {
    await recordLong();
    utimesSync(path(), 1, 1);
    forge('r-1', { files: filesOf('r-1') });
    writeFileSync(path(), readFileSync(path(), 'utf8').replace('"size":"1"', '"size":"2"'));
    utimesSync(path(), 1, 1);
    await expect(read()).rejects.toThrow(/is damaged/);
  });

  test('is compared with the hash when the folder was copied, and counts for the copy', async () => {
    await recordLong();
    const before = digestOf('r-1').files;
    const copy = join(state, 'copy');
    cpSync(pathOf('r-1', ''), copy, { recursive: true, preserveTimestamps: true });
    rmSync(pathOf('r-1', ''), { recursive: true });
    renameSync(copy, pathOf('r-1', ''));
    expect(await isKnown('r-1')).toBe(false); // forged, but of the same journal
    expect(digestOf('r-1').files).not.toBe(before);
    forge('r-1', { ...other, files: before });
    expect(await isKnown('r-1')).toBe(true);
  });

  test.each(['journal.ndjson', 'mark'])('does not count when its %s is a link', async (name) => {
    await recordLong();
    const file = name === 'mark' ? markPath(state, 'r-1') : path();
    renameSync(file, join(state, 'elsewhere'));
    symlinkSync(join(state, 'elsewhere'), file);
    forge('r-1', { ...other, files: filesOf('r-1') });
    await expect(read()).rejects.toThrow(/is a link|is damaged/);
  });
});

test.each([
  [-3_600_000_000_000n, false, 'the clock was set back'],
  [0n, false, 'now'],
  [2_000_000_000n, false, 'two seconds ago'],
  [2_000_000_001n, true, 'earlier'],
])('a file that was changed %i ns ago is known by its stamp: %s (%s)', (ago, isKnownBy) => {
  const changedAt = 1_790_000_000_000_000_000n;
  expect(isLasting({ text: '', changedAt }, changedAt + ago)).toBe(isKnownBy);
});

function linkAfterFirst(): string {
  const [, second = ''] = readFileSync(pathOf('r-1', 'journal.ndjson'), 'utf8').split('\n');
  return JSON.parse(unframe(second)).prev;
}

test('a run reads the journals of others in full, keeps what they tell, and all of its own', async () => {
  const order = [intentOf('r-1', '1', 'playbook'), settled('1', 'done')];
  await record('r-1', [...order, intentOf('r-1', '2', 'run'), settled('2', 'done')]);
  await read();
  forge('r-1');
  const [first] = await readForLedger(state, { playbook: 'desk-setup', isWide: false });
  expect(first?.entries.map(({ kind }) => kind)).toEqual([
    'started',
    'intended',
    'settled',
    'finished',
  ]);
  const own = { run: 'r-1', entries: await readRun(state, 'r-1') };
  expect(await readForLedger(state, { playbook: 'desk-setup', isWide: false }, own)).toEqual([own]);
  expect(own.entries).toHaveLength(6);
});
