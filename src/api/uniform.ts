/** Uniform rows: validated and split in one pass over the text of their response. */
import { fieldOf, isJsonRecord, type Json } from '../base/json.ts';
import { successCode } from './errors.ts';
import { operationOf, type OperationName } from './operations/index.ts';
import { patternFields, rowPattern, textUnit, type PatternField } from './row-pattern.ts';
import { rowSchema } from './row-schema.ts';

/** Rows with the same fields in the same order, each valid against the API. */
export interface UniformRows {
  readonly fields: readonly PatternField[];
  readonly length: number;
  /** Whether a field identifies a row or is its time; undefined for any other. */
  readonly placing: (field: string) => readonly unknown[] | undefined;
  /** As in the response: compact JSON, with commas between them. */
  readonly text: () => string;
  /** The same as UTF-8. */
  readonly bytes: () => Uint8Array;
}

/** A response split into its rows and the rest. */
export interface Unrolled {
  readonly frame: string;
  readonly rows: UniformRows;
}

interface Pattern {
  readonly fields: readonly PatternField[];
  readonly placing: readonly string[];
  /** The start of a response, up to its rows. */
  readonly head: RegExp;
  /** The rows in sequence, each with its separator. */
  readonly rows: RegExp;
  /** What replaces each row: its identifying fields as JSON, on a line. */
  readonly places: string;
  /** Number of patterns built for the operation. */
  readonly shapes: number;
}

const patterns = new Map<OperationName, Pattern>();

/**
 * Extracts the rows of a response that look like those of an earlier one. The remaining text is
 * valid JSON exactly if the whole text is, and contains an empty list.
 * @param body the same in UTF-8
 */
export function unrolled(
  name: OperationName,
  text: string,
  body: Uint8Array,
): Unrolled | undefined {
  const pattern = patterns.get(name);
  const head = pattern?.head.exec(text)?.[0];
  if (pattern === undefined || head === undefined || text.includes('\n')) return undefined;
  const { fields, placing, rows, places } = pattern;
  // All in one call: row by row, with match arrays, it takes several times as long.
  const replaced = text.slice(head.length).replace(rows, places);
  const lines = replaced.lastIndexOf('\n');
  const tail = replaced.slice(lines + 1);
  if (lines === -1 || !tail.startsWith(']')) return undefined;
  const placed: readonly unknown[] = JSON.parse(`[${replaced.slice(1, lines)}]`);
  const [from, to] = [head.length, text.length - tail.length];
  const width = Math.max(1, placing.length);
  return {
    frame: head + tail,
    rows: {
      fields,
      length: placed.length / width,
      placing: (field) => {
        const place = placing.indexOf(field);
        return place === -1 ? undefined : placed.filter((_, at) => at % width === place);
      },
      text: () => text.slice(from, to),
      bytes: () =>
        body.length === text.length ? body.subarray(from, to) : Buffer.from(text.slice(from, to)),
    },
  };
}

const learnFrom = 20; // rows of a response: a short one is parsed quickly anyway
const shapesMax = 16; // learned patterns; a list with so many kinds of rows is not uniform

/** Learns the form of the rows from a parsed response. */
export function learnRows(name: OperationName, data: Json): void {
  const { page, window } = operationOf(name);
  const rows = page?.rows === undefined ? data : fieldOf(data, page.rows);
  if (page === undefined || !Array.isArray(rows) || rows.length < learnFrom) return;
  const schema = rowSchema(name);
  const like = rows.at(-1);
  const fields = patternFields(schema, like);
  const isPlacing = (field: string): boolean => page.id.includes(field) || field === window?.time;
  const { source } = rowPattern(schema, like, isPlacing);
  // A look-ahead, so that the separator is not part of the row.
  const pattern = new RegExp(`${source}(?:,(?=\\{)|(?=\\]))`, 'gy');
  if (!pattern.test(`${JSON.stringify(like)}]`)) return; // a row that is not as declared
  pattern.lastIndex = 0;
  const known = patterns.get(name);
  const shapes = (known?.shapes ?? 0) + 1;
  if (known?.rows.source === pattern.source || shapes > shapesMax) return;
  const placing = fields.filter((field) => isPlacing(field.name));
  const places = placing.map(({ isText }, at) => (isText ? `"$${at + 1}"` : `$${at + 1}`));
  patterns.set(name, {
    fields,
    placing: placing.map((field) => field.name),
    head: headOf(page.rows),
    rows: pattern,
    places: `,${places.join(',') || '0'}\n`,
    shapes,
  });
}

function headOf(field: string | undefined): RegExp {
  const frame = `\\{"code":"${successCode}","msg":"${textUnit}*","requestTime":[1-9]\\d{0,14},"data":`;
  return new RegExp(`^${frame}${field === undefined ? '' : `\\{"${field}":`}\\[`);
}

/** Response data with uniform rows, which are parsed on first use. */
class Rolled {
  readonly rows: UniformRows;
  /** The response data without its rows. */
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

/** Shared by all: V8 would otherwise keep each getter with its rows until garbage collection. */
const asObjects = {
  enumerable: true,
  get(): readonly Json[] | undefined {
    return rolledFor(this)?.objects;
  },
};

/** The data of such a response as if it had been parsed: rows become objects on demand. */
export function withRows(name: OperationName, frame: Json, rows: UniformRows): Json {
  const field = operationOf(name).page?.rows;
  const known = new Rolled(rows, frame);
  const data = isJsonRecord(frame) ? { ...frame } : known.objects;
  Object.defineProperty(data, rolled, { value: known });
  if (field !== undefined) Object.defineProperty(data, field, asObjects);
  return data;
}

/** Parses uniform rows as objects. */
export function rowObjects({ text }: UniformRows): readonly Json[] {
  return JSON.parse(`[${text()}]`);
}

/** The uniform rows of response data, if any. */
export function uniformIn(data: unknown): UniformRows | undefined {
  return rolledFor(data)?.rows;
}

/** Reads response data; of one with uniform rows, which are valid, only the rest. */
export function readFrame(name: OperationName, data: Json, read: (frame: Json) => Json): Json {
  const known = rolledFor(data);
  if (known === undefined) return read(data);
  const frame = read(known.frame);
  return frame === known.frame ? data : withRows(name, frame, known.rows);
}

function rolledFor(data: unknown): Rolled | undefined {
  const found = data instanceof Object ? Reflect.get(data, rolled) : undefined;
  return found instanceof Rolled ? found : undefined;
}
