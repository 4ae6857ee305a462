/** A file for the output of a process. It can be read here to its end, also when its name was removed. */
import { closeSync, constants, fstatSync, ftruncate, openSync, readFile } from 'node:fs';
import { promisify } from 'node:util';

export interface OutputFile {
  /** The descriptor that the process writes to. Close it once the process has started. */
  readonly descriptor: number;
  /** Reads the output. Only a part of a long output is kept in the file. Call it once. */
  read(): Promise<string>;
}

const mebibyte = 1024 * 1024;
const readMax = 32 * mebibyte; // the result of a large run has a few
/** The number of bytes of an output that are kept once it was read. */
export const keptBytes = mebibyte;

/** Creates an output file that is private to its owner. @throws the error of the system if it exists */
export function createOutput(path: string): OutputFile {
  const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR, O_WRONLY } = constants;
  const descriptor = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  const own = openedBeside(descriptor, path, O_RDWR | O_NOFOLLOW);
  return {
    descriptor,
    read: async () => {
      try {
        const { size } = fstatSync(own);
        if (size > readMax) return `an output of more than ${readMax / mebibyte} MB is not shown`;
        const text = (await promisify(readFile)(own)).toString('utf8');
        if (size > keptBytes) await promisify(ftruncate)(own, keptBytes);
        return text;
      } finally {
        closeSync(own);
      }
    },
  };
}

/** Opens a file; if that fails, closes the other descriptor too. */
function openedBeside(descriptor: number, path: string, flags: number): number {
  try {
    return openSync(path, flags);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}
