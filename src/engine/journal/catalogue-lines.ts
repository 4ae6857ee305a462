/** The facts of the catalogue by the lines of its file, of which each is read when one of its facts is needed. */
import {
  blockIn,
  blocksOf,
  bodyIn,
  factsIn,
  looseBlock,
  summarised,
  type Block,
  type Fact,
  type FactsOfLine,
  type Piece,
} from './catalogue-blocks.ts';
import type { CatalogueBytes } from './catalogue-bytes.ts';
import { unframeBytes } from './record.ts';
import { summaryIn, type BlockSummary } from './block-summary.ts';
import { lineAt, linesIn, namesIn, type Line } from './catalogue-walk.ts';

export class CatalogueLines {
  readonly #bytes: CatalogueBytes;
  readonly #lines: readonly Line[];
  readonly #runs = new Map<string, ReadonlyMap<string, Place>>();
  readonly #facts = new Map<Line, FactsOfLine>();
  #alone: ReadonlyMap<string, Line> | undefined;

  constructor(bytes: CatalogueBytes) {
    this.#bytes = bytes;
    this.#lines = linesIn(bytes);
  }

  /** The number of facts that are not in blocks. */
  get alone(): number {
    return this.#lines.filter(({ count }) => count === undefined).length;
  }

  /** Whether a block of a kind has no summary: an earlier version wrote it. */
  isOlder(kind: string): boolean {
    return this.#lines.some((line) => {
      return line.kind === kind && line.count !== undefined && line.summary === undefined;
    });
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
      return blockOf(lineAt(this.#bytes, line), kind) ?? [];
    });
  }

  /** The lines of a kind, in the order of the file. */
  *pieces(kind: string): Generator<Piece> {
    for (const line of this.#lines) {
      if (line.kind !== kind) continue;
      const bytes = (): Buffer => lineAt(this.#bytes, line);
      yield {
        isBlock: line.count !== undefined,
        summary: () => summaryOf(this.#bytes, line),
        runs: () => namesIn(this.#bytes, line),
        text: () => bodyIn(bytes()),
        block: () => (line.count === undefined ? looseIn(bytes(), kind) : blockOf(bytes(), kind)),
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
      const [run] = namesIn(this.#bytes, line);
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
      const { kind } = line;
      const whole = this.#isCounting(line, counts) ? keptBlock(this.#bytes, line) : undefined;
      if (whole !== undefined) {
        kept.push(whole);
        continue;
      }
      for (const fact of this.#countingIn(line))
        if (counts(kind, fact.run)) looseOf(kind).push(fact);
    }
    for (const fact of added) looseOf(fact.kind).push(fact);
    return [...kept, ...[...loose].flatMap(([kind, facts]) => blocksOf(kind, facts))].join('');
  }

  /** Whether a line is a block whose runs count, and no later line replaces any of its facts. */
  #isCounting(line: Line, counts: (kind: string, run: string) => boolean): boolean {
    const { kind, count } = line;
    if (count === undefined) return false;
    const places = this.#placesOf(kind);
    const names = namesIn(this.#bytes, line);
    const isOwn = (run: string, at: number): boolean => {
      const place = places.get(run);
      return place?.line === line && place.at === at && counts(kind, run);
    };
    return names.length === count && names.every(isOwn);
  }

  /** The facts of a line that no later line replaces. */
  #countingIn(line: Line): readonly Fact[] {
    const places = this.#placesOf(line.kind);
    const factAt = this.#factsOf(line);
    return namesIn(this.#bytes, line).flatMap((run, at) => {
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
      for (const [at, run] of namesIn(this.#bytes, line).entries()) places.set(run, { line, at });
    }
    this.#runs.set(kind, places);
    return places;
  }

  #factsOf(line: Line): FactsOfLine {
    const known = this.#facts.get(line);
    if (known !== undefined) return known;
    const facts = factsIn(lineAt(this.#bytes, line));
    this.#facts.set(line, facts);
    return facts;
  }
}

/** The place of a fact: a line, and the number of the fact in it. */
interface Place {
  readonly line: Line;
  readonly at: number;
}

/** The summary of a block that has one; undefined of others. */
function summaryOf(bytes: CatalogueBytes, { summary, count = 0 }: Line): BlockSummary | undefined {
  if (summary === undefined) return undefined;
  try {
    return summaryIn(unframeBytes(lineAt(bytes, summary)), summary.of, count);
  } catch {
    return undefined;
  }
}

/** A block as text, with a summary if its kind has one; undefined if it is damaged. */
function keptBlock(bytes: CatalogueBytes, line: Line): string | undefined {
  const found = lineAt(bytes, line);
  const block = blockOf(found, line.kind);
  return block && summarised(block, `${found.toString('utf8')}\n`);
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
