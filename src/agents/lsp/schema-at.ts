/** The keys and values that the JSON Schema of playbooks allows at a place. */
import { isRecord } from '../../base/json.ts';
import type { JsonSchema } from '../../exchange/api/schema.ts';
import { playbookSchema } from '../../language/schema.ts';

/** The schema of playbooks with the fields of each operation, made at first use. */
let schema: JsonSchema | undefined;

/** The schemas that apply to a place of a playbook. @param playbook as JSON */
export function playbookSchemasAt(
  playbook: unknown,
  path: readonly string[],
): readonly JsonSchema[] {
  schema ??= playbookSchema();
  return schemasAt(schema, playbook, path);
}

/**
 * The schemas that apply to a place of a document, with the conditions that its other values decide.
 * @param path the keys and positions from the top
 */
function schemasAt(
  root: JsonSchema,
  document: unknown,
  path: readonly string[],
): readonly JsonSchema[] {
  let value = document;
  let schemas = expanded(root, value, root);
  for (const word of path) {
    const inside = schemas.flatMap((each) => childrenOf(each, word, Array.isArray(value)));
    value = childValue(value, word);
    schemas = inside.flatMap((each) => expanded(each, value, root));
  }
  return schemas;
}

/** A schema with those that it refers to, includes or makes depend on the value. */
function expanded(given: unknown, value: unknown, root: JsonSchema): readonly JsonSchema[] {
  if (!isSchema(given)) return [];
  const { $ref: reference, allOf, anyOf, oneOf, dependencies } = given;
  const name = typeof reference === 'string' ? reference.split('/').at(-1) : undefined;
  const target = name === undefined ? [] : [recordOf(root['definitions'])[name]];
  const needed = Object.entries(recordOf(dependencies)).flatMap(([key, each]) =>
    isRecord(value) && Object.hasOwn(value, key) ? [each] : [],
  );
  const branch =
    given['if'] === undefined ? [] : [given[matches(given['if'], value) ? 'then' : 'else']];
  const others = [...target, ...needed, ...branch, ...[allOf, anyOf, oneOf].flatMap(itemsOf)];
  return [given, ...others.flatMap((each) => expanded(each, value, root))];
}

function childrenOf(parent: JsonSchema, word: string, isItem: boolean): readonly unknown[] {
  if (isItem) return [parent['items']];
  const properties = recordOf(parent['properties']);
  return Object.hasOwn(properties, word) ? [properties[word]] : [parent['additionalProperties']];
}

/** Whether a value passes a condition: of those keywords that conditions of playbooks use. */
function matches(condition: unknown, value: unknown): boolean {
  if (!isSchema(condition)) return true;
  const { type, enum: words, pattern, required } = condition;
  if ('const' in condition && condition['const'] !== value) return false;
  if (Array.isArray(words) && !words.some((word) => word === value)) return false;
  if (type === 'string' && typeof value !== 'string') return false;
  if (type === 'object' && !isRecord(value)) return false;
  if (typeof pattern === 'string' && !new RegExp(pattern).test(String(value))) return false;
  const has = (key: unknown): boolean => isRecord(value) && Object.hasOwn(value, String(key));
  if (!itemsOf(required).every(has)) return false;
  return Object.entries(recordOf(condition['properties'])).every(
    ([key, inner]) => !has(key) || matches(inner, childValue(value, key)),
  );
}

function childValue(value: unknown, word: string): unknown {
  if (Array.isArray(value)) return value[Number(word)];
  return isRecord(value) && Object.hasOwn(value, word) ? value[word] : undefined;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isSchema(value: unknown): value is JsonSchema {
  return isRecord(value);
}
