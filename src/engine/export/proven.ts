/** An append-only file whose marks prove later how much of it is intact. */
import { crc32 } from 'node:zlib';
import type { DiskFile } from './disk.ts';

/** The length and checksum of a file at a moment. */
export interface Mark {
  readonly bytes: number;
  readonly crc: number;
}

export interface ProvenFile {
  /** Appends; small parts stay in memory until a mark is made. */
  add(content: string | Uint8Array): Promise<void>;
  /** Resolves when everything appended survives a crash of this process. */
  mark(): Promise<Mark>;
}

const bufferMax = 128 * 1024; // bytes in memory: fewer writes cost less
const longest = 3; // maximum UTF-8 bytes per UTF-16 unit

/** Continues a file after a mark. */
export function provenFile(file: DiskFile, { bytes, crc }: Mark): ProvenFile {
  let mark: Mark = { bytes, crc };
  // Texts are encoded immediately, because their many parts would be kept alive until written.
  const buffered = Buffer.allocUnsafeSlow(bufferMax);
  let filled = 0;
  const write = async (written: Uint8Array): Promise<void> => {
    await file.write(written);
    mark = { bytes: mark.bytes + written.length, crc: crc32(written, mark.crc) };
  };
  const empty = async (): Promise<void> => {
    if (filled > 0) await write(buffered.subarray(0, filled));
    filled = 0;
  };
  return {
    add: async (content) => {
      const isText = typeof content === 'string';
      const most = isText ? content.length * longest : content.length;
      if (filled + most > bufferMax) await empty();
      if (most > bufferMax) await write(isText ? Buffer.from(content) : content);
      else if (isText) filled += buffered.write(content, filled);
      else {
        buffered.set(content, filled);
        filled += content.length;
      }
    },
    mark: async () => {
      await empty();
      return mark;
    },
  };
}

/** The number of marks, oldest first, that the file confirms: the rest was torn, lost or changed. */
export async function provenMarks(file: DiskFile, marks: readonly Mark[]): Promise<number> {
  let [at, crc, proven] = [0, 0, 0];
  for await (const piece of file.bytes()) {
    let rest = piece;
    for (let mark = marks[proven]; mark !== undefined; mark = marks[proven]) {
      if (mark.bytes > at + rest.length) break;
      const upTo = rest.subarray(0, Math.max(0, mark.bytes - at));
      crc = crc32(upTo, crc);
      if (crc !== mark.crc) return proven;
      at += upTo.length;
      rest = rest.subarray(upTo.length);
      proven += 1;
    }
    crc = crc32(rest, crc);
    at += rest.length;
  }
  // Marks of an empty file, made before its first byte, cannot be lost.
  while (marks[proven]?.bytes === 0) proven += 1;
  return proven;
}
