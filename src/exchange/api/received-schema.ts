/** The JSON Schema of a response after it is read: its list and its cursor are certain, and every other field may be anything. */
import type { Json } from '../../base/json.ts';
import { operationOf, type OperationName } from './operations/index.ts';
import { isSchema, propertiesOf, type JsonSchema } from './schema.ts';

/** The schema of a response as clients accept it; the declaration of each field is below its `x-declared`. */
export function receivedSchema(name: OperationName): JsonSchema {
  const { page, rows = page?.rows, output } = operationOf(name);
  const { json } = output;
  if (json['type'] === 'array') return listOf(json);
  if (json['type'] !== 'object') return carried(json);
  const next = page?.kind === 'older-than' ? page.answer : page?.kind;
  const certain = [rows, next].flatMap((field) => field ?? []);
  const fields = Object.entries(propertiesOf(json)).map(([field, schema]): [string, Json] => {
    if (!isSchema(schema)) return [field, schema];
    if (field === rows) return [field, listOf(schema)];
    return [field, field === next ? schema : carried(schema)];
  });
  return { ...json, properties: Object.fromEntries(fields), required: certain };
}

function listOf(schema: JsonSchema): JsonSchema {
  const { items } = schema;
  if (!isSchema(items)) return schema;
  const fields = Object.entries(propertiesOf(items)).map(([field, own]): [string, Json] => [
    field,
    isSchema(own) ? carried(own) : own,
  ]);
  return {
    ...schema,
    items: { ...items, properties: Object.fromEntries(fields), required: [] },
  };
}

function carried({ description, 'x-needed': isNeeded, ...declared }: JsonSchema): JsonSchema {
  return {
    ...(description !== undefined && { description }),
    ...(isNeeded !== undefined && { 'x-needed': isNeeded }),
    'x-declared': declared,
  };
}
