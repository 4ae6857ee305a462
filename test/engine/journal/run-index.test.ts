/** The index of runs: used while it is true, and never instead of a file that may have changed. */
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
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { standingClock } from '../../../src/base/clock.ts';
import { isRecord } from '../../../src/base/json.ts';
import type { Event } from '../../../src/engine/journal/entry.ts';
import { putMark, readMark } from '../../../src/engine/journal/high-water.ts';
import { clientOidOf } from '../../../src/engine/journal/identity.ts';
import { journalStampsOf, textOf } from '../../../src/engine/journal/journal-stamps.ts';
import { playbookKey } from '../../../src/engine/journal/ledger.ts';
import { frame, unframe } from '../../../src/engine/journal/record.ts';
import { readEssentials } from '../../../src/engine/journal/records.ts';
import { indexPath } from '../../../src/engine/journal/run-index.ts';
import { everyRun, everyRunToShow } from '../../../src/engine/journal/run-list.ts';
import { createRun, headerPath, journalPath, openRun } from '../../../src/engine/journal/runs.ts';
import { stampOf } from '../../../src/engine/journal/stamp.ts';
import { started } from '../../support/desk-setup.ts';

const clock = standingClock(1_790_000_000_000);
const account = { profile: 'main', target: 'sandbox', host: 'here', keyFingerprint: 'k' } as const;
const finished: Event = { kind: 'finished', status: 'done', exit: 0, outputs: {} };
const playbook = 'desk-setup';
const order = orderOncePerPlaybook();
const forgedAt = 77; // a time that only a forged header has
let state: string;

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'run-index-'));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

function orderOncePerPlaybook(): Event {
  const address = 'order';
  const operation = 'futures/place-order';
  const content = { symbol: 'BTCUSDT', size: '1' };
  const identity = playbookKey(account, { playbook, address, operation, content });
  const input = { ...content, clientOid: clientOidOf(identity) };
  return { kind: 'intended', address, operation, input, identity, attempt: 1, signedAt: 10 };
}

async function record(run: string, events: readonly Event[] = [], in_ = state): Promise<void> {
  const header = { run, playbook, destination: account, createdAt: 1, program: 'd' };
  const journal = await createRun(in_, header, clock);
  for (const event of [started(run, account), ...events, finished]) await journal.append(event);
  await journal.close();
}

async function plan(keeps = true): Promise<{
  readonly createdAt: readonly number[];
  /** Runs by the kinds of their entries. */
  readonly entries: Readonly<Record<string, readonly string[]>>;
}> {
  const runs = await everyRunToShow(state);
  const records = await readEssentials(
    state,
    { playbook, isWide: false },
    { runs, whole: 'r-other', keeps },
  );
  return {
    createdAt: runs.headers.map(({ createdAt }) => createdAt),
    entries: Object.fromEntries(records.map((each) => [each.run, each.entries.map((e) => e.kind)])),
  };
}

function stored(): { readonly version: number; readonly runs: readonly Record<string, unknown>[] } {
  return JSON.parse(unframe(readFileSync(indexPath(state), 'utf8').trimEnd()));
}

/** An index that is true for the files as they are now, but for a time that only it knows. */
function forge(run: string, fields: object = {}): void {
  const header = JSON.parse(readFileSync(headerPath(state, run), 'utf8'));
  const files = journalStampsOf(state, run);
  const one = {
    header: { ...header, createdAt: forgedAt },
    file: stampOf(headerPath(state, run))?.text,
    lacks: { ledger: files && textOf(files) },
  };
  const value = { version: 3, runs: [one], ...fields };
  writeFileSync(indexPath(state), frame(JSON.stringify(value)));
}

describe('while files are unchanged', () => {
  test('headers and journals are not read', async () => {
    await record('r-1', [order]);
    forge('r-1');
    expect(await plan()).toEqual({ createdAt: [forgedAt], entries: { 'r-1': [] } });
  });

  test('a run that sends something reads all headers', async () => {
    await record('r-1');
    forge('r-1');
    expect(await everyRun(state)).toMatchObject([{ createdAt: 1 }]);
  });
});

describe('it is made', () => {
  test('two seconds after the last change, and not before', async () => {
    await record('r-1');
    await record('r-2', [order]);
    await plan();
    expect(stored().runs).toEqual([]);
    await setTimeout(2_100);
    await plan(false);
    expect(stored().runs).toEqual([]);
    await plan();
    const found = stored().runs;
    const files = journalStampsOf(state, 'r-1');
    expect(found).toHaveLength(2);
    expect(found.find(({ header }) => isOf(header, 'r-1'))).toMatchObject({
      header: { run: 'r-1', createdAt: 1 },
      file: stampOf(headerPath(state, 'r-1'))?.text,
      lacks: { ledger: files && textOf(files), doubts: files && textOf(files) },
    });
    // It sent an order, so others need it for their ledger; it left no doubt.
    const needed = journalStampsOf(state, 'r-2');
    expect(found.find(({ header }) => isOf(header, 'r-2'))?.['lacks']).toEqual({
      doubts: needed && textOf(needed),
    });
    const before = stampOf(indexPath(state))?.text;
    expect(await plan()).toEqual({
      createdAt: [1, 1],
      entries: { 'r-1': [], 'r-2': ['started', 'intended', 'finished'] },
    });
    expect(stampOf(indexPath(state))?.text).toBe(before); // nothing else is known
    const { journal } = await openRun(state, 'r-1', clock);
    for (const event of [{ kind: 'resumed' } as const, finished]) await journal.append(event);
    await journal.close();
    expect((await plan()).entries['r-1']).toHaveLength(3);
    const [again] = stored().runs.filter(({ header }) => isOf(header, 'r-1'));
    expect(again).toMatchObject({ header: { createdAt: 1 } });
    expect(again?.['lacks']).toEqual({}); // its journal was changed just now
  });

  test('by no plan that may not write', async () => {
    await record('r-1');
    await plan(false);
    expect(existsSync(indexPath(state))).toBe(false);
  });

  test('again without a run that was removed', async () => {
    await record('r-1');
    forge('r-1');
    rmSync(join(state, 'runs', 'r-1'), { recursive: true });
    rmSync(join(state, 'high-water', 'r-1.mark'));
    expect((await plan()).createdAt).toEqual([]);
    expect(stored().runs).toEqual([]);
  });
});

describe('a header is read again when', () => {
  test.each<readonly [string, () => void]>([
    [
      'it was replaced by its copy',
      () => {
        const path = headerPath(state, 'r-1');
        cpSync(path, `${path}.copy`, { preserveTimestamps: true });
        renameSync(`${path}.copy`, path);
      },
    ],
    [
      'its time was set back',
      () => utimesSync(headerPath(state, 'r-1'), 1, 1), // the time of the change stays
    ],
    [
      'the state folder was copied',
      () => {
        const copy = `${state}-copy`;
        cpSync(state, copy, { recursive: true, preserveTimestamps: true });
        rmSync(state, { recursive: true });
        renameSync(copy, state);
      },
    ],
    ['the index is torn', () => truncateSync(indexPath(state), 100)],
    ['the index is empty', () => writeFileSync(indexPath(state), '')],
    [
      'a byte of the index was changed',
      () => {
        const text = readFileSync(indexPath(state), 'utf8');
        writeFileSync(indexPath(state), text.replace(`"createdAt":${forgedAt}`, '"createdAt":78'));
      },
    ],
    ['the index has another version', () => forge('r-1', { version: 1 })],
    ['the index is of another shape', () => forge('r-1', { runs: [{ header: 1, file: 'x' }] })],
    ['the index has no runs', () => forge('r-1', { runs: 'none' })],
    [
      'the index is a link',
      () => {
        renameSync(indexPath(state), join(state, 'elsewhere'));
        symlinkSync(join(state, 'elsewhere'), indexPath(state));
      },
    ],
    [
      'the index is a folder',
      () => {
        rmSync(indexPath(state));
        mkdirSync(indexPath(state));
      },
    ],
    ['there is no index', () => rmSync(indexPath(state))],
  ])('%s', async (_name, change) => {
    await record('r-1', [order]);
    forge('r-1');
    expect((await plan(false)).createdAt).toEqual([forgedAt]);
    change();
    const entries = { 'r-1': ['started', 'intended', 'finished'] };
    expect(await plan()).toEqual({ createdAt: [1], entries });
    expect(await plan()).toEqual({ createdAt: [1], entries }); // and after it was made again
  });

  test('another run has its stamps', async () => {
    await record('r-1', [order]);
    await record('r-2', [order]);
    forge('r-1');
    const { runs } = stored();
    const header = { ...(runs[0]?.['header'] as object), run: 'r-2' };
    writeFileSync(
      indexPath(state),
      frame(JSON.stringify({ version: 3, runs: [{ ...runs[0], header }] })),
    );
    expect((await plan()).createdAt).toEqual([1, 1]);
  });
});

describe('a journal is read again when', () => {
  test.each<readonly [string, () => Promise<void> | void]>([
    [
      'the run was continued',
      async () => {
        const { journal } = await openRun(state, 'r-1', clock);
        for (const event of [{ kind: 'resumed' } as const, order, finished]) {
          await journal.append(event);
        }
        await journal.close();
      },
    ],
    [
      'it was replaced by one with another order',
      async () => {
        const other = mkdtempSync(join(tmpdir(), 'run-index-other-'));
        await record('r-1', [order], other);
        cpSync(journalPath(other, 'r-1'), journalPath(state, 'r-1'));
        cpSync(join(other, 'high-water'), join(state, 'high-water'), { recursive: true });
        rmSync(other, { recursive: true });
      },
    ],
  ])('%s', async (_name, change) => {
    await record('r-1');
    forge('r-1');
    expect((await plan(false)).entries).toEqual({ 'r-1': [] });
    await change();
    expect((await plan()).entries['r-1']).toContain('intended');
    expect((await plan()).entries['r-1']).toContain('intended');
  });

  test('its mark is another', async () => {
    await record('r-1', [order]);
    forge('r-1');
    const mark = await readMark(state, 'r-1');
    if (mark) await putMark(state, mark, mark);
    expect((await plan()).entries['r-1']).toContain('intended');
  });

  test('anything was added to it, and damage is reported', async () => {
    await record('r-1', [order]);
    forge('r-1');
    const path = journalPath(state, 'r-1');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"size":"1"', '"size":"2"'));
    await expect(plan()).rejects.toThrow(/is damaged/);
    forge('r-1');
    appendFileSync(headerPath(state, 'r-1'), 'x');
    await expect(plan()).rejects.toThrow(/is damaged/);
  });
});

function isOf(header: unknown, run: string): boolean {
  return isRecord(header) && header['run'] === run;
}
