/** `since: last` of a step: the columns by which rows are compared and sorted, and the parts of the file's name. */
import type { Window } from '../exchange/api/operation.ts';
import { operationOf } from '../exchange/api/operations/index.ts';
import { rowFields, rowId } from '../exchange/api/row-schema.ts';
import { evaluateTemplate } from './expression/evaluate.ts';
import { textOf } from './expression/helpers/define.ts';
import type { ExpressionNode } from './expression/node.ts';
import type { Scope } from './expression/value.ts';
import type { Expression, Step, Template, Write } from './playbook.ts';

/** The columns that decide about rows of a file that is continued. */
export interface RowKeys {
  /** Rows with equal values are one row: the newer replaces the older. */
  readonly unique: readonly string[];
  readonly sort: readonly string[];
}

/** A key that must be given, because the columns do not show the fields that it would name. */
export interface MissingKeys {
  readonly missing: 'unique' | 'sort';
  readonly fields: readonly string[];
}

/** The time fields of a read; undefined for one that has none. */
export function windowOf({ action }: Pick<Step, 'action'>): Window | undefined {
  return action.kind === 'call' ? operationOf(action.operation).window : undefined;
}

/** The columns that identify and order the rows of a step: as given, or those with the fields of the API. */
export function rowKeysOf(step: Pick<Step, 'action'>, write: Write): RowKeys | MissingKeys {
  const { action } = step;
  const window = windowOf(step);
  if (action.kind !== 'call' || window === undefined) return { missing: 'unique', fields: [] };
  const shown = shownFields([...rowFields(action.operation).keys()], write);
  const known = rowId(action.operation);
  const ids = known.length > 0 ? known : [...shown.keys()];
  const [unique, sort] = [write.unique ?? columnsOf(ids, shown), write.sort];
  if (unique === undefined) return { missing: 'unique', fields: ids };
  const inTime = sort ?? columnsOf([window.time], shown);
  return inTime === undefined
    ? { missing: 'sort', fields: [window.time] }
    : { unique, sort: inTime };
}

/** Whether the rows decide about the name of their file. */
export function isByRow({ file }: Write): boolean {
  return partsOf(file).some((part) => typeof part !== 'string' && usesRow(part));
}

/** The text and the expressions of a name, in order. */
export function partsOf(file: Template): readonly (string | Expression)[] {
  switch (file.kind) {
    case 'literal':
      return [file.source];
    case 'expression':
      return [file.expression];
    case 'text':
      return file.parts;
    case 'prose':
    case 'list':
    case 'map':
      return [];
  }
}

/**
 * The name of a file before its rows are known, with a sign for each part that they decide; undefined if another
 * part is not known yet.
 * @throws EvaluationError
 */
export function nameBeforeRows(file: Template, scope: Scope, sign: string): string | undefined {
  const texts = partsOf(file).map((part) => {
    if (typeof part === 'string') return part;
    if (usesRow(part)) return sign;
    const found = evaluateTemplate({ kind: 'text', parts: [part], at: part.at }, scope);
    return found.known ? textOf(found.value) : undefined;
  });
  return texts.includes(undefined) ? undefined : texts.join('');
}

/** Whether an expression depends on the row. */
export function usesRow({ references }: Expression): boolean {
  return references.some(({ root }) => root === 'row');
}

/** The column that shows each field without a change. */
function shownFields(all: readonly string[], { columns }: Write): ReadonlyMap<string, string> {
  if (columns === undefined) return new Map(all.map((field) => [field, field]));
  const shown = new Map<string, string>();
  for (const [name, template] of columns) {
    const field = template.kind === 'expression' ? fieldOf(template.expression.node) : undefined;
    if (field !== undefined && !shown.has(field)) shown.set(field, name);
  }
  return shown;
}

/** The field of `row.field`, also with a default. */
function fieldOf(node: ExpressionNode): string | undefined {
  if (node.kind === 'path') {
    const [field, ...deeper] = node.path;
    return node.root === 'row' && deeper.length === 0 ? field : undefined;
  }
  const [first] = node.kind === 'call' && node.helper === 'default' ? node.positional : [];
  return first && fieldOf(first);
}

function columnsOf(
  fields: readonly string[],
  shown: ReadonlyMap<string, string>,
): readonly string[] | undefined {
  const columns = fields.flatMap((field) => shown.get(field) ?? []);
  return columns.length === fields.length ? columns : undefined;
}
