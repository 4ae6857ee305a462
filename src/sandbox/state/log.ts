/** A world and what was done to it, one checked line each: what other processes did is read here. */
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';
import { DamagedError } from './damaged.ts';

export interface CommandLog {
  /** What was appended since the last reading. A torn last line was never answered: it is cut. */
  catchUp(): unknown[];
  append(value: unknown): void;
  /** Begins the file anew with one line, whole or not at all; other readers find theirs gone. */
  restart(value: unknown): void;
  /** Bytes of the line the file begins with, and of all that came after it. */
  sizes(): { readonly first: number; readonly rest: number };
  /** Whether the file was taken away, or begun anew by another, since it was opened. */
  isGone(): boolean;
  close(): void;
}

/** Opens the log; every use needs the lock of the file. */
export function commandLog(file: string): CommandLog {
  let descriptor = openSync(file, 'a+', 0o600);
  let position = 0;
  let first = 0;
  return {
    catchUp: () => {
      const size = fstatSync(descriptor).size;
      if (size === position) return [];
      if (size < position) throw new DamagedError(file, 'it has become shorter');
      const text = readText(descriptor, position, size);
      const whole = text.lastIndexOf(0x0a) + 1;
      if (whole < text.length) ftruncateSync(descriptor, position + whole);
      const lines = text.subarray(0, whole).toString('utf8').split('\n').slice(0, -1);
      const values = lines.map((line) => valueOf(line, file));
      if (position === 0) first = text.indexOf(0x0a) + 1;
      position += whole;
      return values;
    },
    append: (value) => {
      const length = write(descriptor, value);
      if (position === 0) first = length;
      position += length;
    },
    restart: (value) => {
      const draft = `${file}.new`;
      rmSync(draft, { force: true }); // of a process that died over it
      const begun = openSync(draft, 'a+', 0o600);
      position = write(begun, value);
      first = position;
      renameSync(draft, file);
      closeSync(descriptor);
      descriptor = begun;
    },
    sizes: () => ({ first, rest: position - first }),
    isGone: () => fstatSync(descriptor).nlink === 0,
    close: () => closeSync(descriptor),
  };
}

/** Appends a line and tells its length in bytes. */
function write(descriptor: number, value: unknown): number {
  const line = Buffer.from(lineOf(value), 'utf8');
  for (let at = 0; at < line.length;) at += writeSync(descriptor, line, at);
  return line.length;
}

function lineOf(value: unknown): string {
  const text = JSON.stringify(value);
  return `${checksum(text)} ${text}\n`;
}

function valueOf(line: string, file: string): unknown {
  const text = line.slice(9);
  if (line.slice(0, 9) !== `${checksum(text)} `) throw new DamagedError(file, 'a line is damaged');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DamagedError(file, 'a line is not JSON', error);
  }
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

function readText(descriptor: number, from: number, to: number): Buffer {
  const text = Buffer.alloc(to - from);
  let length = 0;
  while (length < text.length) {
    const read = readSync(descriptor, text, length, text.length - length, from + length);
    if (read === 0) break;
    length += read;
  }
  return text.subarray(0, length);
}
