/** Scenarios as people write them. */
import { fieldOf, isRecord } from '../../base/json.ts';
import type { JsonSchema } from '../../exchange/api/schema.ts';
import { scenario } from './format.ts';

/**
 * Converts numbers to text where the schema requires a text: in YAML a price or a uid is a number.
 */
export function withTexts(value: unknown, schema: unknown): unknown {
  if (typeof value === 'number') {
    return wantsText(schema) ? String(value) : value;
  }
  if (Array.isArray(value)) {
    return value.map((item) => withTexts(item, fieldOf(schema, 'items')));
  }
  if (!isRecord(value)) return value;
  const properties = fieldOf(schema, 'properties');
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withTexts(item, fieldOf(properties, key))]),
  );
}

/**
 * The schema of a scenario before numbers are converted to text, for editors and validators of
 * files.
 */
export const writtenScenario: JsonSchema = withNumbers(scenario.json);

function withNumbers(schema: JsonSchema): JsonSchema {
  const { type, items, properties } = schema;
  return {
    ...schema,
    ...(wantsText(schema) && {
      type: [...(Array.isArray(type) ? type : [type ?? 'string']), 'number'],
    }),
    ...(isRecord(items) && { items: withNumbers(items) }),
    ...(isRecord(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [
          name,
          isRecord(each) ? withNumbers(each) : each,
        ]),
      ),
    }),
  };
}

function wantsText(schema: unknown): boolean {
  const type = fieldOf(schema, 'type');
  const types = Array.isArray(type) ? type : [type];
  return types.includes('string') && !types.includes('integer');
}
