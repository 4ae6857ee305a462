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
  /** @param fields the only ones of the fact that are needed; default: all */
  readonly fact: (kind: string, at: number, fields?: readonly string[]) => unknown;
  readonly row: (at: number) => StoredRow | undefined;
  /** The facts of a kind by columns; undefined if there are none. */
  readonly column: (kind: string) => Column | undefined;
}

/** Rows as text: a line for their runs, and one for each kind of fact, or for each field of such a kind. */
export function rowsText(rows: readonly StoredRow[]): string {
  const ends = {
    runs: rows.map(({ run }) => run),
    lines: rows.map(({ lines }) => lines),
    links: rows.map(({ link }) => link),
  };
  const kinds = new Set(rows.flatMap(({ facts }) => Object.keys(facts)));
  const columns = [...kinds].flatMap((kind) => {
    const facts = rows.map(({ facts: own }) => factIn(own, kind));
    return linesOf(facts).map((line) => ({ kind, ...line }));
  });
  return [ends, ...columns].map((each) => frame(JSON.stringify(each))).join('');
}

/** The columns of facts; a run without such a fact is like a record without fields. */
function linesOf(
  facts: readonly unknown[],
): readonly { readonly field?: string; readonly values: Column }[] {
  const records = columnOf(facts.map((fact) => fact ?? {}));
  const fields = 'fields' in records ? Object.entries(records.fields) : [];
  if (fields.length === 0 || !fields.every(([field]) => /^\w+$/.test(field)))
    return [{ values: columnOf(facts) }];
  return fields.map(([field, values]) => ({ field, values }));
}

function factIn(facts: Facts, kind: string): unknown {
  return Object.entries(facts).find(([of]) => of === kind)?.[1];
}

/** The rows in a text: a line is decoded when its facts are asked for. @throws DamagedRecordError */
export function rowsIn(bytes: Buffer): Rows {
  const [first = Buffer.alloc(0), ...others] = linesIn(bytes);
  const { runs, lines, links } = parsed(first);
  if (!areTexts(runs) || !areTexts(links) || !areCounts(lines)) throw notRows();
  if (runs.length !== lines.length || runs.length !== links.length) throw notRows();
  const kinds = new Map<string, FactColumns>();
  for (const line of others) {
    const { kind, field } = headOf(line);
    const columns = kinds.get(kind) ?? new FactColumns();
    columns.add(field, line);
    kinds.set(kind, columns);
  }
  const end = (at: number): RecordEnd => ({ lines: lines[at] ?? 0, link: links[at] ?? '' });
  return {
    runs,
    end,
    fact: (kind, at, fields) => kinds.get(kind)?.fact(at, fields),
    column: (kind) => kinds.get(kind)?.column(),
    row: (at) => {
      const run = runs[at];
      const facts = [...kinds].map(([kind, columns]) => [kind, columns.fact(at)] as const);
      return run === undefined ? undefined : { run, ...end(at), facts: Object.fromEntries(facts) };
    },
  };
}

/** The facts of a kind in lines of their columns, of which each is decoded when it is asked for. */
class FactColumns {
  readonly #lines = new Map<string, Buffer>();
  readonly #known = new Map<string, { column: Column; valueOf: (at: number) => unknown }>();

  /** @param field of the facts; none for a line with whole facts */
  add(field: string, line: Buffer): void {
    this.#lines.set(field, line);
  }

  column(): Column | undefined {
    if (this.#lines.has(whole)) return this.#decoded(whole)?.column;
    const fields = [...this.#lines.keys()].map((field) => [field, this.#decoded(field)?.column]);
    return { fields: Object.fromEntries(fields.filter(([, column]) => column !== undefined)) };
  }

  fact(at: number, fields?: readonly string[]): unknown {
    if (this.#lines.has(whole)) return this.#decoded(whole)?.valueOf(at) ?? undefined; // null: none
    const values = (fields ?? [...this.#lines.keys()]).flatMap((field) => {
      const value = this.#decoded(field)?.valueOf(at);
      return value === undefined ? [] : [[field, value] as const];
    });
    return values.length === 0 ? undefined : Object.fromEntries(values);
  }

  #decoded(field: string) {
    const before = this.#known.get(field);
    const line = this.#lines.get(field);
    if (before !== undefined || line === undefined) return before;
    const { values } = parsed(line);
    if (!isColumn(values)) return undefined;
    const now = { column: values, valueOf: valuesOf(values) };
    this.#known.set(field, now);
    return now;
  }
}

const whole = '';

function linesIn(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0, to = 0; (to = bytes.indexOf('\n', from)) !== -1; from = to + 1)
    lines.push(bytes.subarray(from, to));
  return lines;
}

/** The kind of facts in a line, and the field, by its beginning; only its checksum says whether it is intact. */
function headOf(line: Buffer): { readonly kind: string; readonly field: string } {
  const [, kind = '', field = whole] = head.exec(line.toString('latin1', 0, headMax)) ?? [];
  return { kind, field };
}

const head = /^[0-9a-f]{8} \d+ \{"kind":"([a-z]+ \d+)",(?:"field":"(\w+)",)?/;
const headMax = 200; // characters of a line up to its values

/** Single rows, which the file of the cursors has. */
export function rowsOf(rows: readonly StoredRow[]): Rows {
  const fact: Rows['fact'] = (kind, at) => factIn(rows[at]?.facts ?? {}, kind);
  return {
    runs: rows.map(({ run }) => run),
    end: (at) => ({ lines: rows[at]?.lines ?? 0, link: rows[at]?.link ?? '' }),
    fact,
    row: (at) => rows[at],
    column: (kind) => columnOf(rows.map((_row, at) => fact(kind, at))),
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

function parsed(line: Buffer): { readonly [field: string]: unknown } {
  const value: unknown = JSON.parse(unframeBytes(line));
  if (!isRecord(value)) throw notRows();
  return value;
}

/** Whether a value is a column; the checksum of its line proves that deskhand wrote it. */
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
