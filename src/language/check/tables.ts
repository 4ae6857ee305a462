/** Checks `report/table`, and infers its columns from their source rows. */
import { nearWord } from '../../base/text.ts';
import {
  anything,
  decimalType,
  integerType,
  isNumberOrEmpty,
  isNumeric,
  isScalar,
  listOf,
  recordOf,
  typeName,
  type Field,
  type Type,
} from '../expression/type.ts';
import { pathText } from '../expression/node.ts';
import type { Step, Template } from '../playbook.ts';
import type { SourceRange } from '../source-range.ts';
import { didYouMean, type Problems } from '../problems.ts';
import {
  aggregates,
  entriesIn,
  literalText,
  tableIn,
  type Table,
  type TableColumn,
} from '../tables.ts';
import { checkKind } from './arguments.ts';
import { checkCondition } from './conditions.ts';
import { typeOfTemplate, type TypeScope } from './infer.ts';
import { writtenType } from './scope.ts';
import { rowsFrom } from './step-rows.ts';

/** @returns the type of a row of the table */
export function checkTable(step: Step, inside: TypeScope, problems: Problems): Type {
  const table = tableIn(step);
  const from = step.with.get('from');
  const row = (from && rowsFrom(literalText(from), from.at, inside, problems)) ?? anything;
  const joined = joinedType(table, plus(inside, { row }), problems);
  const scope = plus(inside, { row, ...(table.joins.length > 0 && { joined }) });
  if (table.where) checkCondition(table.where, 'where', scope, problems);
  const made = columnsType(step, table, scope, problems) ?? row;
  checkSort(step, made, problems);
  return made;
}

/** The response of a table step for later steps: its rows, or their file. */
export function tableAnswer(step: Step, row: Type): Type {
  if (step.write !== undefined) return writtenType;
  return recordOf({ rows: listOf(row) });
}

function joinedType({ joins }: Table, scope: TypeScope, problems: Problems): Type {
  const fields = new Map<string, Field>();
  for (const { from, name, on, missing, at } of joins) {
    const row = rowsFrom(from, at, scope, problems) ?? anything;
    for (const [column, value] of on) {
      checkColumn(column, row, value.at, problems);
      typeOfTemplate(value, scope, problems);
    }
    if (fields.has(name)) {
      problems.add('PB401', at, `two joins are named ${name}`, {
        hint: 'name one of them with as:',
      });
    }
    fields.set(name, { type: missing === 'keep' ? withOptional(row) : row });
  }
  // A name that is written as an expression is reported, and any field may be meant by it.
  return fields.has('') ? anything : { kind: 'record', fields };
}

/** A row without a match has none of its fields. */
function withOptional(row: Type): Type {
  if (row.kind !== 'record') return row;
  const fields = [...row.fields].map(([name, { type }]): [string, Field] => [
    name,
    { type, isOptional: true },
  ]);
  return { kind: 'record', fields: new Map(fields) };
}

/** The columns in order, group columns first; undefined if rows are unchanged. */
function columnsType(
  step: Step,
  table: Table,
  scope: TypeScope,
  problems: Problems,
): Type | undefined {
  const { groupBy, columns } = table;
  if (groupBy === undefined && columns.size === 0) return undefined;
  const fields = new Map<string, Field>();
  for (const [name, template] of groupBy ?? []) {
    const type = typeOfTemplate(template, scope, problems);
    if (!isScalar(type)) reportScalar(name, template.at, type, problems);
    fields.set(name, { type });
  }
  const written = entriesIn(step.with.get('columns'));
  const isGrouped =
    groupBy !== undefined || [...columns.values()].some(({ kind }) => kind === 'aggregate');
  for (const [name, column] of columns) {
    const at = written.get(name)?.at ?? step.at;
    if (fields.has(name)) {
      problems.add('PB416', at, `the column ${name} is in group-by already`, {
        hint: 'give it its own name',
      });
    }
    fields.set(name, { type: columnType(name, column, { isGrouped, at }, scope, problems) });
  }
  return { kind: 'record', fields };
}

function columnType(
  name: string,
  column: TableColumn,
  { isGrouped, at }: { readonly isGrouped: boolean; readonly at: SourceRange },
  scope: TypeScope,
  problems: Problems,
): Type {
  if (column.kind === 'aggregate') return aggregateType(name, column, scope, problems);
  const { of } = column;
  if (of.kind === 'map') {
    const [word = ''] = of.entries.keys();
    problems.add('PB416', at, `a column is a value or one of ${aggregates.join(', ')}`, {
      hint: didYouMean(nearWord(word, aggregates)).hint ?? 'as in volume: { sum: "{{ … }}" }',
    });
    return anything;
  }
  const meant = isGrouped ? aggregateMeant(of) : undefined;
  if (meant !== undefined) {
    problems.add('PB416', at, `${name} is computed from the rows of a group, by a key`, {
      hint: `write ${name}: ${meant}`,
    });
    return anything;
  }
  const type = typeOfTemplate(of, scope, problems);
  if (isGrouped) {
    problems.add('PB416', at, `${name} has a value for each row, but a group has several rows`, {
      hint: 'put it under group-by, or aggregate it: { first: … }, { sum: … }',
    });
  }
  return type;
}

/** The key for an aggregate that is written as a helper or a name, as in `{{ sum row.size }}` or `{{ count }}`. */
function aggregateMeant(of: Template): string | undefined {
  if (of.kind !== 'expression') return undefined;
  const { node } = of.expression;
  const [word, column] =
    node.kind === 'call' ? [node.helper, node.positional[0]] : [node.kind === 'path' && node.root];
  if (word === 'count') return '{ count: rows }';
  if (aggregates.every((each) => each !== word) || column?.kind !== 'path') return undefined;
  return `{ ${word}: "{{ ${pathText(column)} }}" }`;
}

function aggregateType(
  name: string,
  { aggregate, of, at }: Extract<TableColumn, { kind: 'aggregate' }>,
  scope: TypeScope,
  problems: Problems,
): Type {
  if (aggregate === 'count') return integerType;
  if (of === undefined) return anything;
  const type = typeOfTemplate(of, scope, problems);
  switch (aggregate) {
    case 'sum':
      checkKind(type, 'number', of.at, aggregate, problems);
      return decimalType;
    case 'min':
    case 'max':
      checkKind(type, isNumberOrEmpty(type) ? 'number' : 'scalar', of.at, aggregate, problems);
      return isNumeric(type) && type.kind !== 'any' ? decimalType : type;
    case 'first':
    case 'last':
      if (!isScalar(type)) reportScalar(name, at, type, problems);
      return type;
  }
}

function reportScalar(name: string, at: SourceRange, type: Type, problems: Problems): void {
  problems.add('PB305', at, `${name} expects a single value, found ${typeName(type)}`);
}

function checkSort(step: Step, row: Type, problems: Problems): void {
  const { sort } = tableIn(step);
  const at = step.with.get('sort')?.at ?? step.at;
  for (const { column } of sort) checkColumn(column, row, at, problems);
}

/** Checks that a named column exists. */
export function checkColumn(name: string, row: Type, at: SourceRange, problems: Problems): void {
  if (row.kind !== 'record' || row.fields.has(name)) return;
  problems.add(
    'PB304',
    at,
    `unknown column ${JSON.stringify(name)}`,
    problems.suggest(name, row.fields.keys()),
  );
}

export function plus(scope: TypeScope, extra: Readonly<Record<string, Type>>): TypeScope {
  return { ...scope, roots: new Map([...scope.roots, ...Object.entries(extra)]) };
}

/** Reports templates where only names are allowed. */
export function checkWords(templates: Iterable<Template | undefined>, problems: Problems): void {
  for (const template of templates) {
    if (template === undefined || template.kind === 'literal') continue;
    const hint =
      'write the id of the step, the name of the column or the number itself, without {{ }}';
    problems.add('PB105', template.at, 'this is read before the run: write a literal value', {
      hint,
    });
  }
}
