/** The facts of ended runs that a store keeps, in files of this machine: single rows, or many by columns. */
import { isRecord } from '../../base/json.ts';
import type { FactKind } from './catalogue.ts';
import { columnOf, valuesOf, type Column } from './columns.ts';
import { DamagedRecordError, frame, unframe } from './record.ts';

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

/** The rows in a text. @throws DamagedRecordError */
export function rowsIn(text: string): Rows {
  const [first = '', ...others] = text.split('\n').slice(0, -1);
  const { runs, lines, links } = parsed(first);
  if (!areTexts(runs) || !areTexts(links) || !areCounts(lines)) throw notRows();
  if (runs.length !== lines.length || runs.length !== links.length) throw notRows();
  const kinds = new Map(others.map((line) => [kindOf(line), line]));
  const columns = new Map<string, (at: number) => unknown>();
  const columnFor = (kind: string): ((at: number) => unknown) => {
    const known = columns.get(kind);
    if (known !== undefined) return known;
    const line = kinds.get(kind);
    const { values } = line === undefined ? {} : parsed(line);
    const valueOf = isColumn(values) ? valuesOf(values) : () => undefined;
    columns.set(kind, valueOf);
    return valueOf;
  };
  const end = (at: number): RecordEnd => ({ lines: lines[at] ?? 0, link: links[at] ?? '' });
  return {
    runs,
    end,
    fact: (kind, at) => columnFor(kind)(at),
    row: (at) => {
      const run = runs[at];
      const facts = [...kinds.keys()].map((kind) => [kind, columnFor(kind)(at)] as const);
      return run === undefined ? undefined : { run, ...end(at), facts: Object.fromEntries(facts) };
    },
  };
}

/** The kind of facts in a line, by its beginning; only its checksum says whether it is intact. */
function kindOf(line: string): string {
  return /^[0-9a-f]{8} \d+ \{"kind":"([a-z]+ \d+)",/.exec(line)?.[1] ?? '';
}

/** Single rows, which the file of the cursors has. */
export function rowsOf(rows: readonly StoredRow[]): Rows {
  return {
    runs: rows.map(({ run }) => run),
    end: (at) => ({ lines: rows[at]?.lines ?? 0, link: rows[at]?.link ?? '' }),
    fact: (kind, at) => Object.entries(rows[at]?.facts ?? {}).find(([of]) => of === kind)?.[1],
    row: (at) => rows[at],
  };
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

function parsed(line: string): { readonly [field: string]: unknown } {
  const value: unknown = JSON.parse(unframe(line));
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
