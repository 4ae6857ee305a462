/** The values of inputs in a file: JSON, YAML, or the rows of a CSV file. */
import { CsvError, csvRows, delimiterIn, type CsvRow } from '../base/csv-rows.ts';
import { byteOrderMark } from '../base/csv-style.ts';
import { ConfigError, UsageError } from '../base/error.ts';
import { sizeFlag } from '../base/read-file.ts';
import { isJsonRecord, JsonError, parseExact, type Json, type JsonRecord } from '../base/json.ts';
import { fieldHint, isRequiredField } from './input-members.ts';
import { offsetInJson } from './json-place.ts';
import { keepOrigin, type Origin } from './origin.ts';
import type { FieldDeclaration, InputDeclaration } from './playbook.ts';
import { readValueTree } from './source.ts';
import { forbiddenAfterEscapes, forbiddenCharacters } from './text/characters.ts';
import { childOf, type SourceNode } from './text/node.ts';
import { SourceText } from './text/positions.ts';

/** The values of several inputs, by name. @throws ConfigError for another file than a mapping */
export function inputsIn(text: string, file: string): JsonRecord {
  const { value, origin } = readValues(text, file);
  if (!isJsonRecord(value)) {
    throw new UsageError(
      `${file} must contain a mapping of inputs`,
      'for the value of one input name it: --var-file NAME=FILE',
    );
  }
  for (const [name, given] of Object.entries(value)) {
    keepOrigin(given, (path) => origin([name, ...path]));
  }
  return value;
}

/** The value of one input, which is the whole file. @throws ConfigError */
export function inputIn(text: string, file: string, declared: InputDeclaration): Json {
  if (/\.csv$/i.test(file)) return recordsIn(text, file, declared);
  const { value, origin } = readValues(text, file);
  keepOrigin(value, origin);
  return value;
}

interface ReadValues {
  readonly value: Json;
  readonly origin: Origin;
}

function readValues(given: string, file: string): ReadValues {
  const text = withoutMark(given);
  return /^\s*[[{]/.test(text) ? (jsonIn(text, file) ?? yamlIn(text, file)) : yamlIn(text, file);
}

/** JSON; undefined for any other text, such as YAML that begins with a bracket. */
function jsonIn(text: string, file: string): ReadValues | undefined {
  const source = new SourceText(file, text);
  try {
    const { value } = parseExact(text, () => 0);
    refuseForbidden(source);
    if (text.includes('\\u')) refuseEscaped(value, file);
    return { value, origin: (path) => placeAt(source, offsetInJson(text, path)) };
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/** The error for a YAML file of values that would take gigabytes of memory. */
export function largeYaml(file: string): UsageError {
  return new UsageError(
    `${file} is larger than ${yamlMax / 1024 / 1024} MB, the limit of YAML`,
    `give its values as JSON or, with a name, as CSV: both are read up to ${sizeFlag}`,
  );
}

const yamlMax = 4 * 1024 * 1024; // its tree takes 200 times that

/** @throws UsageError for a text that is too large for a tree; ConfigError for one that is not YAML */
function yamlIn(text: string, file: string): ReadValues {
  if (text.length > yamlMax) throw largeYaml(file);
  const { value, tree } = readValueTree(text, file);
  const source = new SourceText(file, text);
  return {
    value,
    origin: (path) => {
      let at: SourceNode | undefined = tree;
      for (const name of path) {
        const inner: SourceNode | undefined =
          at?.kind === 'list' ? at.items[Number(name)] : childOf(at, name);
        if (inner === undefined) break;
        at = inner;
      }
      return placeAt(source, at?.start ?? 0);
    },
  };
}

/** The rows of a CSV file as records of texts; an empty cell is absent. */
function recordsIn(given: string, file: string, declared: InputDeclaration): Json {
  const fields = declared.type === 'list' ? declared.items?.fields : undefined;
  if (fields === undefined) {
    throw new ConfigError(
      `${file}: a CSV file is a list of records, and the input ${declared.name} is not`,
      'declare it as type: list, items: { type: record, fields: { … } }',
    );
  }
  const text = withoutMark(given);
  const source = new SourceText(file, text);
  refuseForbidden(source);
  const delimiter = delimiterIn(text);
  const rows = (): Generator<CsvRow> => csvRows(text, delimiter);
  try {
    const [header, ...others] = rows();
    if (header === undefined) throw new ConfigError(`${file} is empty: its first row names fields`);
    checkHeader(header, fields, source);
    const records = others.map((row) => recordOf(row, header, source));
    keepOrigin(records, ([index = '', field = '']) => {
      const row = others[Number(index)] ?? header;
      return placeAt(source, row.starts[header.cells.indexOf(field)] ?? row.starts[0] ?? 0);
    });
    return records;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new ConfigError(`${placeAt(source, error.offset)}: ${error.message}`);
  }
}

function checkHeader(
  { cells, starts }: CsvRow,
  fields: ReadonlyMap<string, FieldDeclaration>,
  source: SourceText,
): void {
  for (const [index, name] of cells.entries()) {
    const place = placeAt(source, starts[index] ?? 0);
    if (!fields.has(name)) {
      throw new ConfigError(`${place}: ${name}: not a field`, fieldHint(name, fields));
    }
    if (cells.indexOf(name) < index) throw new ConfigError(`${place}: ${name} is there twice`);
  }
  for (const [name, field] of fields) {
    if (!isRequiredField(field) || cells.includes(name)) continue;
    throw new ConfigError(`${placeAt(source, 0)}: the column ${name} is missing`);
  }
}

function recordOf({ cells, starts }: CsvRow, header: CsvRow, source: SourceText): Json {
  if (cells.length !== header.cells.length) {
    const place = placeAt(source, starts[0] ?? 0);
    throw new ConfigError(
      `${place}: the row has ${cells.length} cells, and the header has ${header.cells.length}`,
      'quote a cell that contains the delimiter',
    );
  }
  const record: Record<string, Json> = {};
  for (const [index, name] of header.cells.entries()) {
    const cell = cells[index] ?? '';
    if (cell !== '') record[name] = cell;
  }
  return record;
}

function withoutMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

function placeAt(source: SourceText, offset: number): string {
  const { line, column } = source.position(offset);
  return `${source.file}:${line}:${column}`;
}

function refuseForbidden(source: SourceText): void {
  const [first] = forbiddenCharacters(source.text);
  if (first === undefined) return;
  throw new ConfigError(`${placeAt(source, first.offset)}: ${first.name} is not allowed here`);
}

function refuseEscaped(value: Json, file: string): void {
  if (typeof value === 'string') {
    const [first] = forbiddenAfterEscapes(value);
    if (first) throw new ConfigError(`${file}: ${first.name} is not allowed`);
  } else if (value !== null && typeof value === 'object') {
    for (const [name, inner] of Object.entries(value)) {
      refuseEscaped(name, file);
      refuseEscaped(inner, file);
    }
  }
}
