/** The lock and the log of a folder that several processes share. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { DamagedError } from '../../../src/sandbox/persistence/damaged.ts';
import { fileLock } from '../../../src/sandbox/persistence/lock.ts';
import { beginLog, openLog, type CommandLog } from '../../../src/sandbox/persistence/log.ts';

const folders: string[] = [];

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  folders.push(folder);
  return folder;
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const lockModule = pathToFileURL('src/sandbox/persistence/lock.ts').href;

/** Another process that imports the lock and runs a line or two. */
function otherProcess(folder: string, lines: string) {
  const program = `
    import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
    import { fileLock } from ${JSON.stringify(lockModule)};
    const folder = ${JSON.stringify(folder)};
    const lock = fileLock(folder + '/world');
    ${lines}`;
  const file = join(folder, `program-${readdirSync(folder).length}.ts`);
  writeFileSync(file, program);
  return spawn(process.execPath, ['--import', 'tsx', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

describe('the lock', () => {
  test('lets several processes change one file without losing a change', async () => {
    const folder = freshFolder();
    const counter = join(folder, 'counter');
    writeFileSync(counter, '0');
    const count = `
      for (let n = 0; n < 200; n++) lock.hold(() => {
        const before = Number(readFileSync(folder + '/counter', 'utf8'));
        writeFileSync(folder + '/counter', String(before + 1));
      });
      lock.close();`;
    const others = [otherProcess(folder, count), otherProcess(folder, count)];
    await Promise.all(others.map((other) => once(other, 'exit')));
    expect(readFileSync(counter, 'utf8')).toBe('400');
    expect(readdirSync(folder).filter((name) => name.startsWith('world'))).toEqual([]);
  });

  test('of a killed process is taken over', async () => {
    const folder = freshFolder();
    const hang = `lock.hold(() => {
      process.stdout.write('held');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
    const other = otherProcess(folder, hang);
    await once(other.stdout, 'data');
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(existsSync(join(folder, 'world.lock'))).toBe(true);
    const lock = fileLock(join(folder, 'world'));
    expect(lock.hold(() => 'mine')).toBe('mine');
    lock.close();
    expect(readdirSync(folder).filter((name) => name.startsWith('world'))).toEqual([]);
  });

  test.each([
    [
      'an older version',
      '4194305 17',
      /may be held by process 4194305: it was taken by an older version/,
    ],
    ['somebody unknown', '{"pid', /may be held by an unknown process: it is damaged/],
  ])('left by %s is named, not taken over', (_, left, message) => {
    const file = join(freshFolder(), 'world');
    writeFileSync(`${file}.lock`, left);
    const lock = fileLock(file);
    expect(() => lock.hold(() => 'mine')).toThrow(message);
    expect(readFileSync(`${file}.lock`, 'utf8')).toBe(left);
    rmSync(`${file}.lock`);
    expect(lock.hold(() => 'mine')).toBe('mine');
    lock.close();
  });

  test('is released when the work under it fails', () => {
    const folder = freshFolder();
    const lock = fileLock(join(folder, 'world'));
    expect(() =>
      lock.hold(() => {
        throw new RangeError('no');
      }),
    ).toThrow('no');
    expect(lock.hold(() => 'again')).toBe('again');
    lock.close();
  });
});

describe('the log', () => {
  /** One that begins with `first`. */
  const logOf = (first: unknown) => {
    const file = join(freshFolder(), 'log');
    return { file, log: there(beginLog(file, first)) };
  };
  const readerOf = (file: string): CommandLog => there(openLog(file));

  test('gives a reader each line of another process once', () => {
    const { file, log } = logOf({ n: 1 });
    const reader = readerOf(file);
    log.append({ n: 2 });
    expect(reader.catchUp()).toEqual([{ n: 1 }, { n: 2 }]);
    expect(reader.catchUp()).toEqual([]);
    expect(log.catchUp()).toEqual([]); // a writer knows its own lines
    reader.append({ n: 3 });
    expect(log.catchUp()).toEqual([{ n: 3 }]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('cuts off a torn line and continues after it', () => {
    const { file } = logOf({ n: 1 });
    const whole = readFileSync(file, 'utf8');
    appendFileSync(file, whole.slice(0, -3));
    const reader = readerOf(file);
    expect(reader.catchUp()).toEqual([{ n: 1 }]);
    reader.append({ n: 2 });
    expect(readerOf(file).catchUp()).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test('refuses a changed line, and a file with missing lines', () => {
    const { file, log } = logOf({ n: 1 });
    log.append({ n: 2 });
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('"n":1', '"n":7'));
    expect(() => readerOf(file).catchUp()).toThrow(DamagedError);
    writeFileSync(file, '');
    expect(() => log.catchUp()).toThrow('it was truncated');
  });

  test('starts again in one action, and other readers notice', () => {
    const { file, log } = logOf({ n: 1 });
    const reader = readerOf(file);
    log.restart({ n: 2 });
    log.append({ n: 3 });
    expect([log.isGone(), reader.isGone()]).toEqual([false, true]);
    expect(readerOf(file).catchUp()).toEqual([{ n: 2 }, { n: 3 }]);
    expect(log.catchUp()).toEqual([]);
  });

  test('knows how much was written after its first line by any process', () => {
    const { file, log } = logOf({ world: 'long'.repeat(10) });
    const reader = readerOf(file);
    reader.catchUp();
    log.append({ n: 1 });
    const { first, rest } = log.sizes();
    expect([first, first + rest]).toEqual([
      readFileSync(file, 'utf8').indexOf('\n') + 1,
      statSync(file).size,
    ]);
    expect(reader.sizes()).toEqual({ first, rest: 0 });
    reader.catchUp();
    expect(reader.sizes()).toEqual({ first, rest });
    log.restart({ n: 2 });
    expect(log.sizes()).toEqual({ first: statSync(file).size, rest: 0 });
  });

  test('notices that its file was removed', () => {
    const { file, log } = logOf({ n: 1 });
    expect(log.isGone()).toBe(false);
    rmSync(file);
    expect(log.isGone()).toBe(true);
    writeFileSync(file, 'mine\n');
    expect(log.isGone()).toBe(true);
    expect(() => log.restart({ n: 2 })).toThrow('another file was put in its place');
    expect(readFileSync(file, 'utf8')).toBe('mine\n');
    expect(beginLog(file, { n: 3 })).toBeUndefined();
    expect(readFileSync(file, 'utf8')).toBe('mine\n');
    expect(readdirSync(join(file, '..'))).toEqual(['log']);
  });
});

function there(log: CommandLog | undefined): CommandLog {
  if (log === undefined) throw new Error('there is no log');
  return log;
}
