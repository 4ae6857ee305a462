/** `write` of a step: its file, its columns with their types, and how a CSV file is written. */
import { typeNamed, typeNamesHint, type ColumnType } from '../exchange/api/column-types.ts';
import { isDelimiter, type CsvStyle } from '../base/csv-style.ts';
import { day } from '../base/clock.ts';
import { spanIn, templatesIn, textsIn, type Reading } from './parts.ts';
import {
  writeFormats,
  type Step,
  type Template,
  type Write,
  type WriteFormat,
} from './playbook.ts';
import { childOf, textOf, type SourceNode } from './text/node.ts';

/** Parses the valid parts of `write`; the structure check reports the others. */
export function writeIn(node: SourceNode | undefined, reading: Reading): Pick<Step, 'write'> {
  const value = childOf(node, 'file');
  const file = value && reading.templates.read(value);
  if (node === undefined || file === undefined) return {};
  const columns = columnsIn(childOf(node, 'columns'), reading);
  const csv = csvIn(childOf(node, 'csv'));
  const format = formatOf(textOf(childOf(node, 'format')));
  const overwrite = flagOf(childOf(node, 'overwrite'));
  const write: Write = {
    file,
    ...(format && { format }),
    ...columns,
    ...(csv && { csv }),
    ...listIn(node, 'unique'),
    ...listIn(node, 'sort'),
    ...sheetsIn(node),
    places: {
      ...placeIn(node, 'unique', reading),
      ...placeIn(node, 'sort', reading),
      ...placeIn(node, 'sheets', reading),
    },
    ...(overwrite !== undefined && { overwrite }),
    ...sinceIn(node, reading),
  };
  return { write };
}

/** Reads columns: each is a template, or a mapping of exactly `value` and `type`. */
function columnsIn(
  node: SourceNode | undefined,
  reading: Reading,
): Pick<Write, 'columns' | 'types'> {
  const templates = templatesIn(node, reading);
  if (templates === undefined || node?.kind !== 'map') return {};
  const columns = new Map<string, Template>();
  const types = new Map<string, ColumnType>();
  for (const [name, template] of templates) {
    const { entries } = template.kind === 'map' ? template : { entries: new Map() };
    const value: Template | undefined = entries.get('value');
    const isTyped = entries.size === 2 && entries.has('type') && value !== undefined;
    columns.set(name, isTyped ? value : template);
    const type = isTyped ? typeIn(childOf(childOf(node, name), 'type'), reading) : undefined;
    if (type !== undefined) types.set(name, type);
  }
  return { columns, ...(types.size > 0 && { types }) };
}

function typeIn(
  node: SourceNode | undefined,
  { source, problems }: Reading,
): ColumnType | undefined {
  const type = typeNamed(textOf(node) ?? '');
  if (type === undefined && node !== undefined) {
    problems.add('PB105', source.of(node), 'type is not a type of a column', {
      hint: typeNamesHint,
    });
  }
  return type;
}

const overlapUsual = day; // the exchange may list a row hours after its time

function sinceIn(node: SourceNode, { source, problems }: Reading): Pick<Write, 'since'> {
  const overlap = childOf(node, 'overlap');
  if (childOf(node, 'since') === undefined && overlap !== undefined) {
    const message = 'overlap requires since: last';
    problems.add('PB408', source.of(overlap), message, { level: 'warning' });
  }
  if (textOf(childOf(node, 'since')) !== 'last') return {};
  return { since: { overlapMs: overlapUsual, ...spanIn(node, 'overlap', 'overlapMs') } };
}

function csvIn(node: SourceNode | undefined): CsvStyle | undefined {
  if (node?.kind !== 'map') return undefined;
  const bom = flagOf(childOf(node, 'bom'));
  const delimiter = textOf(childOf(node, 'delimiter'));
  return { ...(bom !== undefined && { bom }), ...(isDelimiter(delimiter) && { delimiter }) };
}

function listIn(node: SourceNode, key: 'unique' | 'sort'): Pick<Write, 'unique' | 'sort'> {
  const value = childOf(node, key);
  return value === undefined ? {} : { [key]: textsIn(value) };
}

/** Rows of a sheet follow each other, so that its column is the first to sort by. */
function sheetsIn(node: SourceNode): Pick<Write, 'sheets' | 'sort'> {
  const sheets = textOf(childOf(node, 'sheets'));
  if (sheets === undefined) return {};
  const { sort = [] } = listIn(node, 'sort');
  return { sheets, sort: [sheets, ...sort.filter((column) => column !== sheets)] };
}

function placeIn(
  node: SourceNode,
  key: 'unique' | 'sort' | 'sheets',
  { source }: Reading,
): Write['places'] {
  const value = childOf(node, key);
  return value === undefined ? {} : { [key]: source.of(value) };
}

function flagOf(node: SourceNode | undefined): boolean | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'boolean' ? node.value : undefined;
}

function formatOf(word: string | undefined): WriteFormat | undefined {
  return writeFormats.find((format) => format === word);
}
