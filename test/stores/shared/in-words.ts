/** What readers and commands make of values that another program wrote: they refuse them in words. */
import { expect } from 'vitest';
import { DeskhandError } from '../../../src/base/error.ts';
import { inside } from '../../cli/inside.ts';

/** Controls a terminal, and hides text. */
export const marks = '\u001b[31m\u001b]0;x\u0007\u009b2J\r\u200b\u202e';

/** A reader may refuse a row in words; any other error would stop what it does for others. */
export async function refusedInWords<T>(what: string, read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    expect([what, error]).toEqual([what, expect.any(DeskhandError)]);
    if (error instanceof DeskhandError) {
      expect([what, error.actor, error.message]).toEqual([what, 'operator', expect.any(String)]);
      expectPlain(what, error.message);
    }
    return undefined;
  }
}

// oxlint-disable-next-line no-control-regex
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e]/;

function expectPlain(what: string, text: string): void {
  expect([what, unsafe.exec(text)?.[0]]).toEqual([what, undefined]);
}

/** A folder and variables that commands are typed with. */
export interface Typing {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The text of a command; its errors are in words, and nothing controls the terminal. */
export async function typed(at: Typing, ...words: readonly string[]): Promise<string> {
  const { stdout, stderr } = await inside(words, at);
  const what = words.join(' ');
  expect([
    what,
    /error\[(?:internal|bug)\]|TypeError|RangeError|at .*\.ts:/.exec(stderr)?.input,
  ]).toEqual([what, undefined]);
  expectPlain(what, stdout);
  expectPlain(what, stderr);
  return stdout + stderr;
}
