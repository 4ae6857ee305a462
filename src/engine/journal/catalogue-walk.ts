/** The lines of the catalogue's file, found by their beginnings: each states its length, so that the rest of a block
 * is not read. Short lines with one fact are kept in memory.
 */
import type { CatalogueBytes } from './catalogue-bytes.ts';

/** Where a line is. */
interface Extent {
  readonly from: number;
  /** The offset of its line feed. */
  readonly to: number;
}

/** A line with facts, as its beginning describes it; only the checksum says whether it is intact. */
export interface Line extends Extent {
  readonly kind: string;
  /** The offset of the name, or of the JSON list of the names, of its runs. */
  readonly runs: number;
  /** The number of facts in a block; absent for a line with one fact. */
  readonly count?: number;
  /** The bytes of a short line with one fact. */
  readonly bytes?: Buffer;
  /** The line with the summary of the block, and the checksum of the block that it summarizes. */
  readonly summary?: Summary;
}

interface Summary extends Extent {
  readonly of: string;
}

export function linesIn(all: CatalogueBytes): readonly Line[] {
  const window = new Window(all);
  const lines: Line[] = [];
  let before: Summary | undefined;
  for (let from = 0, to = 0; from < all.size; from = to + 1) {
    const text = window.at(from, startMax).toString('latin1');
    to = endOf(text, from, window, all.size);
    const [start, checksum, kind, count] = lineStart.exec(text) ?? [];
    const [, of] = summaryStart.exec(text) ?? [];
    if (start !== undefined && kind !== undefined) {
      const line = { kind, from, to, runs: from + start.length };
      if (count === undefined) {
        const isShort = to - from <= shortMax;
        lines.push({ ...line, ...(isShort && { bytes: window.at(from, to - from) }) });
      } else {
        const summary = before?.of === checksum ? before : undefined;
        lines.push({ ...line, count: Number(count), ...(summary && { summary }) });
      }
    }
    before = of === undefined ? undefined : { from, to, of };
  }
  return lines;
}

/** The bytes of a line. */
export function lineAt(
  all: CatalogueBytes,
  { from, to, bytes }: Extent & { readonly bytes?: Buffer },
) {
  return bytes ?? all.read(from, to);
}

/** The runs of a line, which is not checked yet. */
export function namesIn(all: CatalogueBytes, line: Line): readonly string[] {
  const { from, runs, to, count } = line;
  const stop = count === undefined ? '",' : '],';
  const most = Math.min(to, runs + (count ?? 1) * nameMax);
  const bytes = line.bytes?.subarray(runs - from) ?? all.read(runs, most);
  const end = bytes.indexOf(stop);
  if (end === -1) return [];
  let found: unknown;
  try {
    found = JSON.parse(bytes.toString('utf8', 0, end + 1));
  } catch {
    return [];
  }
  const names: readonly unknown[] = Array.isArray(found) ? found : [found];
  return names.every((run) => typeof run === 'string') ? names : [];
}

const nameMax = 300; // bytes of a name in JSON: more than a folder of a run may have
const startMax = 80; // bytes
const shortMax = 4 * 1024; // bytes
const lineFeed = 0x0a;
const lineLength = /^[0-9a-f]{8} (\d{1,9}) (?=\{)/;
const lineStart =
  /^([0-9a-f]{8}) \d{1,9} \{"kind":"([a-z]+ \d+)",(?:"run":(?=")|"rows":(\d{1,5}),"runs":(?=\[))/;
const summaryStart = /^[0-9a-f]{8} \d{1,9} \{"kind":"summary 1","block":"([0-9a-f]{8})"/;

/** The end of a line by the length that it states; of one that was cut off, the next line feed. */
function endOf(text: string, from: number, window: Window, size: number): number {
  const [head, length] = lineLength.exec(text) ?? [];
  const stated = head === undefined ? size : from + head.length + Number(length);
  if (stated < size && window.at(stated, 1)[0] === lineFeed) return stated;
  for (let at = from; at < size; at += windowBytes) {
    const found = window.at(at, windowBytes).indexOf(lineFeed);
    if (found !== -1) return at + found;
  }
  return size;
}

const windowBytes = 4 * 1024;

/** A part of the bytes, which moves forward with the lines. */
class Window {
  readonly #all: CatalogueBytes;
  #from = 0;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(all: CatalogueBytes) {
    this.#all = all;
  }

  /** Some bytes; fewer at the end. */
  at(from: number, length: number): Buffer {
    const last = Math.min(from + length, this.#all.size);
    if (from < this.#from || last > this.#from + this.#bytes.length) {
      this.#from = from;
      this.#bytes = this.#all.read(from, from + Math.max(length, windowBytes));
    }
    return this.#bytes.subarray(from - this.#from, last - this.#from);
  }
}
