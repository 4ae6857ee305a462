/** The input fields of an operation that are checked beyond its schema, collected once. */
import { operationOf, type OperationName } from './operations/index.ts';
import { propertyOf } from './schema.ts';

/** Names of input fields: all, the times, and the symbols. */
interface CheckedFields {
  readonly all: readonly string[];
  readonly times: readonly string[];
  readonly symbols: readonly string[];
}

const collected = new Map<OperationName, CheckedFields>();

/** The fields of an operation, kept because a write is checked several times before it is sent. */
export function checkedFieldsOf(name: OperationName): CheckedFields {
  const known = collected.get(name);
  if (known !== undefined) return known;
  const { json } = operationOf(name).input;
  const all = Object.keys(json['properties'] ?? {});
  const withFormat = (format: string): readonly string[] =>
    all.filter((field) => propertyOf(json, field)['format'] === format);
  const fields = { all, times: withFormat('millis'), symbols: withFormat('symbol') };
  collected.set(name, fields);
  return fields;
}
