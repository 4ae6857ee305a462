/** The API definition of the rows of a list. */
import { operationOf, type OperationName } from './operations/index.ts';
import { isSchema, propertiesOf, propertyOf, type JsonSchema } from './schema.ts';

/** The fields of a row in the API, in order, each with its schema. */
export function rowFields(name: OperationName): ReadonlyMap<string, JsonSchema> {
  const row = rowSchema(name);
  return new Map(Object.keys(propertiesOf(row)).map((key) => [key, propertyOf(row, key)]));
}

/** The schema of one row of a list, or of the response if it is not a list. */
export function rowSchema(name: OperationName): JsonSchema {
  const { output, page, rows } = operationOf(name);
  const field = page?.rows ?? rows;
  const list = field === undefined || field === '' ? output.json : propertyOf(output.json, field);
  return isSchema(list['items']) ? list['items'] : list;
}

/** The fields that together identify a row of a list; none if rows are compared by all their fields. */
export function rowId(name: OperationName): readonly string[] {
  const { page, id = [] } = operationOf(name);
  return page?.id ?? id;
}
