/** The keys of a JSON Schema, and those that a value uses. */
import { isRecord } from '../../src/base/json.ts';

type Node = Readonly<Record<string, unknown>>;

/** Every key, with the key above it: `guards.max-writes`; the fields of operations are not the language's. */
export function keysIn(schema: Node): ReadonlySet<string> {
  const keys = new Set<string>();
  const seen = new Set<Node>();
  const visit = (given: unknown, above: string): void => {
    const node = resolved(given, schema);
    if (node === undefined || seen.has(node)) return;
    seen.add(node);
    for (const [key, below] of Object.entries(Object(node['properties']))) {
      keys.add(`${above}.${key}`);
      if (key !== 'with') visit(below, key);
    }
    for (const below of [node['items'], node['additionalProperties']]) visit(below, above);
    for (const below of [node['anyOf'] ?? []].flat()) visit(below, above);
  };
  visit(schema, 'playbook');
  return keys;
}

/** The keys of a value, as the schema names them. */
export function keysUsed(
  value: unknown,
  schema: Node,
  given: unknown = schema,
  above = 'playbook',
): readonly string[] {
  const node = resolved(given, schema);
  if (node === undefined) return [];
  const choices = [node['anyOf'] ?? []]
    .flat()
    .flatMap((one) => keysUsed(value, schema, one, above));
  if (Array.isArray(value)) {
    return [...choices, ...value.flatMap((one) => keysUsed(one, schema, node['items'], above))];
  }
  if (!isRecord(value)) return choices;
  const properties: Node = Object(node['properties']);
  return Object.entries(value).reduce<readonly string[]>((all, [key, below]) => {
    if (key in properties) {
      const its = key === 'with' ? [] : keysUsed(below, schema, properties[key], key);
      return [...all, `${above}.${key}`, ...its];
    }
    return [...all, ...keysUsed(below, schema, node['additionalProperties'], above)];
  }, choices);
}

function resolved(node: unknown, schema: Node): Node | undefined {
  if (!isRecord(node)) return undefined;
  const name = /^#\/definitions\/(\w+)$/.exec(String(node['$ref']))?.[1];
  if (name === undefined) return node;
  const found = Object(schema['definitions'])[name];
  return isRecord(found) ? found : undefined;
}
