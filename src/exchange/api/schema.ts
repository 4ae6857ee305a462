/** JSON Schema with its TypeScript type: one value for the validator, the editor and tsc. */
import { fieldOf, isRecord, type Json, type JsonRecord } from '../../base/json.ts';

export type JsonSchema = JsonRecord;

/** A JSON Schema of values of type `T`; the type exists only at compile time. */
export interface Schema<out T> {
  readonly json: JsonSchema;
  readonly infer?: T;
}

/** A field that may be missing from its object. */
export interface OptionalField<out T> extends Schema<T> {
  readonly isOptional: true;
}

export type Infer<S> = S extends Schema<infer T> ? T : never;

type Fields = Readonly<Record<string, Schema<unknown>>>;
type RecordOf<F> = {
  readonly [K in keyof F as F[K] extends OptionalField<unknown> ? never : K]: Infer<F[K]>;
} & {
  readonly [K in keyof F as F[K] extends OptionalField<unknown> ? K : never]?: Infer<F[K]>;
};
type Flat<T> = { [K in keyof T]: T[K] };

export const text = (json: JsonSchema = {}): Schema<string> => ({
  json: { type: 'string', ...json },
});

/** The schema of one value from a closed set; another value is an error. */
export const choice = <const V extends readonly string[]>(
  values: V,
  json: JsonSchema = {},
): Schema<V[number]> => ({ json: { type: 'string', enum: values, ...json } });

/** The schema of one value from a set that the exchange may extend: an unknown value is kept. */
export const openChoice = <const V extends readonly string[]>(
  values: V,
  json: JsonSchema = {},
): Schema<V[number] | (string & {})> => ({ json: { type: 'string', examples: values, ...json } });

export const list = <T>(items: Schema<T>, json: JsonSchema = {}): Schema<readonly T[]> => ({
  json: { type: 'array', items: items.json, ...json },
});

export const either = <A, B>(a: Schema<A>, b: Schema<B>): Schema<A | B> => ({
  json: { anyOf: [a.json, b.json] },
});

/** The schema of one of several shapes, distinguished by their `kind`. */
export const oneOf = <S extends readonly Schema<unknown>[]>(
  ...shapes: S
): Schema<Infer<S[number]>> => ({ json: { anyOf: shapes.map(({ json }) => json) } });

export const nothing: Schema<null> = { json: { type: 'null' } };

/** A value of any shape, from a playbook or the exchange. */
export const anything: Schema<Json> = { json: {} };

export const truth: Schema<boolean> = { json: { type: 'boolean' } };

/** A field that is present only when it is true. */
export const isTrue: Schema<true> = { json: { type: 'boolean', enum: [true] } };

/** Exactly one number, such as a version. */
export const exactly = <const N extends number>(value: N, json: JsonSchema = {}): Schema<N> => ({
  json: { type: 'integer', enum: [value], ...json },
});

/** An object whose keys are not known in advance. */
export const named = <T>(
  values: Schema<T>,
  json: JsonSchema = {},
): Schema<Readonly<Record<string, T>>> => ({
  json: { type: 'object', additionalProperties: values.json, ...json },
});

export const integer = (json: JsonSchema = {}): Schema<number> => ({
  json: { type: 'integer', ...json },
});

export const optional = <T>(schema: Schema<T>): OptionalField<T> => ({
  ...schema,
  isOptional: true,
});

/**
 * A field that a decision reads: it stops the decision about a row in which it cannot be read. All
 * other fields of a response are carried as they came.
 */
export const needed = <S extends Schema<unknown>>(schema: S): S => ({
  ...schema,
  json: { ...schema.json, 'x-needed': true },
});

export function isNeeded(schema: JsonSchema): boolean {
  return schema['x-needed'] === true;
}

/** Values with schemas as an exchange sees them: without the keywords that only readers of a response use. */
export function asDeclared(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, field: unknown) => (key === 'x-needed' ? undefined : field)),
  );
}

/** A copy of a schema with a description for readers and editors. */
export const described = <S extends Schema<unknown>>(description: string, schema: S): S => ({
  ...schema,
  json: { ...schema.json, description },
});

/** A copy of a schema with the default value of the field. */
export const byDefault = <S extends Schema<unknown>>(value: Json, schema: S): S => ({
  ...schema,
  json: { ...schema.json, default: value },
});

/** An object; unknown fields are accepted, so that new ones break nothing. */
export const record = <F extends Fields>(
  fields: F,
  json: JsonSchema = {},
): Schema<Flat<RecordOf<F>>> => ({
  json: {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([k, field]) => [k, field.json])),
    required: Object.keys(fields).filter((key) => !isOptional(fields[key])),
    ...json,
  },
});

/** The fields of an interface: each has a schema, which is optional as the field is. */
type FieldsOf<T> = {
  readonly [K in keyof T]-?: object extends Pick<T, K>
    ? OptionalField<NonNullable<T[K]>>
    : Schema<T[K]>;
};

/** The schema of an interface that is documented for programs: no field of it is missing here, and none is more. */
export const recordOf = <T>(fields: FieldsOf<T>): Schema<T> => ({
  json: record<Fields>(fields).json,
});

function isOptional(schema: Schema<unknown> | undefined): boolean {
  return schema !== undefined && 'isOptional' in schema;
}

/** The fields a schema of objects names; none for any other. */
export function propertiesOf({ properties }: JsonSchema): JsonSchema {
  return isSchema(properties) ? properties : {};
}

/** The schema of a field; undefined for an unknown field. */
export function propertyOf(schema: JsonSchema, name: string): JsonSchema {
  const found = fieldOf(propertiesOf(schema), name);
  return isSchema(found) ? found : {};
}

/** The schemas of which a value has one. */
export function choicesIn(schema: JsonSchema): readonly JsonSchema[] {
  const { anyOf: choices } = schema;
  return Array.isArray(choices) ? choices.filter(isSchema) : [schema];
}

export function isSchema(value: unknown): value is JsonSchema {
  return isRecord(value);
}
