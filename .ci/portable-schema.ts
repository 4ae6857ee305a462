/**
 * Our schemas in the words of draft-07 alone, so that any validator accepts them, ajv in strict mode
 * included: without words for editors and formats of our own, and with one type for each keyword.
 */
import { isRecord, type Json } from '../src/base/json.ts';
import { formats } from '../src/exchange/api/vocabulary.ts';
import type { JsonSchema } from '../src/exchange/api/schema.ts';

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const single = [
  'additionalProperties',
  'items',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
];
const lists = ['allOf', 'anyOf', 'oneOf', 'items'];
const named = ['properties', 'patternProperties', 'definitions', 'dependencies'];

/** Which types a keyword says something about; every other keyword is about all of them. */
const about: Readonly<Record<string, readonly string[]>> = {
  pattern: ['string'],
  format: ['string'],
  minLength: ['string'],
  maxLength: ['string'],
  minimum: ['number', 'integer'],
  maximum: ['number', 'integer'],
  exclusiveMinimum: ['number', 'integer'],
  exclusiveMaximum: ['number', 'integer'],
  multipleOf: ['number', 'integer'],
  items: ['array'],
  minItems: ['array'],
  maxItems: ['array'],
  uniqueItems: ['array'],
  properties: ['object'],
  required: ['object'],
  patternProperties: ['object'],
  additionalProperties: ['object'],
  propertyNames: ['object'],
  dependencies: ['object'],
  minProperties: ['object'],
  maxProperties: ['object'],
};

export function portable(schema: JsonSchema): JsonSchema {
  return withTypes(withProperties(withPattern(withoutForeign(inside(schema)))));
}

const each = (value: Json): Json => (isRecord(value) ? portable(value) : value);

function inside(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (Array.isArray(value) && lists.includes(key)) return [key, value.map(each)];
      if (isRecord(value) && named.includes(key)) {
        return [
          key,
          Object.fromEntries(Object.entries(value).map(([name, of]) => [name, each(of)])),
        ];
      }
      return [key, single.includes(key) ? each(value) : value];
    }),
  );
}

/** Words for editors, which the schemas in `schemas/editor` keep, and our own notes. */
function withoutForeign(schema: JsonSchema): JsonSchema {
  const foreign = /^(?:patternErrorMessage|defaultSnippets|enumDescriptions|x-.*)$/;
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !foreign.test(key)));
}

/** A format of ours as a pattern. */
function withPattern({ format, ...rest }: JsonSchema): JsonSchema {
  if (typeof format !== 'string') return rest;
  const [, name = '', orEmpty] = /^(.*?)(-or-empty)?$/.exec(format) ?? [];
  if (!isFormat(name)) return { ...rest, format };
  const source = formats[name].source.replaceAll(
    String.raw`\p{Cc}`,
    String.raw`\u0000-\u001f\u007f-\u009f`,
  );
  const pattern = orEmpty === undefined ? source : `^$|${source}`;
  return rest['pattern'] === undefined
    ? { ...rest, pattern }
    : { ...rest, allOf: [...listOf(rest['allOf']), { pattern }] };
}

const isFormat = (name: string): name is keyof typeof formats => Object.hasOwn(formats, name);

/** What is required is also among the properties. */
function withProperties(schema: JsonSchema): JsonSchema {
  const { properties, required } = schema;
  if (!Array.isArray(required)) return schema;
  const known = isRecord(properties) ? properties : {};
  const missing = required.map(String).filter((name) => !Object.hasOwn(known, name));
  if (missing.length === 0) return schema;
  const added = Object.fromEntries(missing.map((name) => [name, true]));
  return { ...schema, properties: { ...known, ...added } };
}

/** Each keyword beside the type that it is about. */
function withTypes(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  if (type === undefined) return withoutType(schema);
  if (!Array.isArray(type) || type.length < 2) return schema;
  if (type.length === 2 && type.includes('null')) return schema; // accepted: a value that may be absent
  const { type: _types, ...rest } = schema;
  const entries = Object.entries(rest);
  const common = entries.filter(([key]) => about[key] === undefined);
  const choices = type.map((one) => ({
    type: one,
    ...Object.fromEntries(entries.filter(([key]) => about[key]?.includes(String(one)))),
  }));
  const { anyOf, allOf, ...others } = Object.fromEntries(common);
  return anyOf === undefined
    ? { ...others, ...(allOf !== undefined && { allOf }), anyOf: choices }
    : { ...others, allOf: [...listOf(allOf), { anyOf }, { anyOf: choices }] };
}

/** Objects are the only type where `properties` stands alone; other keywords leave other types as they are. */
function withoutType(schema: JsonSchema): JsonSchema {
  const types = new Set(Object.keys(schema).flatMap((key) => about[key]?.[0] ?? []));
  if (types.has('object')) return { type: 'object', ...schema };
  const [type] = types;
  if (type === undefined) return schema;
  const isAbout = ([key]: readonly [string, Json]): boolean => about[key]?.[0] === type;
  const entries = Object.entries(schema);
  const choices = [{ type, ...Object.fromEntries(entries.filter(isAbout)) }, { not: { type } }];
  const { allOf, ...others } = Object.fromEntries(entries.filter((entry) => !isAbout(entry)));
  return { ...others, allOf: [...listOf(allOf), { anyOf: choices }] };
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
