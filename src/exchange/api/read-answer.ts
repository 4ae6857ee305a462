/** Reads the data of a response: its list and its cursor must fit, all else is carried as it came, and each deviation from the interface is reported. */
import { fieldOf, isJsonList, isJsonRecord, type Json } from '../../base/json.ts';
import { carriedReader, kindOf, objectReader, readItems, type Note, type Read } from './carried.ts';
import { DeviationCounts, type Came, type Deviation } from './deviation.ts';
import { AnswerError } from './exchange.ts';
import { operationOf, type AnswerOf, type OperationName } from './operations/index.ts';
import { rowSchema } from './row-schema.ts';

export interface ReadAnswer<N extends OperationName> {
  readonly answer: AnswerOf<N>;
  readonly deviations: readonly Deviation[];
}

/**
 * Reads a response. A list that is null, absent or an empty text has no rows, and such a cursor names
 * no page. A value in place of a declared object becomes the field `value` of one.
 * @param rounded the data with numbers as JavaScript reads them, if that differs
 * @throws AnswerError when a list is neither rows nor empty, or a cursor neither text nor number
 */
export function readAnswer<N extends OperationName>(
  name: N,
  data: Json,
  rounded: Json = data,
): ReadAnswer<N> {
  const found = new DeviationCounts();
  const note: Note = (path, came, count = 1) => found.add({ field: path || 'data', came, count });
  const read = (readers[name] ??= readerOf(name));
  const answer = read(data, rounded, note) ?? null;
  if (!isAnswer(name, answer)) throw new AnswerError(name, 'it holds no list');
  return { answer, deviations: found.all() };
}

const readers: Partial<Record<OperationName, Read>> = {};

function readerOf(name: OperationName): Read {
  const { page, rows = page?.rows, output } = operationOf(name);
  const { json } = output;
  if (json['type'] === 'array') return rowsReader(name, '');
  if (json['type'] !== 'object') return carriedReader(json, '');
  const special = new Map<string, Read>();
  if (rows !== undefined) special.set(rows, rowsReader(name, rows));
  const next = cursorOf(name);
  if (next !== undefined) special.set(next, cursorReader(name, next));
  const read = objectReader(json, '', special);
  if (rows === undefined) return read;
  return (value = null, rounded, note) => {
    if (isJsonRecord(value)) return read(value, rounded, note);
    if (!isEmpty(value)) throw new AnswerError(name, 'it holds no list');
    note('', cameAs(value));
    return read({}, {}, () => undefined);
  };
}

/** The field that names the next page. */
function cursorOf(name: OperationName): string | undefined {
  const { page } = operationOf(name);
  if (page?.kind === 'older-than') return page.answer;
  return page?.kind === 'cursor' ? page.kind : undefined;
}

/** Reads the rows of a list, each as an object. */
function rowsReader(name: OperationName, path: string): Read {
  const read = objectReader(rowSchema(name), `${path}[]`);
  return (value, rounded, note) => {
    if (value !== undefined && isJsonList(value)) return readItems(value, rounded, read, note);
    if (!isEmpty(value)) throw new AnswerError(name, `${path || 'data'} is not a list`);
    if (value !== undefined) note(path, cameAs(value)); // an absent field is reported by its object
    return [];
  };
}

function cursorReader(name: OperationName, path: string): Read {
  return (value, rounded, note) => {
    if (typeof rounded === 'number') note(path, 'number');
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    if (!isEmpty(value)) throw new AnswerError(name, `${path} is neither a text nor a number`);
    if (value !== undefined) note(path, cameAs(value));
    return '';
  };
}

/** Whether a value is nothing in any form: absent, null, an empty text, list or object. */
function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function cameAs(value: Json): Came {
  return value === '' ? 'empty' : kindOf(value);
}

/** Whether the rows of a response are a list; only then its type says more than that of any value. */
function isAnswer<N extends OperationName>(name: N, answer: unknown): answer is AnswerOf<N> {
  const { page, rows = page?.rows, output } = operationOf(name);
  if (output.json['type'] === 'array') return Array.isArray(answer);
  return rows === undefined || Array.isArray(fieldOf(answer, rows));
}
