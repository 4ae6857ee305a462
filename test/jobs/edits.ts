/** What a person changes in a playbook of wanted orders between two runs, drawn by chance. */
import type { Random } from '../../src/base/random.ts';
import type { Part, Row, Wanted } from './wanted.ts';

/** A change, in words, and the playbook with it; undefined where it has no place. */
export interface Edit {
  readonly what: string;
  readonly of: (wanted: Wanted) => Wanted | undefined;
}

/** Gives new rows names and prices that no other one ever had. */
export class Mint {
  readonly #random: Random;
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  row(isWrong = false): Row {
    this.#count += 1;
    const odd = this.#random.integer(4) === 0 ? odds[this.#random.integer(odds.length)] : '';
    const name = `row${odd}${this.#count}`;
    return { name, price: `${40_000 + this.#count * 100}.0`, isWrong };
  }
}

/** What names have that a shell, an address or a message may take for something else. */
const odds = [' ', "'", '/', ']', '[', ', ', '"', 'ä', '$', '--of '] as const;

export function drawnWanted(random: Random, mint: Mint): Wanted {
  const parts = Array.from({ length: 1 + random.integer(3) }, (_none, at): Part => {
    const isList = at === 0 || random.integer(3) > 0;
    const length = isList ? 2 + random.integer(3) : 1;
    const rows = Array.from({ length }, () => mint.row(random.integer(6) === 0));
    return { id: `part${at + 1}`, isList, rows };
  });
  const read = (['first', 'last', 'never'] as const)[random.integer(3)] ?? 'never';
  return { parts, read, isGiven: random.integer(2) === 0 };
}

/** A correction of each row that the exchange refuses. */
export function corrected(wanted: Wanted): Wanted {
  return withRows(wanted, (rows) => rows.map((row) => ({ ...row, isWrong: false })));
}

/** The playbook without some rows, and without the steps that have no other. */
export function without(wanted: Wanted, isGone: (row: Row) => boolean): Wanted {
  const left = withRows(wanted, (rows) => rows.filter((row) => !isGone(row)));
  return { ...left, parts: left.parts.filter(({ rows }) => rows.length > 0) };
}

export function drawnEdit(random: Random, mint: Mint): Edit {
  const [at, place] = [random.integer(9), random.integer(9)];
  const edits: readonly Edit[] = [
    { what: 'a step is renamed', of: renamed(at) },
    { what: 'two steps are swapped', of: swapped(at) },
    { what: 'rows are moved', of: inList(at, (rows) => rotated(rows, 1 + place)) },
    { what: 'the rows are reversed', of: inList(at, (rows) => rows.toReversed()) },
    { what: 'a row is removed', of: inList(at, (rows) => removed(rows, place)) },
    { what: 'a row is added', of: inList(at, added(mint.row(place === 0), place)) },
    { what: 'a row has another key', of: inList(at, (rows) => rekeyed(rows, place)) },
    { what: 'the step that reads is moved', of: readElsewhere },
  ];
  return edits[random.integer(edits.length)] as Edit;
}

function withRows(wanted: Wanted, change: (rows: readonly Row[]) => readonly Row[]): Wanted {
  return {
    ...wanted,
    parts: wanted.parts.map((part) => ({ ...part, rows: change(part.rows) })),
  };
}

function renamed(at: number): Edit['of'] {
  return (wanted) => {
    const { parts } = wanted;
    const chosen = parts[at % parts.length];
    return {
      ...wanted,
      parts: parts.map((part) => (part === chosen ? { ...part, id: `${part.id}-new` } : part)),
    };
  };
}

function swapped(at: number): Edit['of'] {
  return (wanted) => {
    const { parts } = wanted;
    return parts.length < 2 ? undefined : { ...wanted, parts: rotated(parts, 1 + at) };
  };
}

function readElsewhere(wanted: Wanted): Wanted | undefined {
  if (wanted.read === 'never') return undefined;
  return { ...wanted, read: wanted.read === 'first' ? 'last' : 'first' };
}

function inList(
  at: number,
  change: (rows: readonly Row[]) => readonly Row[] | undefined,
): Edit['of'] {
  return (wanted) => {
    const lists = wanted.parts.filter(({ isList }) => isList);
    const chosen = lists[at % Math.max(1, lists.length)];
    const rows = chosen && change(chosen.rows);
    if (rows === undefined || rows.length === 0) return undefined;
    const parts = wanted.parts.map((part) => (part === chosen ? { ...part, rows } : part));
    return { ...wanted, parts };
  };
}

function rotated<T>(all: readonly T[], by: number): readonly T[] {
  const start = by % all.length;
  return [...all.slice(start), ...all.slice(0, start)];
}

function removed(rows: readonly Row[], place: number): readonly Row[] {
  return rows.toSpliced(place % rows.length, 1);
}

function added(row: Row, place: number): (rows: readonly Row[]) => readonly Row[] {
  return (rows) => rows.toSpliced(place % (rows.length + 1), 0, row);
}

function rekeyed(rows: readonly Row[], place: number): readonly Row[] {
  const chosen = rows[place % rows.length];
  return rows.map((row) => (row === chosen ? { ...row, name: `${row.name}x` } : row));
}
