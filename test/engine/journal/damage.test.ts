/** A journal with lost or changed bytes is never read as one in which less happened. */
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { standingClock } from '../../../src/base/clock.ts';
import { readableJson } from '../../../src/base/json.ts';
import type { Entry, Event } from '../../../src/engine/journal/entry.ts';
import { JournalError } from '../../../src/engine/journal/error.ts';
import { ledgerFrom } from '../../../src/engine/journal/ledger.ts';
import { readRecords } from '../../../src/engine/journal/records.ts';
import { everyRun, listRuns, unnamedRuns } from '../../../src/engine/journal/run-list.ts';
import { createRun, hasBegun, openRun, readRun } from '../../../src/engine/journal/runs.ts';
import { noteOf, setAside } from '../../../src/engine/journal/set-aside.ts';

const readLedger = async (
  stateDir: string,
  playbook: string,
): Promise<ReturnType<typeof ledgerFrom>> =>
  ledgerFrom(await readRecords(stateDir, playbook), { standingOf: () => 'same' });

const clock = standingClock(1_790_000_000_000);
const destination = { profile: 'main', target: 'sandbox', host: 'h' } as const;
const header = { run: 'r-1', playbook: 'ladder', destination, createdAt: 1, program: 'deskhand 0' };
const intended: Event = {
  kind: 'intended',
  address: 'bid',
  operation: 'futures/place-order',
  input: { clientOid: 'dh1', symbol: 'BTCUSDT' },
  identity: 'i',
  attempt: 1,
  signedAt: 2,
};
const events: readonly Event[] = [
  {
    kind: 'started',
    run: 'r-1',
    playbook: { name: 'ladder', file: 'a.yaml', digest: 'd', text: 't' },
    destination,
    inputs: {},
    time: 1,
    program: 'deskhand 0',
    steps: [],
  },
  { kind: 'opened', step: 'bid' },
  intended,
  {
    kind: 'settled',
    address: 'bid',
    outcome: { kind: 'done', output: 'x', evidence: 'answered' },
  },
  { kind: 'closed', step: 'bid', status: 'done' },
  { kind: 'finished', status: 'done', exit: 0, outputs: null },
];

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'damage-'));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const folderOf = (run = 'r-1'): string => join(state, 'runs', run);
const pathOf = (name: string, run = 'r-1'): string => join(folderOf(run), name);
const journal = (): string => pathOf('journal.ndjson');
const mark = (run = 'r-1'): string => join(state, 'high-water', `${run}.mark`);

/** @param closes whether the process ended by itself or was killed */
async function written(closes: boolean): Promise<Buffer> {
  const one = await createRun(state, header, clock);
  for (const event of events) await one.append(event);
  const asKilled = readFileSync(mark());
  await one.close();
  if (!closes) writeFileSync(mark(), asKilled);
  return readFileSync(journal());
}

test('a journal with a second name is read, and nothing is appended to it', async () => {
  const before = await written(true);
  linkSync(journal(), join(state, 'copy.ndjson'));
  expect(await read()).toHaveLength(events.length);
  await expect(openRun(state, 'r-1', clock)).rejects.toThrow('2 names (hard links)');
  expect(readFileSync(journal())).toEqual(before);
  unlinkSync(join(state, 'copy.ndjson'));
  await (await openRun(state, 'r-1', clock)).journal.close();
});

/** The result of reading the file: its entries, or the error. */
async function read(): Promise<readonly Entry[] | JournalError> {
  try {
    return await readRun(state, 'r-1');
  } catch (error) {
    if (error instanceof JournalError) return error;
    throw error;
  }
}

/** Either an error names the journal, or it still contains the start and what was sent. */
async function expectNothingForgotten(what: string, at = 0): Promise<void> {
  const found = await read();
  const isLookedAtTwice = at % 23 === 0; // slower, and it follows from the first check
  if (found instanceof JournalError) {
    expect(found, what).toMatchObject({ exit: 1, hint: expect.stringContaining('runs show r-1') });
    expect(found.message, what).toMatch(/journal\.ndjson|header\.json|folder of run/);
    if (isLookedAtTwice) {
      await expect(openRun(state, 'r-1', clock), what).rejects.toThrow(JournalError);
    }
  } else {
    const kinds = found.map(({ kind }) => kind);
    expect(kinds.slice(0, 3), what).toEqual(['started', 'opened', 'intended']);
  }
  if (!isLookedAtTwice) return;
  expect(await hasBegun(state, 'r-1'), what).toBe(true);
  await expect(createRun(state, header, clock), what).rejects.toThrow('has already started');
}

describe.each([
  ['closed', true],
  ['killed', false],
])('the journal of a run that was %s', (_name, closes) => {
  test('is never shorter than what was on the disk, wherever it is truncated', async () => {
    const bytes = await written(closes);
    for (let length = 0; length < bytes.length; length++) {
      writeFileSync(journal(), bytes.subarray(0, length));
      await expectNothingForgotten(`cut to ${length}`, length);
      expect(readFileSync(journal())).toEqual(bytes.subarray(0, length));
    }
  });

  test('keeps its start, however much of it is removed', async () => {
    const bytes = await written(closes);
    for (let at = 1; at <= bytes.length; at++) {
      writeFileSync(journal(), bytes.subarray(at));
      await expectNothingForgotten(`without its first ${at}`, at);
    }
  });

  test('detects every changed byte', async () => {
    const bytes = await written(closes);
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (bytes[at] ?? 0) ^ 0x11;
      writeFileSync(journal(), changed);
      await expectNothingForgotten(`byte ${at}`, at);
    }
  });

  test('detects zeros from any byte on, and up to any byte', async () => {
    const bytes = await written(closes);
    for (let at = 0; at < bytes.length; at += 7) {
      writeFileSync(journal(), Buffer.from(bytes).fill(0, at));
      await expectNothingForgotten(`zeros from ${at}`, at);
      writeFileSync(journal(), Buffer.from(bytes).fill(0, 0, at + 1));
      await expectNothingForgotten(`zeros up to ${at}`, at);
    }
  });

  test('detects lines that were removed, duplicated or swapped', async () => {
    const lines = (await written(closes)).toString().split('\n').slice(0, -1);
    const text = (changed: readonly string[]): string => changed.map((one) => `${one}\n`).join('');
    for (const [at, line] of lines.entries()) {
      writeFileSync(journal(), text(lines.toSpliced(at, 1)));
      await expectNothingForgotten(`without line ${at + 1}`);
      writeFileSync(journal(), text(lines.toSpliced(at, 0, line)));
      await expectNothingForgotten(`line ${at + 1} twice`);
      for (let other = at + 1; other < lines.length; other++) {
        writeFileSync(journal(), text(lines.with(at, lines[other] ?? '').with(other, line)));
        await expectNothingForgotten(`lines ${at + 1} and ${other + 1} swapped`);
      }
    }
  });

  test.each<[string, (bytes: Buffer) => Buffer | string]>([
    ['ends of lines of another system', (bytes) => bytes.toString().replaceAll('\n', '\r\n')],
    ['a byte order mark', (bytes) => `\ufeff${bytes.toString()}`],
    ['packed by gzip', (bytes) => gzipSync(bytes)],
    ['another text', () => 'shopping list\n- milk\n'],
    ['other bytes', () => Buffer.from([0xff, 0xfe, 0x00, 0x80])],
  ])('is not mistaken for %s', async (_what, spoil) => {
    writeFileSync(journal(), spoil(await written(closes)));
    expect(await read()).toBeInstanceOf(JournalError);
    await expectNothingForgotten('spoiled');
  });

  test('of another run is refused', async () => {
    await written(closes);
    const other = await createRun(state, { ...header, run: 'r-2' }, clock);
    for (const event of events) {
      await other.append(event.kind === 'started' ? { ...event, run: 'r-2' } : event);
    }
    await other.close();
    const [first = '', ...rest] = readFileSync(journal(), 'utf8').split('\n');
    const text = readFileSync(pathOf('journal.ndjson', 'r-2'), 'utf8');
    const [foreign = ''] = text.split('\n');
    expect(foreign).not.toBe(first);
    for (const changed of [[foreign, ...rest].join('\n'), text]) {
      writeFileSync(journal(), changed);
      expect(await read()).toBeInstanceOf(JournalError);
      await expectNothingForgotten('foreign');
    }
  });

  test('is reported as missing with its folder, or with any file of it', async () => {
    await written(closes);
    for (const name of ['journal.ndjson', 'header.json', '']) {
      const [from, to] = [pathOf(name), join(state, 'elsewhere')];
      renameSync(from, to);
      expect(await read(), name).toBeInstanceOf(JournalError);
      await expectNothingForgotten(name);
      await expect(readLedger(state, 'ladder'), name).rejects.toThrow(JournalError);
      renameSync(to, from);
    }
    expect(await readRun(state, 'r-1')).toHaveLength(events.length);
  });
});

describe('the header of a run', () => {
  test('detects every changed byte: its writes still count', async () => {
    await written(true);
    const path = pathOf('header.json');
    const bytes = readFileSync(path);
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (bytes[at] ?? 0) ^ 0x01;
      writeFileSync(path, changed);
      const ledger = await readLedger(state, 'ladder').catch((error: unknown) => error);
      if (ledger instanceof Map) expect(ledger.size, `byte ${at}`).toBe(1);
      else expect(ledger, `byte ${at}`).toBeInstanceOf(JournalError);
    }
  });

  test('without a digest, of an earlier version, is confirmed by the journal', async () => {
    await written(true);
    const path = pathOf('header.json');
    const { seal: _seal, ...old } = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, readableJson(old));
    expect((await readLedger(state, 'ladder')).size).toBe(1);
    writeFileSync(path, readableJson({ ...old, playbook: 'other' }));
    await expect(readLedger(state, 'ladder')).rejects.toThrow(
      /is of playbook ladder, not of other/,
    );
  });
});

/** As an earlier version left it: without a high-water mark. */
describe('a run without a high-water mark', () => {
  test.each([
    ['empty', ''],
    ['all zeros', '\0'.repeat(300)],
    ['the beginning of a line', '0badc0de 300 {"seq":1,"at":17'],
  ])('may have started when its journal is %s', async (_name, text) => {
    await written(true);
    rmSync(mark());
    writeFileSync(journal(), text);
    await expect(readRun(state, 'r-1')).rejects.toThrow(/:1 is damaged: .*may have started/);
    await expect(hasBegun(state, 'r-1')).rejects.toThrow(JournalError);
    await expect(readLedger(state, 'ladder')).rejects.toThrow(JournalError);
    await expect(openRun(state, 'r-1', clock)).rejects.toThrow(JournalError);
    expect(readFileSync(journal(), 'utf8')).toBe(text);
  });

  test('is read, gets a mark when it continues, and can no longer be truncated', async () => {
    const bytes = await written(true);
    rmSync(mark());
    const opened = await openRun(state, 'r-1', clock);
    expect(opened.entries).toHaveLength(events.length);
    await opened.journal.append({ kind: 'resumed' });
    await opened.journal.close();
    writeFileSync(journal(), bytes.subarray(0, bytes.lastIndexOf('\n', bytes.length - 2) + 1));
    await expect(readRun(state, 'r-1')).rejects.toThrow(/entries up to 6 were on the disk/);
  });
});

describe('a high-water mark', () => {
  test('that is truncated or changed anywhere is the older one, or refused', async () => {
    await written(true);
    const bytes = readFileSync(mark());
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (bytes[at] ?? 0) ^ 0x11;
      writeFileSync(mark(), changed);
      expect(await readRun(state, 'r-1')).toHaveLength(events.length);
    }
    for (const text of [
      '',
      'x',
      `${bytes.toString('utf8').slice(1)}`.replaceAll('"seq"', '"sea"'),
    ]) {
      writeFileSync(mark(), text);
      await expect(readRun(state, 'r-1')).rejects.toThrow(/r-1\.mark is damaged/);
      await expect(hasBegun(state, 'r-1')).rejects.toThrow(JournalError);
    }
  });

  test('that says nothing was written proves that nothing was sent', async () => {
    await (await createRun(state, header, clock)).close();
    for (const text of ['', '\0'.repeat(300), '0badc0de 300 {"seq":1,"at":17']) {
      writeFileSync(journal(), text);
      expect(await readRun(state, 'r-1')).toEqual([]);
      expect(await hasBegun(state, 'r-1')).toBe(false);
      expect((await readLedger(state, 'ladder')).size).toBe(0);
    }
    rmSync(folderOf(), { recursive: true });
    expect(await hasBegun(state, 'r-1')).toBe(false);
    expect([await everyRun(state), await unnamedRuns(state)]).toEqual([[], []]);
  });
});

describe('a run that was set aside', () => {
  const word = {
    run: 'r-1',
    who: 'ann',
    at: 1_790_000_000_000,
    comment: 'all were cancelled',
    because: 'it is empty',
  };

  test('no longer counts, is never run again, and keeps its files', async () => {
    const bytes = await written(true);
    const place = await setAside(state, word);
    expect(readFileSync(join(place, 'run', 'journal.ndjson'))).toEqual(bytes);
    expect(await noteOf(state, 'r-1')).toMatchObject(word);
    expect([await everyRun(state), await listRuns(state), await unnamedRuns(state)]).toEqual([
      [],
      [],
      [],
    ]);
    expect((await readLedger(state, 'ladder')).size).toBe(0);
    expect(await hasBegun(state, 'r-1')).toBe(true);
    await expect(readRun(state, 'r-1')).rejects.toThrow(/was set aside by ann on 2026-09-21/);
    await expect(createRun(state, header, clock)).rejects.toThrow('has already started');
  });

  test('stays set aside when its note is damaged, and may be set aside again', async () => {
    await written(true);
    const place = await setAside(state, word);
    writeFileSync(join(place, 'note.json'), '{');
    expect(await hasBegun(state, 'r-1')).toBe(true);
    expect(await setAside(state, { ...word, comment: 'again' })).not.toBe(place);
    expect(await noteOf(state, 'r-1')).toMatchObject({ comment: 'again' });
  });
});

test('an unreadable journal is damaged, not empty', async () => {
  await written(true);
  chmodSync(journal(), 0o000);
  const isRefused = process.getuid?.() !== 0; // root reads all
  if (isRefused) expect(await read()).toBeInstanceOf(JournalError);
  chmodSync(journal(), 0o600);
  rmSync(journal());
  mkdirSync(journal());
  expect(await read()).toBeInstanceOf(JournalError);
  await expectNothingForgotten('a folder in its place');
});
