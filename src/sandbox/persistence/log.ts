/** The file of a world, shared by processes: a snapshot and the acts since, a checksum per line. */
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  readdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { isCode } from '../../base/error.ts';
import { renameFileSync } from '../../base/platform/rename.ts';
import { truncateOpenSync } from '../../base/platform/truncate.ts';
import { openPlainFile, readAt } from '../../base/file-kind.ts';
import { randomId } from '../../base/random.ts';
import { DamagedError } from './damaged.ts';
import { isSameFile } from './world-file.ts';

export interface CommandLog {
  /**
   * Reads the lines appended since the last reading. A torn last line had no response: it is
   * removed after all lines before it were verified. @throws DamagedError, and then nothing is
   * changed
   */
  catchUp(): unknown[];
  append(value: unknown): void;
  /** Replaces the file with one line, atomically; other readers then find their file removed. */
  restart(value: unknown): void;
  /** Lengths in bytes of the first line of the file, and of all later ones. */
  sizes(): { readonly first: number; readonly rest: number };
  /** Whether the file was removed or replaced since it was opened. */
  isGone(): boolean;
  close(): void;
}

/** Opens an existing log; undefined if there is none. Every use needs the lock of the file. */
export function openLog(file: string): CommandLog | undefined {
  try {
    return logOver(file, openPlainFile(file, constants.O_RDWR | constants.O_APPEND));
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    if (readOnly.some((code) => isCode(error, code)))
      throw new DamagedError(file, 'it is read-only');
    throw error;
  }
}

const readOnly: readonly string[] = ['EACCES', 'EPERM', 'EROFS'];

/** Creates a log with one line; undefined if the file exists now. */
export function beginLog(file: string, value: unknown): CommandLog | undefined {
  const { draft, descriptor } = drafted(file, value);
  try {
    linkSync(draft, file);
  } catch (error) {
    closeSync(descriptor);
    if (isCode(error, 'EEXIST')) return undefined;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return logOver(file, descriptor, fstatSync(descriptor).size);
}

/**
 * A log over an open file.
 * @param known bytes of its first line, if it is the only one
 */
function logOver(file: string, opened: number, known = 0): CommandLog {
  let descriptor = opened;
  let position = known;
  let first = known;
  const isGone = (): boolean => !isSameFile(file, fstatSync(descriptor));
  return {
    catchUp: () => {
      const size = fstatSync(descriptor).size;
      if (size === position) return [];
      if (size < position) throw new DamagedError(file, 'it was truncated');
      const text = readAt(descriptor, position, size - position);
      const { lines, end, lacksItsEnd } = linesIn(text, file, position === 0);
      const values = lines.map((line) => valueOf(line, file));
      if (lacksItsEnd) writeAll(descriptor, Buffer.from('\n'));
      else if (end < text.length) truncateOpenSync(descriptor, file, position + end);
      if (position === 0) first = text.indexOf(0x0a) + 1;
      position += end;
      return values;
    },
    append: (value) => {
      position += write(descriptor, value);
    },
    restart: (value) => {
      const { draft, descriptor: begun } = drafted(file, value);
      if (isGone()) {
        closeSync(begun);
        rmSync(draft, { force: true });
        throw new DamagedError(file, 'another file was put in its place');
      }
      renameFileSync(draft, file);
      closeSync(descriptor);
      descriptor = begun;
      position = fstatSync(begun).size;
      first = position;
    },
    sizes: () => ({ first, rest: position - first }),
    isGone,
    close: () => closeSync(descriptor),
  };
}

/** A file of one line next to the log, with a unique name. */
function drafted(file: string, value: unknown): { draft: string; descriptor: number } {
  removeDrafts(file);
  const draft = join(dirname(file), `${draftPrefix(file)}${randomId(10)}.draft`);
  const { O_APPEND, O_CREAT, O_EXCL, O_RDWR } = constants;
  const descriptor = openSync(draft, O_RDWR | O_APPEND | O_CREAT | O_EXCL, 0o600);
  write(descriptor, value);
  return { draft, descriptor };
}

/** Removes files that crashed processes left: only the lock's holder creates any. */
export function removeDrafts(file: string): void {
  const folder = dirname(file);
  const prefix = draftPrefix(file);
  for (const name of readdirSync(folder)) {
    const token = name.startsWith(prefix) ? name.slice(prefix.length) : '';
    if (/^[0-9a-z]{10}\.draft$/.test(token)) rmSync(join(folder, name), { force: true });
  }
}

function draftPrefix(file: string): string {
  return `.${basename(file)}.`;
}

/** Appends a line and returns its length in bytes. */
function write(descriptor: number, value: unknown): number {
  const line = Buffer.from(lineOf(value), 'utf8');
  writeAll(descriptor, line);
  return line.length;
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
}

interface Lines {
  readonly lines: readonly string[];
  /** The length in bytes without an incomplete last line. */
  readonly end: number;
  /** Whether the last line is complete except for its line feed. */
  readonly lacksItsEnd?: true;
}

/**
 * The verified lines of a file. @throws DamagedError for an end that no crash of our processes
 * leaves
 */
function linesIn(text: Buffer, file: string, isBeginning: boolean): Lines {
  const whole = text.lastIndexOf(0x0a) + 1;
  const lines = text.subarray(0, whole).toString('utf8').split('\n').slice(0, -1);
  const rest = text.subarray(whole);
  if (rest.length === 0) return { lines, end: whole };
  // The file gets its name when its first line is complete.
  if (isBeginning && whole === 0) throw new DamagedError(file, 'its first line has no end');
  const last = rest.toString('utf8');
  if (isChecked(last)) return { lines: [...lines, last], end: text.length + 1, lacksItsEnd: true };
  if (isTorn(last)) return { lines, end: whole };
  throw new DamagedError(file, 'its last line is damaged');
}

/**
 * Whether a text is the start of one line that was being written, or the remainder after a crash.
 */
function isTorn(text: string): boolean {
  const [written = ''] = text.split('\0');
  if (!/^[0-9a-f]{0,8}$|^[0-9a-f]{8} (?:\{.*)?$/.test(written)) return false;
  // Several lines without line ends, or a changed one, are not the start of one line.
  return !/\}\s*[0-9a-f]{8} \{/.test(written) && !isJson(written.slice(9));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function lineOf(value: unknown): string {
  const text = JSON.stringify(value);
  return `${checksum(text)} ${text}\n`;
}

function isChecked(line: string): boolean {
  return line.slice(0, 9) === `${checksum(line.slice(9))} `;
}

function valueOf(line: string, file: string): unknown {
  if (!isChecked(line)) throw new DamagedError(file, 'a line is damaged');
  try {
    return JSON.parse(line.slice(9));
  } catch (error) {
    throw new DamagedError(file, 'a line is not JSON', error);
  }
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
