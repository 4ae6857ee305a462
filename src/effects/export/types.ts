/** The types of the columns of a file: as the step says, from the API, or what a helper gives. */
import {
  decimalType,
  fieldTypes,
  integerType,
  textType,
  timeType,
  type ColumnType,
  type ColumnTypes,
} from '../../api/column-types.ts';
import type { OperationName } from '../../api/operations/index.ts';
import { helpers } from '../../playbook/expression/helpers/index.ts';
import type { ExpressionNode } from '../../playbook/expression/node.ts';
import type { Type } from '../../playbook/expression/type.ts';
import type { Step, Template, Write } from '../../playbook/playbook.ts';
import { tableIn, type TableColumn } from '../../playbook/tables.ts';

/** The types of the columns of an export. */
export function exportTypes(operation: OperationName, write: Write): ColumnTypes {
  const fields = fieldTypes(operation);
  return write.columns === undefined ? fields : writtenTypes(write, fields);
}

/** The types of the columns of a table: the values decide about fields of its sources. */
export function tableTypes(step: Step, write: Write): ColumnTypes {
  const { groupBy, columns } = tableIn(step);
  const own = new Map([
    ...typesIn([...(groupBy ?? [])], new Map()),
    ...[...columns].flatMap(([name, column]): [string, ColumnType][] => {
      const type = tableColumnType(column);
      return type === undefined ? [] : [[name, type]];
    }),
  ]);
  return write.columns === undefined ? own : writtenTypes(write, own);
}

function tableColumnType(column: TableColumn): ColumnType | undefined {
  if (column.kind === 'value') return templateType(column.of, new Map());
  if (column.aggregate === 'count') return integerType;
  if (column.aggregate === 'sum') return decimalType;
  return column.of && templateType(column.of, new Map());
}

function writtenTypes({ columns = new Map(), types }: Write, fields: ColumnTypes): ColumnTypes {
  return new Map([...typesIn([...columns], fields), ...(types ?? [])]);
}

function typesIn(
  columns: readonly (readonly [name: string, template: Template])[],
  fields: ColumnTypes,
): [string, ColumnType][] {
  return columns.flatMap(([name, template]): [string, ColumnType][] => {
    const type = templateType(template, fields);
    return type === undefined ? [] : [[name, type]];
  });
}

/** @returns undefined for a value whose type only the values show */
function templateType(template: Template, fields: ColumnTypes): ColumnType | undefined {
  switch (template.kind) {
    case 'expression':
      return nodeType(template.expression.node, fields);
    case 'literal':
      return typeof template.value === 'number' ? decimalType : textType;
    default:
      return textType;
  }
}

function nodeType(node: ExpressionNode, fields: ColumnTypes): ColumnType | undefined {
  if (node.kind === 'literal') return valueType(node.type);
  if (node.kind === 'path') {
    const [field, ...deeper] = node.path;
    return node.root === 'row' && deeper.length === 0 ? fields.get(field ?? '') : undefined;
  }
  const gives = helpers.get(node.helper)?.gives;
  return gives === undefined || typeof gives === 'function' ? undefined : valueType(gives);
}

function valueType({ kind }: Type): ColumnType | undefined {
  switch (kind) {
    case 'integer':
      return integerType;
    case 'decimal':
      return decimalType;
    case 'time':
      return timeType;
    case 'text':
    case 'boolean':
      return textType;
    default:
      return undefined;
  }
}
