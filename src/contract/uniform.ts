/** Rows that are all alike: checked and taken apart in one pass over the text of their answer. */
import { fieldOf, isJsonRecord, type Json } from '../base/json.ts';
import { successCode } from './errors.ts';
import { operationOf, type OperationName } from './operations/index.ts';
import { patternFields, rowPattern, textUnit, type PatternField } from './row-pattern.ts';
import { rowSchema } from './row-schema.ts';

/** Rows with the same fields in the same order, each as the contract wants it. */
export interface UniformRows {
  readonly fields: readonly PatternField[];
  /** The fields that place a row: those that name it, and its time. */
  readonly placing: readonly string[];
  /** Of each row its JSON, and then these fields. */
  readonly placed: readonly UniformRow[];
  /** The values of a row in the order of its fields, anew each time. */
  readonly valuesOf: (row: UniformRow) => string[];
}

export type UniformRow = RegExpExecArray;

/** An answer without its rows, and these. */
export interface Unrolled {
  readonly frame: string;
  readonly rows: UniformRows;
}

interface Pattern {
  readonly fields: readonly PatternField[];
  readonly placing: readonly string[];
  /** The beginning of an answer, up to its rows. */
  readonly head: RegExp;
  /** One row, and what places it. */
  readonly row: RegExp;
  /** One row, and all its values. */
  readonly values: RegExp;
  /** How many patterns the operation has had. */
  readonly shapes: number;
}

const patterns = new Map<OperationName, Pattern>();

/**
 * Takes the rows out of an answer when they are like those of an answer before. What is left is
 * strict JSON exactly when the whole text is, and holds an empty list.
 */
export function unrolled(name: OperationName, text: string): Unrolled | undefined {
  const pattern = patterns.get(name);
  const head = pattern?.head.exec(text)?.[0];
  if (pattern === undefined || head === undefined) return undefined;
  const { fields, placing, row, values } = pattern;
  const placed: UniformRow[] = [];
  let end = head.length - 1;
  do {
    const found = matchAt(row, text, end + 1);
    if (found === null) return undefined;
    placed.push(found);
    end = row.lastIndex;
  } while (text[end] === ',');
  if (text[end] !== ']') return undefined;
  // Values are taken anew from row to row: all at once, they would outlive many others.
  const valuesOf = ({ index }: UniformRow): string[] =>
    matchAt(values, text, index)?.slice(1) ?? [];
  return { frame: head + text.slice(end), rows: { fields, placing, placed, valuesOf } };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const learnFrom = 20; // rows of an answer: a short one is read quickly anyway
const shapesMax = 16; // that are learned; a list of so many kinds of rows is not uniform

/** Learns from an answer that was read whole what its rows look like. */
export function learnRows(name: OperationName, data: Json): void {
  const { page, window } = operationOf(name);
  const rows = page?.rows === undefined ? data : fieldOf(data, page.rows);
  if (page === undefined || !Array.isArray(rows) || rows.length < learnFrom) return;
  const schema = rowSchema(name);
  const like = rows.at(-1);
  const values = rowPattern(schema, like);
  const known = patterns.get(name);
  const shapes = (known?.shapes ?? 0) + 1;
  if (known?.values.source === values.source || shapes > shapesMax) return;
  const fields = patternFields(schema, like);
  const isPlacing = (field: string): boolean => page.id.includes(field) || field === window?.time;
  patterns.set(name, {
    fields,
    placing: fields.map((field) => field.name).filter(isPlacing),
    head: headOf(page.rows),
    row: rowPattern(schema, like, isPlacing),
    values,
    shapes,
  });
}

function headOf(field: string | undefined): RegExp {
  const frame = `\\{"code":"${successCode}","msg":"${textUnit}*","requestTime":[1-9]\\d{0,14},"data":`;
  return new RegExp(`^${frame}${field === undefined ? '' : `\\{"${field}":`}\\[`);
}

/** What data of uniform rows remembers unseen. */
class Rolled {
  readonly rows: UniformRows;
  /** The data as it was read: without its rows. */
  readonly frame: Json;
  #objects: readonly Json[] | undefined;

  constructor(rows: UniformRows, frame: Json) {
    this.rows = rows;
    this.frame = frame;
  }

  get objects(): readonly Json[] {
    return (this.#objects ??= rowObjects(this.rows));
  }
}

const rolled = Symbol('uniform rows');

/** One for all: V8 would keep a getter of its own, and the rows it knows, until it tidies up. */
const asObjects = {
  enumerable: true,
  get(): readonly Json[] | undefined {
    return rolledFor(this)?.objects;
  },
};

/** The data of such an answer as if it had been read whole: rows become objects when asked for. */
export function withRows(name: OperationName, frame: Json, rows: UniformRows): Json {
  const field = operationOf(name).page?.rows;
  const known = new Rolled(rows, frame);
  const data = isJsonRecord(frame) ? { ...frame } : known.objects;
  Object.defineProperty(data, rolled, { value: known });
  if (field !== undefined) Object.defineProperty(data, field, asObjects);
  return data;
}

/** Uniform rows as objects. */
export function rowObjects({ placed }: UniformRows): readonly Json[] {
  return JSON.parse(`[${placed.map(([json]) => json).join(',')}]`);
}

/** The rows of data that was read so. */
export function uniformIn(data: unknown): UniformRows | undefined {
  return rolledFor(data)?.rows;
}

/** Data as far as it is still to be held against the contract: uniform rows keep it already. */
export function unproven(data: unknown): unknown {
  const known = rolledFor(data);
  return known === undefined ? data : known.frame;
}

function rolledFor(data: unknown): Rolled | undefined {
  const found = data instanceof Object ? Reflect.get(data, rolled) : undefined;
  return found instanceof Rolled ? found : undefined;
}
