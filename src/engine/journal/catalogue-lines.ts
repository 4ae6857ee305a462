/** The lines of the catalogue's file: one fact each, or a block with a thousand facts of one kind by columns. */
import { isRecord } from '../../base/json.ts';
import { columnOf, valuesOf, type Column } from './columns.ts';
import { frame, unframeBytes } from './record.ts';
import type { Stamp } from './stamp.ts';

/** A fact that was read from some files of a run. */
export interface Fact {
  readonly kind: string;
  readonly run: string;
  /** The stamps of the files, taken before the files were read. */
  readonly files: readonly Stamp[];
  /** The content of the fact, as plain JSON. */
  readonly value: unknown;
}

/** The facts of some bytes. Lines are parsed when one of their facts is needed. */
export class CatalogueLines {
  readonly #bytes: Buffer;
  readonly #lines: readonly Line[];
  readonly #runs = new Map<string, ReadonlyMap<string, Place>>();
  readonly #facts = new Map<Line, FactsOfLine>();
  #alone: ReadonlyMap<string, Line> | undefined;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#lines = linesIn(bytes);
  }

  /** The number of facts that are not in blocks. */
  get alone(): number {
    return this.#lines.filter(({ count }) => count === undefined).length;
  }

  /** The number of facts, also those that do not count. */
  get size(): number {
    return this.#lines.reduce((sum, { count = 1 }) => sum + count, 0);
  }

  /** The last intact fact of a kind about a run. */
  find(kind: string, run: string): Fact | undefined {
    const place = this.#placesOf(kind).get(run);
    if (place === undefined) return undefined;
    const fact = this.#factsOf(place.line)(place.at);
    // The checksum covers the kind and the run, by which the line was found.
    return fact?.run === run && fact.kind === kind ? fact : undefined;
  }

  /** The intact blocks of a kind. */
  blocks(kind: string): readonly Block[] {
    return this.#lines.flatMap((line) => {
      if (line.kind !== kind || line.count === undefined) return [];
      const block = blockIn(this.#bytes.subarray(line.from, line.to));
      return block?.kind === kind ? [block] : [];
    });
  }

  /** The last intact fact of a kind about a run that has a line for itself. */
  findAlone(kind: string, run: string): Fact | undefined {
    this.#alone ??= this.#aloneByKey();
    const line = this.#alone.get(`${kind} ${run}`);
    const fact = line && this.#factsOf(line)(0);
    return fact?.run === run && fact.kind === kind ? fact : undefined;
  }

  #aloneByKey(): ReadonlyMap<string, Line> {
    const found = new Map<string, Line>();
    for (const line of this.#lines) {
      if (line.count !== undefined) continue;
      const [run] = runsIn(this.#bytes, line);
      if (run !== undefined) found.set(`${line.kind} ${run}`, line);
    }
    return found;
  }

  /**
   * The lines without facts that do not count: a block is kept while all of its facts count, and the
   * others are put into new blocks.
   * @param counts whether a fact still counts
   * @param added facts that count instead of those here
   */
  packed(counts: (kind: string, run: string) => boolean, added: readonly Fact[]): string {
    const kept: string[] = [];
    const loose = new Map<string, Fact[]>();
    const looseOf = (kind: string): Fact[] => {
      const facts = loose.get(kind) ?? [];
      loose.set(kind, facts);
      return facts;
    };
    for (const line of this.#lines) {
      const { kind, from, to } = line;
      const facts = this.#countingIn(line).filter(({ run }) => counts(kind, run));
      if (facts.length === line.count) kept.push(`${this.#bytes.toString('utf8', from, to)}\n`);
      else for (const fact of facts) looseOf(kind).push(fact);
    }
    for (const fact of added) looseOf(fact.kind).push(fact);
    return [...kept, ...[...loose].flatMap(([kind, facts]) => blocksOf(kind, facts))].join('');
  }

  /** The facts of a line that no later line replaces. */
  #countingIn(line: Line): readonly Fact[] {
    const places = this.#placesOf(line.kind);
    const factAt = this.#factsOf(line);
    return runsIn(this.#bytes, line).flatMap((run, at) => {
      const place = places.get(run);
      const fact = place?.line === line && place.at === at ? factAt(at) : undefined;
      return fact?.run === run && fact.kind === line.kind ? [fact] : [];
    });
  }

  #placesOf(kind: string): ReadonlyMap<string, Place> {
    const known = this.#runs.get(kind);
    if (known !== undefined) return known;
    const places = new Map<string, Place>();
    for (const line of this.#lines) {
      if (line.kind !== kind) continue;
      for (const [at, run] of runsIn(this.#bytes, line).entries()) places.set(run, { line, at });
    }
    this.#runs.set(kind, places);
    return places;
  }

  #factsOf(line: Line): FactsOfLine {
    const known = this.#facts.get(line);
    if (known !== undefined) return known;
    const facts = factsIn(this.#bytes.subarray(line.from, line.to));
    this.#facts.set(line, facts);
    return facts;
  }
}

/** A fact as a line. */
export function lineOf({ kind, run, files, value }: Fact): string {
  return frame(JSON.stringify({ kind, run, files, value }));
}

/** A line, as its beginning describes it; only the checksum says whether it is intact. */
interface Line {
  readonly kind: string;
  readonly from: number;
  /** The offset of its line feed. */
  readonly to: number;
  /** The offset of the name, or of the JSON list of the names, of its runs. */
  readonly runs: number;
  /** The number of facts in a block; absent for a line with one fact. */
  readonly count?: number;
}

/** The place of a fact: a line, and the number of the fact in it. */
interface Place {
  readonly line: Line;
  readonly at: number;
}

/** The fact of a line with a number; undefined if there is none, and in damaged lines. */
type FactsOfLine = (at: number) => Fact | undefined;

/** The facts of a block, by columns. */
export interface Block {
  readonly kind: string;
  readonly rows: number;
  readonly runs: readonly string[];
  readonly files: Column;
  readonly values: Column;
}

function linesIn(bytes: Buffer): readonly Line[] {
  const lines: Line[] = [];
  for (let from = 0, to = 0; from < bytes.length; from = to + 1) {
    to = bytes.indexOf(lineFeed, from);
    if (to === -1) to = bytes.length;
    const [start, kind, count] =
      lineStart.exec(bytes.toString('latin1', from, from + startMax)) ?? [];
    if (start === undefined || kind === undefined) continue;
    const runs = from + start.length;
    lines.push({ kind, from, to, runs, ...(count !== undefined && { count: Number(count) }) });
  }
  return lines;
}

const lineFeed = 0x0a;
const startMax = 80; // bytes
const lineStart =
  /^[0-9a-f]{8} \d{1,9} \{"kind":"([a-z]+ \d+)",(?:"run":(?=")|"rows":(\d{1,5}),"runs":(?=\[))/;

/** The runs of a line, which is not checked yet. */
function runsIn(bytes: Buffer, { runs: from, to, count }: Line): readonly string[] {
  const end = bytes.indexOf(count === undefined ? '",' : '],', from);
  if (end === -1 || end >= to) return [];
  let found: unknown;
  try {
    found = JSON.parse(bytes.toString('utf8', from, end + 1));
  } catch {
    return [];
  }
  const runs: readonly unknown[] = Array.isArray(found) ? found : [found];
  return runs.every((run) => typeof run === 'string') ? runs : [];
}

/** The facts in a line. @param line without its line feed */
function factsIn(line: Buffer): FactsOfLine {
  try {
    const value: unknown = JSON.parse(unframeBytes(line));
    if (isFact(value)) return (at) => (at === 0 ? value : undefined);
    return isBlock(value) ? factsInBlock(value) : noFacts;
  } catch {
    return noFacts;
  }
}

const noFacts: FactsOfLine = () => undefined;

/** The block in a line; undefined if it is damaged. */
function blockIn(line: Buffer): Block | undefined {
  try {
    const value: unknown = JSON.parse(unframeBytes(line));
    return isBlock(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function factsInBlock({ kind, runs, files, values }: Block): FactsOfLine {
  const [filesOf, valueOf] = [valuesOf(files), valuesOf(values)];
  const facts: (Fact | undefined)[] = [];
  return (at) => {
    const run = runs[at];
    if (run === undefined || facts[at] !== undefined) return facts[at];
    const fact = { kind, run, files: filesOf(at), value: valueOf(at) };
    if (isFact(fact)) facts[at] = fact;
    return facts[at];
  };
}

function isFact(value: unknown): value is Fact {
  if (!isRecord(value)) return false;
  const { kind, run, files } = value;
  const isNamed = typeof kind === 'string' && typeof run === 'string';
  return isNamed && Array.isArray(files) && files.every((each) => Array.isArray(each));
}

function isBlock(value: unknown): value is Block {
  if (!isRecord(value)) return false;
  const { kind, rows, runs, files, values } = value;
  if (typeof kind !== 'string' || !Array.isArray(runs) || rows !== runs.length) return false;
  return runs.every((run) => typeof run === 'string') && isRecord(files) && isRecord(values);
}

const blockMax = 1_000; // facts

function blocksOf(kind: string, facts: readonly Fact[]): readonly string[] {
  const blocks: string[] = [];
  for (let from = 0; from < facts.length; from += blockMax) {
    const some = facts.slice(from, from + blockMax);
    const runs = some.map(({ run }) => run);
    const files = columnOf(some.map((fact) => fact.files));
    const values = columnOf(some.map(({ value }) => value));
    const block: Block = { kind, rows: runs.length, runs, files, values };
    blocks.push(frame(JSON.stringify(block)));
  }
  return blocks;
}
