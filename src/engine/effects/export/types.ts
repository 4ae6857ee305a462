/** The types of a file's columns: from the step, from the API, or from the result of a helper. */
import {
  decimalType,
  fieldTypeAt,
  fieldTypes,
  integerType,
  textType,
  timeType,
  type ColumnType,
  type ColumnTypes,
} from '../../../exchange/api/column-types.ts';
import type { OperationName } from '../../../exchange/api/operations/index.ts';
import { helpers } from '../../../language/expression/helpers/index.ts';
import type { ExpressionNode } from '../../../language/expression/node.ts';
import type { Type } from '../../../language/expression/type.ts';
import type { Step, Template, Write } from '../../../language/playbook.ts';
import { tableIn, type TableColumn } from '../../../language/tables.ts';

/** The types of the columns of an export. */
export function exportTypes(operation: OperationName, write: Write): ColumnTypes {
  if (write.columns === undefined) return fieldTypes(operation);
  return writtenTypes(write, (path) => fieldTypeAt(operation, path));
}

/** The types of the columns of a table: the values decide about fields of its sources. */
export function tableTypes(step: Step, write: Write): ColumnTypes {
  const { groupBy, columns } = tableIn(step);
  const own = new Map([
    ...typesIn([...(groupBy ?? [])], valuesDecide),
    ...[...columns].flatMap(([name, column]): [string, ColumnType][] => {
      const type = tableColumnType(column);
      return type === undefined ? [] : [[name, type]];
    }),
  ]);
  if (write.columns === undefined) return own;
  return writtenTypes(write, ([name = '', ...deeper]) =>
    deeper.length === 0 ? own.get(name) : undefined,
  );
}

/** The type of a value within a row, by its path. */
type TypeAt = (path: readonly string[]) => ColumnType | undefined;

const valuesDecide: TypeAt = () => undefined;

function tableColumnType(column: TableColumn): ColumnType | undefined {
  if (column.kind === 'value') return templateType(column.of, valuesDecide);
  if (column.aggregate === 'count') return integerType;
  if (column.aggregate === 'sum') return decimalType;
  return column.of && templateType(column.of, valuesDecide);
}

function writtenTypes({ columns = new Map(), types }: Write, fields: TypeAt): ColumnTypes {
  return new Map([...typesIn([...columns], fields), ...(types ?? [])]);
}

function typesIn(
  columns: readonly (readonly [name: string, template: Template])[],
  fields: TypeAt,
): [string, ColumnType][] {
  return columns.flatMap(([name, template]): [string, ColumnType][] => {
    const type = templateType(template, fields);
    return type === undefined ? [] : [[name, type]];
  });
}

/** @returns undefined for a value whose type only the values show */
function templateType(template: Template, fields: TypeAt): ColumnType | undefined {
  switch (template.kind) {
    case 'expression':
      return nodeType(template.expression.node, fields);
    case 'literal':
      return typeof template.value === 'number' ? decimalType : textType;
    default:
      return textType;
  }
}

function nodeType(node: ExpressionNode, fields: TypeAt): ColumnType | undefined {
  if (node.kind === 'literal') return valueType(node.type);
  if (node.kind === 'path') {
    return node.root === 'row' ? fields(node.path) : undefined;
  }
  const [first] = node.positional;
  if (node.helper === 'default' && first !== undefined) return nodeType(first, fields);
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
