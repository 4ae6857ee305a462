/** The fields of a control request, from the schema that validates them. */
import { isSchema, propertiesOf, type JsonSchema } from '../../exchange/api/schema.ts';

export interface ControlField {
  /** The path of a field inside an object, with `[]` for a list: `rules[].action.kind`. */
  readonly name: string;
  /**
   * The type of the field: `text`, `integer`, the allowed values, or several of them: `reject |
   * accept | integer`.
   */
  readonly type: string;
  readonly isRequired: boolean;
  readonly description?: string;
}

/** All fields at any depth, in the order of the schema. */
export function controlFields(schema: JsonSchema, prefix = ''): readonly ControlField[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(propertiesOf(schema)).flatMap(([key, field]) => {
    if (!isSchema(field)) return [];
    const name = `${prefix}${key}`;
    const { description } = field;
    const own: ControlField = {
      name,
      type: typeOf(field),
      isRequired: required.includes(key),
      ...(typeof description === 'string' && { description }),
    };
    return [own, ...within(field, name)];
  });
}

/** The fields inside objects, lists of objects, and objects with freely chosen keys. */
function within(schema: JsonSchema, name: string): readonly ControlField[] {
  const { items, additionalProperties } = schema;
  return [
    ...controlFields(schema, `${name}.`),
    ...(isSchema(items) ? within(items, `${name}[]`) : []),
    ...(isSchema(additionalProperties) ? within(additionalProperties, `${name}.NAME`) : []),
    ...alternativesOf(schema).flatMap((each) => within(each, name)),
  ];
}

function typeOf(schema: JsonSchema): string {
  const { type, items, enum: values } = schema;
  if (Array.isArray(values)) return values.map(String).join(' | ');
  const alternatives = alternativesOf(schema).map(typeOf);
  if (alternatives.length > 0) return alternatives.join(' | ');
  if (type === 'array') return `list of ${isSchema(items) ? typeOf(items) : 'any'}`;
  const types = Array.isArray(type) ? type : [type ?? 'any'];
  return types.map((each) => (each === 'string' ? 'text' : String(each))).join(' | ');
}

/** The alternative shapes of one value; conditions on fields have no type and are omitted. */
function alternativesOf({ anyOf }: JsonSchema): readonly JsonSchema[] {
  const all = Array.isArray(anyOf) ? anyOf.filter(isSchema) : [];
  return all.filter((each) => 'type' in each || 'enum' in each);
}
