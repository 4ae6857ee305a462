/** Facts about runs as lines of the catalogue: one fact, or a block of a thousand of one kind by columns. */
import { isRecord } from '../../base/json.ts';
import { summaryText, type BlockSummary } from './block-summary.ts';
import { columnOf, valuesOf, type Column } from './columns.ts';
import { frame, unframeBytes, unframedBytes } from './record.ts';
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

/** The facts of a block, by columns. */
export interface Block {
  readonly kind: string;
  readonly rows: number;
  readonly runs: readonly string[];
  readonly files: Column;
  readonly values: Column;
}

/** Some facts of a kind; each part is read when it is asked for. */
export interface Piece {
  /** Whether the facts are a block in the file. */
  readonly isBlock: boolean;
  /** What is known of the facts without reading them; undefined if they have no summary. */
  readonly summary: () => BlockSummary | undefined;
  /** The runs of the facts, although the line is not checked yet. */
  readonly runs: () => readonly string[];
  /** The bytes that have all texts of the facts, escaped as in JSON; undefined if the line is damaged. */
  readonly text: () => Buffer | undefined;
  /** The facts; undefined if the line is damaged. */
  readonly block: () => Block | undefined;
}

/** Facts that are not in a file yet. */
export function pieceOf(kind: string, facts: readonly Fact[]): Piece {
  return {
    isBlock: false,
    summary: () => undefined,
    runs: () => facts.map(({ run }) => run),
    text: () => Buffer.from(JSON.stringify(facts), 'utf8'),
    block: () => looseBlock(kind, facts),
  };
}

/** A fact as a line. */
export function lineOf({ kind, run, files, value }: Fact): string {
  return frame(JSON.stringify({ kind, run, files, value }));
}

/** The fact of a line with a number; undefined if there is none, and in damaged lines. */
export type FactsOfLine = (at: number) => Fact | undefined;

/** The facts in a line. @param line without its line feed */
export function factsIn(line: Buffer): FactsOfLine {
  try {
    const value: unknown = JSON.parse(unframeBytes(line));
    if (isFact(value)) return (at) => (at === 0 ? value : undefined);
    return isBlock(value) ? factsInBlock(value) : noFacts;
  } catch {
    return noFacts;
  }
}

const noFacts: FactsOfLine = () => undefined;

/** The JSON of a line; undefined if it is damaged. */
export function bodyIn(line: Buffer): Buffer | undefined {
  try {
    return unframedBytes(line);
  } catch {
    return undefined;
  }
}

/** The block in a line; undefined if it is damaged. */
export function blockIn(line: Buffer): Block | undefined {
  try {
    const value: unknown = JSON.parse(unframeBytes(line));
    return isBlock(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Facts as a block whose columns have nothing in common: made faster, and as long as the facts. */
export function looseBlock(
  kind: string,
  facts: readonly Pick<Fact, 'run' | 'files' | 'value'>[],
): Block {
  const values = facts.map(({ value }) => (isRecord(value) ? value : {}));
  const keys = new Set(values.flatMap((value) => Object.keys(value)));
  const columns = [...keys].map((key) => [key, { each: values.map((value) => value[key]) }]);
  return {
    kind,
    rows: facts.length,
    runs: facts.map(({ run }) => run),
    files: { each: facts.map(({ files }) => files) },
    values: { fields: Object.fromEntries(columns) },
  };
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

/** Facts of one kind as lines with blocks. */
export function blocksOf(kind: string, facts: readonly Fact[]): readonly string[] {
  const blocks: string[] = [];
  for (let from = 0; from < facts.length; from += blockMax) {
    const some = facts.slice(from, from + blockMax);
    const runs = some.map(({ run }) => run);
    const files = columnOf(some.map((fact) => fact.files));
    const values = columnOf(some.map(({ value }) => value));
    const block: Block = { kind, rows: runs.length, runs, files, values };
    blocks.push(summarised(block, frame(JSON.stringify(block))));
  }
  return blocks;
}

/** A block of a kind that is read by its summaries, with its own before it. @param line of the block */
export function summarised(block: Block, line: string): string {
  if (!isSummarised(block.kind)) return line;
  return frame(summaryText(block, line.slice(0, checksumLength))) + line;
}

/** Whether the blocks of a kind have summaries. */
export function isSummarised(kind: string): boolean {
  return kind.startsWith('listed ');
}

const checksumLength = 8; // characters, at the beginning of a line
