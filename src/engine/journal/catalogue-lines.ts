/** The lines of the catalogue's file: one fact each, or a block with a thousand facts of one kind by columns. */
import {
  blockIn,
  blocksOf,
  bodyIn,
  factsIn,
  looseBlock,
  type Block,
  type Fact,
  type FactsOfLine,
  type Piece,
} from './catalogue-blocks.ts';

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
      return blockOf(this.#bytes.subarray(line.from, line.to), kind) ?? [];
    });
  }

  /** The lines of a kind, in the order of the file. */
  *pieces(kind: string): Generator<Piece> {
    for (const line of this.#lines) {
      if (line.kind !== kind) continue;
      const bytes = this.#bytes.subarray(line.from, line.to);
      yield {
        runs: () => runsIn(this.#bytes, line),
        text: () => bodyIn(bytes),
        block: () => (line.count === undefined ? looseIn(bytes, kind) : blockOf(bytes, kind)),
      };
    }
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

/** A line with one fact as a block; undefined if it is damaged. */
function looseIn(line: Buffer, kind: string): Block | undefined {
  const fact = factsIn(line)(0);
  return fact?.kind === kind ? looseBlock(kind, [fact]) : undefined;
}

function blockOf(line: Buffer, kind: string): Block | undefined {
  const block = blockIn(line);
  return block?.kind === kind ? block : undefined;
}
