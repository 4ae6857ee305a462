import { readlinkSync } from 'node:fs';
import {
  appendFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { standingClock } from '../../../src/base/clock.ts';
import type { Event } from '../../../src/engine/journal/entry.ts';
import {
  openAppendFile,
  realFiles,
  replaceFile,
  type AppendFile,
  type JournalFiles,
} from '../../../src/engine/journal/file.ts';
import {
  emptyJournal,
  journalOver,
  openJournal,
  readJournal,
} from '../../../src/engine/journal/journal.ts';
import { JournalError } from '../../../src/engine/journal/error.ts';
import { listRuns } from '../../../src/engine/journal/run-list.ts';
import {
  createRun,
  hasBegun,
  openRun,
  readRun,
  readToContinue,
} from '../../../src/engine/journal/runs.ts';
import { started } from '../../support/desk-setup.ts';

const clock = standingClock(1_790_000_000_000);
const opened = (step: string): Event => ({ kind: 'opened', step });
const intended = (address: string): Event => ({
  kind: 'intended',
  address,
  operation: 'futures/place-order',
  input: {},
  identity: address,
  attempt: 1,
  signedAt: 1,
});
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'journal-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function written(steps: readonly string[]): Promise<string> {
  const path = join(folder, 'journal.ndjson');
  await writeFile(path, '');
  const { journal } = await openJournal(path, clock);
  for (const step of steps) await journal.append(opened(step));
  await journal.close();
  return path;
}

/** The paths of files that are synced during this work. */
async function syncedWhile(work: () => Promise<void>): Promise<string[]> {
  const paths: string[] = [];
  const handle = await open(folder, 'r');
  const handles = Object.getPrototypeOf(handle);
  await handle.close();
  const { sync } = handles;
  const spy = vi.spyOn(handles, 'sync').mockImplementation(function recordSync(this: FileHandle) {
    paths.push(readlinkSync(`/proc/self/fd/${this.fd}`));
    return sync.call(this);
  });
  await work();
  spy.mockRestore();
  return paths;
}

describe('a journal', () => {
  test('returns what was appended, in order and numbered', async () => {
    const path = await written(['a', 'b', 'c']);
    const { entries } = readJournal(await readFile(path, 'utf8'), path);
    expect(entries.map(({ seq, kind }) => [seq, kind])).toEqual([
      [1, 'opened'],
      [2, 'opened'],
      [3, 'opened'],
    ]);
  });

  test('continues after it was closed, in one unbroken chain', async () => {
    const path = await written(['a', 'b']);
    const { journal, entries } = await openJournal(path, clock);
    expect(entries).toHaveLength(2);
    await journal.append(opened('c'));
    await journal.close();
    expect(readJournal(await readFile(path, 'utf8'), path).entries).toHaveLength(3);
  });

  test('loses at most the line being written, wherever a crash truncates it', async () => {
    const path = await written(['a', 'b', 'c']);
    const text = await readFile(path, 'utf8');
    const ends = [...text.matchAll(/\n/g)].map((match) => (match.index ?? 0) + 1);
    for (let cut = 0; cut <= text.length; cut++) {
      const whole = ends.filter((end) => end <= cut).length;
      await writeFile(path, text.slice(0, cut));
      const { journal, entries } = await openJournal(path, clock);
      expect(entries).toHaveLength(whole);
      await journal.append(opened('after'));
      await journal.close();
      expect(readJournal(await readFile(path, 'utf8'), path).entries).toHaveLength(whole + 1);
    }
  });

  test('is refused and not changed when a byte in the middle was changed', async () => {
    const path = await written(['a', 'b', 'c']);
    const text = await readFile(path, 'utf8');
    const secondLine = text.indexOf('\n') + 1;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: text.lastIndexOf('\n', text.length - 2) - 1 }),
        fc.constantFrom('x', '0', '"', '}'),
        async (at, byte) => {
          fc.pre(text[at] !== byte && text[at] !== '\n');
          const changed = text.slice(0, at) + byte + text.slice(at + 1);
          await writeFile(path, changed);
          await expect(openJournal(path, clock)).rejects.toThrow(JournalError);
          expect(await readFile(path, 'utf8')).toBe(changed);
        },
      ),
      { numRuns: 60 },
    );
    expect(secondLine).toBeGreaterThan(0);
  });

  test.each<[string, (text: string) => string]>([
    ['ends of lines of another system', (text) => text.replaceAll('\n', '\r\n')],
    [
      'ends of lines of another system after the first',
      (text) => text.replaceAll('\n', '\r\n').replace('\r', ''),
    ],
    ['one letter changed in every line', (text) => text.replaceAll('"opened"', '"opemed"')],
  ])('is refused and not changed when it has %s', async (_, spoil) => {
    const path = await written(['a', 'b', 'c']);
    const changed = spoil(await readFile(path, 'utf8'));
    await writeFile(path, changed);
    await expect(openJournal(path, clock)).rejects.toThrow(/ is damaged: /);
    expect(await readFile(path, 'utf8')).toBe(changed);
  });

  test('may have any damaged line of those written together after a crash', async () => {
    const path = await written(['a']);
    const { journal } = await openJournal(path, clock);
    await Promise.all(['b', 'c', 'd'].map((step) => journal.append(opened(step))));
    await journal.close();
    const [first = '', ...rest] = (await readFile(path, 'utf8')).split('\n');
    const damaged = rest.map((line) => line.replace('"opened"', '"opemed"'));
    await writeFile(path, [first, ...damaged].join('\n'));
    const { journal: after, entries } = await openJournal(path, clock);
    await after.close();
    expect(entries).toHaveLength(1);
    expect(await readFile(path, 'utf8')).toBe(`${first}\n`);
  });

  test('is refused when a line is missing', async () => {
    const path = await written(['a', 'b', 'c']);
    const lines = (await readFile(path, 'utf8')).split('\n');
    await writeFile(path, [lines[0], lines[2], ''].join('\n'));
    // The last line does not follow the first and no complete line follows: it is removed as torn.
    expect(readJournal(await readFile(path, 'utf8'), path).entries).toHaveLength(1);
    await writeFile(path, [lines[0], lines[2], lines[1], ''].join('\n'));
    await expect(openJournal(path, clock)).rejects.toThrow(/:2 is damaged: not entry 2/);
  });

  test('append resolves only after the sync, and many appends share one', async () => {
    const calls: string[] = [];
    const file: AppendFile = {
      write: async (text) => void calls.push(`write ${text.split('\n').length - 1}`),
      sync: async () => void calls.push('sync'),
      close: async () => undefined,
    };
    const journal = journalOver(file, clock, emptyJournal);
    await Promise.all(['a', 'b', 'c'].map((step) => journal.append(opened(step))));
    expect(calls).toEqual(['write 3', 'sync']);
  });

  describe('an entry that may wait for its sync', () => {
    test('is written immediately, and synced with the next entry that may not wait', async () => {
      const { journal, calls } = recorded();
      const waiting = journal.append(opened('a'), 'later');
      await settledTurns();
      expect(calls).toEqual(['write a', 'alarm']);
      const both = [waiting, journal.append(opened('b'))];
      await Promise.all(both);
      expect(calls).toEqual(['write a', 'alarm', 'write b', 'cancel', 'sync']);
      await journal.append(opened('c'));
      expect(calls.slice(5)).toEqual(['write c', 'sync']);
    });

    test.each(['alarm', 'flush', 'close'] as const)('is synced by %s', async (by) => {
      const { journal, calls, ring } = recorded();
      const waiting = journal.append(opened('a'), 'later');
      await settledTurns();
      if (by === 'alarm') ring();
      else await journal[by]();
      expect(await waiting).toMatchObject({ step: 'a' });
      expect(calls.filter((call) => call === 'sync')).toHaveLength(1);
      expect(calls.indexOf('sync')).toBeGreaterThan(calls.indexOf('write a'));
      await journal.close();
      expect(calls.filter((call) => call === 'sync')).toHaveLength(1);
    });

    test('resolves after those before it, and flush after all', async () => {
      const { journal } = recorded();
      const order: string[] = [];
      for (const [step, sync] of [
        ['a', 'later'],
        ['b', 'now'],
        ['c', 'later'],
      ] as const) {
        void journal.append(opened(step), sync).then(() => order.push(step));
      }
      await journal.flush();
      expect(order).toEqual(['a', 'b', 'c']);
    });

    test('is refused with those before it when the disk fails, and so is flush', async () => {
      const { journal, fail } = recorded();
      const waiting = journal.append(opened('a'), 'later');
      const failed = expect(waiting).rejects.toThrow('could not be written');
      await settledTurns();
      fail();
      await expect(journal.append(opened('b'))).rejects.toThrow('could not be written');
      await failed;
      await expect(journal.flush()).rejects.toThrow('could not be written');
      await expect(journal.append(opened('c'), 'later')).rejects.toThrow('could not be written');
    });

    test('belongs to the group of the first one that waits: any of them may be torn', async () => {
      const { journal, text } = recorded();
      for (const step of ['a', 'b', 'c']) {
        void journal.append(opened(step), 'later');
        await settledTurns();
      }
      await journal.append(opened('d'));
      await journal.append(opened('e'));
      const lines = text().split('\n');
      for (const at of [0, 1, 2, 3]) {
        const torn = lines
          .with(at, `0${lines[at]?.slice(1)}`)
          .slice(0, 4)
          .join('\n');
        expect(readJournal(`${torn}\n`, 'journal.ndjson').entries).toHaveLength(at);
      }
      const inside = lines.with(1, `0${lines[1]?.slice(1)}`).join('\n');
      expect(() => readJournal(inside, 'journal.ndjson')).toThrow(/:2 is damaged/);
    });
  });

  test('that grew between its reading and its opening is not written to', async () => {
    const path = await written(['a']);
    const { size } = await stat(path);
    const adding = (await openJournal(path, clock)).journal;
    await adding.append(opened('b'));
    await adding.close();
    const file = await openAppendFile(path, size);
    await expect(file.write('c')).rejects.toThrow(/another process has taken over/);
    await file.close();
    const grown: JournalFiles = {
      ...realFiles,
      append: async (name, bytes) => {
        await appendFile(name, 'what another process wrote\n');
        return realFiles.append(name, bytes);
      },
    };
    const { journal } = await openJournal(path, clock, grown);
    await expect(journal.append(opened('c'))).rejects.toMatchObject({ code: 'locked' });
    await journal.close();
  });

  test('that another process continued or replaced gets no more lines from this one', async () => {
    const path = await written(['a']);
    const stalled = (await openJournal(path, clock)).journal;
    const taken = (await openJournal(path, clock)).journal;
    await taken.append(opened('b'));
    const late = { code: 'locked', exit: 5, message: expect.stringContaining('another process') };
    await expect(stalled.append(opened('c'))).rejects.toMatchObject(late);
    await expect(stalled.append(opened('d'))).rejects.toMatchObject(late);
    await stalled.close();
    const before = await readFile(path, 'utf8');
    await replaceFile(path, before);
    await expect(taken.append(opened('e'))).rejects.toMatchObject(late);
    expect(await readFile(path, 'utf8')).toBe(before);
    expect(readJournal(before, path).entries).toHaveLength(2);
  });

  test('refuses every append after a failed sync', async () => {
    let syncs = 0;
    const file: AppendFile = {
      write: async () => undefined,
      sync: async () => {
        syncs += 1;
        throw new Error('EIO');
      },
      close: async () => undefined,
    };
    const journal = journalOver(file, clock, emptyJournal);
    await expect(journal.append(opened('a'))).rejects.toThrow('could not be written');
    await expect(journal.append(opened('b'))).rejects.toThrow('could not be written');
    expect(syncs).toBe(1);
  });
});

test('an entry that no reader would accept is not written, and the journal continues', async () => {
  const { journal, text } = recorded();
  await journal.append(opened('a'));
  const tooDeep = JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`);
  const refused: readonly Event[] = [
    { kind: 'finished', status: 'done', exit: 0, outputs: tooDeep },
    { kind: 'clock', address: 'pause', time: 9_000_000_000_000_000 },
    { kind: 'clock', address: 'pause', time: 1, ms: 0.5 },
  ];
  for (const event of refused) {
    await expect(journal.append(event)).rejects.toMatchObject({ code: 'internal' });
  }
  await journal.append(opened('b'));
  const { entries, tornAt } = readJournal(text(), 'journal.ndjson');
  expect([entries.map(({ seq, kind }) => `${seq} ${kind}`), tornAt]).toEqual([
    ['1 opened', '2 opened'],
    undefined,
  ]);
});

/** A journal over a file that records what is asked of it. */
function recorded() {
  const calls: string[] = [];
  let text = '';
  let isFailing = false;
  let ringing = (): void => undefined;
  const file: AppendFile = {
    write: async (added) => {
      text += added;
      const steps = [...added.matchAll(/"step":"(\w)"/g)].map(([, step]) => step);
      calls.push(`write ${steps.join(' ')}`);
    },
    sync: async () => {
      if (isFailing) throw new Error('EIO');
      calls.push('sync');
    },
    alarm: (ring) => {
      calls.push('alarm');
      ringing = ring;
      return () => void calls.push('cancel');
    },
    close: async () => undefined,
  };
  const journal = journalOver(file, clock, emptyJournal);
  const fail = (): void => {
    isFailing = true;
  };
  return { journal, calls, fail, ring: () => ringing(), text: () => text };
}

async function settledTurns(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await setImmediate();
}

describe('a file replaced completely', () => {
  test('is one of those written at the same time, and no temporary file remains', async () => {
    const path = join(folder, 'it');
    const texts = Array.from({ length: 8 }, (_, at) => String(at).repeat(10_000 * (at + 1)));
    await Promise.all(texts.map((text) => replaceFile(path, text)));
    expect(texts).toContain(await readFile(path, 'utf8'));
    expect(await readdir(folder)).toEqual(['it']);
  });

  test('leaves nothing behind if it cannot be created', async () => {
    await mkdir(join(folder, 'it', 'full'), { recursive: true });
    await expect(replaceFile(join(folder, 'it'), 'text')).rejects.toMatchObject({ code: 'disk' });
    expect(await readdir(folder)).toEqual(['it']);
  });
});

describe('a run folder', () => {
  const header = {
    run: 'r-1',
    playbook: 'desk-setup',
    destination: { profile: 'sandbox', target: 'sandbox', host: 'in-process' } as const,
    createdAt: 1,
    program: 'deskhand 0',
  };

  test('is private to its owner', async () => {
    const journal = await createRun(folder, header, clock);
    await journal.append(started('r-1', header.destination));
    await journal.close();
    expect((await stat(join(folder, 'runs', 'r-1'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, 'runs', 'r-1', 'journal.ndjson'))).mode & 0o777).toBe(0o600);
    expect(await readRun(folder, 'r-1')).toHaveLength(1);
  });

  test.runIf(process.platform === 'linux')(
    'has all its names synced before it is written to',
    async () => {
      const synced = await syncedWhile(async () => {
        const stateDir = join(folder, 'not', 'there');
        await (await createRun(stateDir, header, clock)).close();
      });
      const names = ['.', 'not', 'not/there', 'not/there/runs', 'not/there/runs/r-1'];
      expect(synced).toEqual(expect.arrayContaining(names.map((name) => join(folder, name))));
    },
  );

  test('is listed newest first, and opened to continue', async () => {
    for (const [run, createdAt] of [
      ['r-1', 1],
      ['r-2', 2],
    ] as const) {
      await (await createRun(folder, { ...header, run, createdAt }, clock)).close();
    }
    expect((await listRuns(folder)).map(({ run }) => run)).toEqual(['r-2', 'r-1']);
    const { journal, entries } = await openRun(folder, 'r-2', clock);
    expect(entries).toEqual([]);
    await journal.close();
  });

  test('that is continued is parsed once, and again when anything was added to it', async () => {
    const journal = await createRun(folder, header, clock);
    await journal.append(started('r-1', header.destination));
    await journal.close();
    const earlier = await readToContinue(folder, 'r-1');
    const first = await openRun(folder, 'r-1', clock, earlier);
    expect(first.entries).toBe(earlier);
    await first.journal.close();
    const before = await readToContinue(folder, 'r-1');
    const other = await openRun(folder, 'r-1', clock);
    await other.journal.append(opened('a'));
    await other.journal.close();
    const then = await openRun(folder, 'r-1', clock, before);
    expect(then.entries).toHaveLength(2);
    await then.journal.append(opened('b'));
    await then.journal.close();
    expect(await readRun(folder, 'r-1')).toHaveLength(3);
  });

  test('that is continued is refused when it was damaged after it was read', async () => {
    const journal = await createRun(folder, header, clock);
    await journal.append(started('r-1', header.destination));
    await journal.append(intended('a'));
    await journal.close();
    const path = join(folder, 'runs', 'r-1', 'journal.ndjson');
    const text = await readFile(path, 'utf8');
    for (const damaged of [text.replace('"step":"a"', '"step":"b"'), text.slice(0, -20)]) {
      const earlier = await readToContinue(folder, 'r-1');
      await writeFile(path, damaged.replace('futures', 'Futures'));
      await expect(openRun(folder, 'r-1', clock, earlier)).rejects.toThrow(JournalError);
      await writeFile(path, text);
    }
    const earlier = await readToContinue(folder, 'r-1');
    await replaceFile(join(folder, 'high-water', 'r-1.mark'), 'nothing');
    await expect(openRun(folder, 'r-1', clock, earlier)).rejects.toThrow(/r-1\.mark is damaged/);
  });

  test('has started when its first entry is on the disk; an earlier crash is replaced', async () => {
    expect(await hasBegun(folder, 'r-1')).toBe(false);
    await (await createRun(folder, header, clock)).close();
    expect(await hasBegun(folder, 'r-1')).toBe(false);
    const path = join(folder, 'runs', 'r-1', 'journal.ndjson');
    await writeFile(path, '0badc0de 77 {"seq":1,"at":17');
    expect(await hasBegun(folder, 'r-1')).toBe(false);
    const journal = await createRun(folder, header, clock);
    await journal.append(started('r-1', header.destination));
    await journal.close();
    expect(await hasBegun(folder, 'r-1')).toBe(true);
    expect(await readRun(folder, 'r-1')).toHaveLength(1);
    await expect(createRun(folder, header, clock)).rejects.toThrow(/has already started/);
    await rm(path);
    expect(await hasBegun(folder, 'r-1')).toBe(true);
  });

  test('of another version is refused with its number', async () => {
    await (await createRun(folder, header, clock)).close();
    const path = join(folder, 'runs', 'r-1', 'header.json');
    await writeFile(path, JSON.stringify({ ...header, format: 99 }));
    await expect(openRun(folder, 'r-1', clock)).rejects.toThrow(/has format 99/);
  });

  test('without its header is refused, and an unknown run gets a suggestion', async () => {
    await (await createRun(folder, header, clock)).close();
    await expect(openRun(folder, 'r-2', clock)).rejects.toMatchObject({
      hint: 'did you mean r-1?',
    });
    await rm(join(folder, 'runs', 'r-1', 'header.json'));
    await expect(openRun(folder, 'r-1', clock)).rejects.toThrow(/header.json is missing/);
    await expect(openRun(folder, '../r-1', clock)).rejects.toThrow(/is not a run id/);
  });
});
