/** Files that are not world, and worlds that were damaged: refused as they are, never started again. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { standingClock } from '../../../src/base/clock.ts';
import { sha256 } from '../../../src/base/json.ts';
import { openSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts';
import { DamagedError } from '../../../src/sandbox/persistence/damaged.ts';
import { forgetWorld } from '../../../src/sandbox/persistence/shared.ts';

const clock = standingClock(1_790_000_000_000);
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'world-'));
  file = join(folder, 'world');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (): Promise<Sandbox> => openSandbox({ clock, stateFile: file });

/** A world in which so many accounts were opened. */
async function worldOf(accounts: number): Promise<Buffer> {
  const sandbox = await open();
  for (let n = 0; n < accounts; n++) {
    sandbox.control('POST', 'accounts', { uid: String(9_900_000_000 + n) });
  }
  await sandbox.close();
  return readFileSync(file);
}

/** How many of these accounts a world still has; undefined when it is refused. */
async function accountsIn(): Promise<number | undefined> {
  let sandbox: Sandbox;
  try {
    sandbox = await open();
  } catch (error) {
    if (error instanceof DamagedError) return undefined;
    throw error;
  }
  const accounts = JSON.stringify(sandbox.control('GET', 'accounts'));
  await sandbox.close();
  return new Set(accounts.match(/99000000\d\d/g)).size;
}

/** Everything of a folder that a refusal must leave as it was. */
function seen(): readonly (readonly unknown[])[] {
  return readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const path = join(folder, entry.name);
    const { mode, size, mtimeMs, ino } = lstatSync(path);
    return [entry.name, mode, size, mtimeMs, ino, entry.isFile() ? sha256(readFileSync(path)) : ''];
  });
}

describe('a file that is not a world', () => {
  const foreign: readonly (readonly [string, () => void, RegExp])[] = [
    ['a text', () => writeFileSync(file, 'buy milk'), /is not a world/],
    ['two lines', () => writeFileSync(file, 'buy milk\nand bread\n'), /is not a world/],
    ['other JSON', () => writeFileSync(file, '{"kind":"world","format":5}\n'), /is not a world/],
    ['bytes', () => writeFileSync(file, Buffer.from([0, 159, 146, 150])), /is not a world/],
    ['an empty file', () => writeFileSync(file, ''), /is empty/],
    ['zeros', () => writeFileSync(file, Buffer.alloc(4096)), /is not a world/],
    ['a folder', () => mkdirSync(file), /is a folder/],
    ['a pipe', () => execFileSync('mkfifo', [file]), /is a pipe/],
    ['a link to a text', () => linked('notes.txt'), /is a link/],
    ['a link to nothing', () => symlinkSync(join(folder, 'nothing'), file), /is a link/],
  ];

  function linked(name: string): void {
    writeFileSync(join(folder, name), 'buy milk\n');
    symlinkSync(join(folder, name), file);
  }

  test.each(foreign)('is not changed: %s', async (_name, put, because) => {
    put();
    if (lstatSync(file).isFile()) utimesSync(file, 1, 1);
    const before = seen();
    await expect(open()).rejects.toThrow(because);
    await expect(open()).rejects.toThrow(DamagedError);
    expect(seen()).toEqual(before);
  });

  test('is not changed: a device', async () => {
    const device = openSandbox({ clock, stateFile: '/dev/null' });
    await expect(device).rejects.toThrow(/is a device/);
    expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  test('is not changed: a read-only world, even by an administrator', async () => {
    await worldOf(2);
    chmodSync(file, 0o444);
    const before = seen();
    await expect(open()).rejects.toThrow(/it is read-only/);
    expect(seen()).toEqual(before);
    chmodSync(file, 0o644);
    expect(await accountsIn()).toBe(2);
  });

  test('is not changed: a world with a second name; one left by a crash is removed', async () => {
    await worldOf(2);
    const draft = join(folder, '.world.0123456789.draft');
    linkSync(file, draft);
    expect(await accountsIn()).toBe(2);
    expect(readdirSync(folder)).not.toContain('.world.0123456789.draft');
    linkSync(file, join(folder, 'backup'));
    const before = seen();
    await expect(open()).rejects.toThrow(/it is a hard link/);
    expect(seen()).toEqual(before);
  });

  test('is moved away by a reset, and kept', async () => {
    writeFileSync(file, 'buy milk\n');
    const moved = forgetWorld(file);
    expect(readFileSync(moved ?? '', 'utf8')).toBe('buy milk\n');
    await (await open()).close();
    expect(forgetWorld(file)).toBeUndefined();
    expect(readdirSync(folder)).toEqual([moved?.slice(folder.length + 1)]);
  });
});

describe('a damaged world', () => {
  test('is never read as a shorter history, wherever it is truncated', async () => {
    const whole = await worldOf(6);
    const ends = [...whole.toString('latin1').matchAll(/\n/g)].map(({ index }) => index);
    expect(ends).toHaveLength(7);
    const places = ends.flatMap((end) => [end - 40, end - 1, end, end + 2, end + 12]);
    for (const at of [0, 1, 30, 64, ...places].filter((place) => place < whole.length)) {
      writeFileSync(file, whole.subarray(0, at));
      const before = seen();
      const acts = ends.filter((end) => end <= at).length - 1; // the line feed may be missing
      const found = await accountsIn();
      if (found === undefined) expect(seen(), `cut to ${at}`).toEqual(before);
      else expect(found, `cut to ${at}`).toBe(acts);
      expect(found === undefined, `cut to ${at}`).toBe(at <= (ends[0] ?? 0));
    }
  });

  test.each<[string, (text: string) => string]>([
    ['all ends of lines', (text) => text.replaceAll('\n', '')],
    ['one end of a line', (text) => dropEnd(text, 1)],
    ['the ends of its last lines', (text) => dropEnd(dropEnd(text, 6), 5)],
    ['a line in the middle', (text) => withoutLine(text, 3)],
    ['the world it begins with', (text) => withoutLine(text, 0)],
    ['the order of its lines', swapped],
    ['its ends of lines to another system', (text) => text.replaceAll('\n', '\r\n')],
    ['the end of its last line, and a byte of it', (text) => `${text.slice(0, -3)}7}`],
  ])('without %s is refused and not changed', async (_name, spoil) => {
    writeFileSync(file, spoil((await worldOf(6)).toString()));
    utimesSync(file, 1, 1);
    const before = seen();
    expect(await accountsIn()).toBeUndefined();
    expect(seen()).toEqual(before);
  });

  test('that is compressed or followed by other text is refused and not changed', async () => {
    const whole = await worldOf(2);
    for (const spoiled of [gzipSync(whole), Buffer.concat([whole, Buffer.from('buy milk')])]) {
      writeFileSync(file, spoiled);
      const before = seen();
      expect(await accountsIn()).toBeUndefined();
      expect(seen()).toEqual(before);
    }
  });

  test('without the end of its last line keeps all commands', async () => {
    await worldOf(3);
    truncateSync(file, lstatSync(file).size - 1);
    expect(await accountsIn()).toBe(3);
    expect(await accountsIn()).toBe(3);
  });

  test('is also refused by a process that has it open', async () => {
    const sandbox = await open();
    const other = await open();
    sandbox.control('POST', 'accounts', { uid: '9900000001' });
    appendFileSync(file, 'buy milk\n');
    const before = seen();
    expect(() => other.control('GET', 'accounts')).toThrow(DamagedError);
    rmSync(file);
    writeFileSync(file, 'buy milk\n');
    const after = seen();
    expect(() => sandbox.control('POST', 'reset')).toThrow(/is not a world/);
    expect(seen()).toEqual(after);
    expect(before).not.toEqual(after);
    await sandbox.close();
    await other.close();
  });
});

function dropEnd(text: string, which: number): string {
  const at = [...text.matchAll(/\n/g)][which]?.index ?? 0;
  return text.slice(0, at) + text.slice(at + 1);
}

function withoutLine(text: string, which: number): string {
  return text.split('\n').toSpliced(which, 1).join('\n');
}

function swapped(text: string): string {
  const lines = text.split('\n');
  return lines
    .with(2, lines[3] ?? '')
    .with(3, lines[2] ?? '')
    .join('\n');
}
