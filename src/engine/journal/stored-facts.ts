/** The facts of ended runs that a store keeps, in files of this machine: single rows, or many by columns. */
import { isRecord } from '../../base/json.ts';
import type { FactKind } from './catalogue.ts';
import { columnOf, valuesOf, type Column } from './columns.ts';
import { DamagedRecordError, frame, unframeBytes } from './record.ts';

/** The end of a record: the number of its lines, and the link of the last one. */
export interface RecordEnd {
  readonly lines: number;
  readonly link: string;
}

/** Facts of a run by their kinds. */
export type Facts = Readonly<Partial<Record<FactKind, unknown>>>;

/** The facts of a run, and the end of the record that they were made from. */
export interface StoredRow extends RecordEnd {
  readonly run: string;
  readonly facts: Facts;
}

/** Rows of which each is parsed when it is needed. */
export interface Rows {
  readonly runs: readonly string[];
  readonly end: (at: number) => RecordEnd;
  readonly fact: (kind: string, at: number) => unknown;
  readonly row: (at: number) => StoredRow | undefined;
  /** The facts of a kind by columns; undefined if there are none. */
  readonly column: (kind: string) => Column | undefined;
}

/** Rows as text: a line for their runs, and one for each kind of fact. */
export function rowsText(rows: readonly StoredRow[]): string {
  const ends = {
    runs: rows.map(({ run }) => run),
    lines: rows.map(({ lines }) => lines),
    links: rows.map(({ link }) => link),
  };
  const kinds = new Set(rows.flatMap(({ facts }) => Object.keys(facts)));
  const columns = [...kinds].map((kind) => {
    const values = rows.map(({ facts }) => Object.entries(facts).find(([of]) => of === kind)?.[1]);
    return { kind, values: columnOf(values) };
  });
  return [ends, ...columns].map((each) => frame(JSON.stringify(each))).join('');
}

/** The rows in a text: a line is decoded when its facts are asked for. @throws DamagedRecordError */
export function rowsIn(bytes: Buffer): Rows {
  const [first = Buffer.alloc(0), ...others] = linesIn(bytes);
  const { runs, lines, links } = parsed(first);
  if (!areTexts(runs) || !areTexts(links) || !areCounts(lines)) throw notRows();
  if (runs.length !== lines.length || runs.length !== links.length) throw notRows();
  const kinds = new Map(others.map((line) => [kindOf(line), line]));
  const columns = columnsOf(new Set(kinds.keys()), (kind) => {
    const line = kinds.get(kind);
    const { values } = line === undefined ? {} : parsed(line);
    return isColumn(values) ? values : undefined;
  });
  const end = (at: number): RecordEnd => ({ lines: lines[at] ?? 0, link: links[at] ?? '' });
  return {
    runs,
    end,
    ...columns,
    row: (at) => {
      const run = runs[at];
      const facts = [...kinds.keys()].map((kind) => [kind, columns.fact(kind, at)] as const);
      return run === undefined ? undefined : { run, ...end(at), facts: Object.fromEntries(facts) };
    },
  };
}

function linesIn(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0, to = 0; (to = bytes.indexOf('\n', from)) !== -1; from = to + 1)
    lines.push(bytes.subarray(from, to));
  return lines;
}

/** The kind of facts in a line, by its beginning; only its checksum says whether it is intact. */
function kindOf(line: Buffer): string {
  const head = line.toString('latin1', 0, kindMax);
  return /^[0-9a-f]{8} \d+ \{"kind":"([a-z]+ \d+)",/.exec(head)?.[1] ?? '';
}

const kindMax = 100; // characters of a line up to its values

/** Single rows, which the file of the cursors has. */
export function rowsOf(rows: readonly StoredRow[]): Rows {
  const fact: Rows['fact'] = (kind, at) =>
    Object.entries(rows[at]?.facts ?? {}).find(([of]) => of === kind)?.[1];
  return {
    runs: rows.map(({ run }) => run),
    end: (at) => ({ lines: rows[at]?.lines ?? 0, link: rows[at]?.link ?? '' }),
    fact,
    row: (at) => rows[at],
    column: (kind) => columnOf(rows.map((_row, at) => fact(kind, at))),
  };
}

/** The columns of facts, each of them read once. */
function columnsOf(
  kinds: ReadonlySet<string>,
  read: (kind: string) => Column | undefined,
): Pick<Rows, 'column' | 'fact'> {
  const known = new Map<string, { column?: Column; valueOf: (at: number) => unknown }>();
  const of = (kind: string) => {
    const before = known.get(kind);
    if (before !== undefined) return before;
    const column = kinds.has(kind) ? read(kind) : undefined;
    const now =
      column === undefined ? { valueOf: () => undefined } : { column, valueOf: valuesOf(column) };
    known.set(kind, now);
    return now;
  };
  return { column: (kind) => of(kind).column, fact: (kind, at) => of(kind).valueOf(at) };
}

export function isStoredRow(value: unknown): value is StoredRow {
  return (
    isRecord(value) &&
    typeof value['run'] === 'string' &&
    typeof value['lines'] === 'number' &&
    typeof value['link'] === 'string' &&
    isRecord(value['facts'])
  );
}

function parsed(line: Buffer): { readonly [field: string]: unknown } {
  const value: unknown = JSON.parse(unframeBytes(line));
  if (!isRecord(value)) throw notRows();
  return value;
}

/** The checksum of its line proves that deskhand wrote it. */
function isColumn(value: unknown): value is Column {
  return isRecord(value);
}

function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function areCounts(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((each) => Number.isSafeInteger(each));
}

function notRows(): DamagedRecordError {
  return new DamagedRecordError('not the facts of runs');
}
