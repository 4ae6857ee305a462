/** Static types of expressions: from API schemas, inputs and literals. */
import { isDecimalText } from '../../base/decimal.ts';
import { fieldOf } from '../../base/json.ts';
import { isWrittenTime } from '../written-time.ts';

interface TextType {
  readonly kind: 'text';
  readonly format?: string;
  readonly values?: readonly string[];
  /** Whether a helper or a template makes the text, which may be a time then. */
  readonly isComposed?: true;
}

export type Type =
  | TextType
  | { readonly kind: 'integer' | 'decimal' | 'boolean' | 'time' | 'duration' | 'null' | 'any' }
  | { readonly kind: 'list'; readonly items: Type }
  /** Whether keys are not known in advance. */
  | { readonly kind: 'map'; readonly values: Type }
  | { readonly kind: 'record'; readonly fields: ReadonlyMap<string, Field> };

export interface Field {
  readonly type: Type;
  /** Whether the field may be missing; an expression must handle that. */
  readonly isOptional?: boolean;
}

export const anything: Type = { kind: 'any' };
export const text: Type = { kind: 'text' };
export const composedText: Type = { kind: 'text', isComposed: true };
export const decimalType: Type = { kind: 'decimal' };
export const integerType: Type = { kind: 'integer' };
export const booleanType: Type = { kind: 'boolean' };
export const timeType: Type = { kind: 'time' };

export function listOf(items: Type): Type {
  return { kind: 'list', items };
}

export function recordOf(fields: Readonly<Record<string, Type>>): Type {
  return {
    kind: 'record',
    fields: new Map(Object.entries(fields).map(([name, type]) => [name, { type }])),
  };
}

/** The type of values of a JSON Schema in the API. */
export function typeOfSchema(schema: unknown): Type {
  switch (fieldOf(schema, 'type')) {
    case 'string':
      return textType(schema);
    case 'integer':
      return integerType;
    case 'boolean':
      return booleanType;
    case 'null':
      return { kind: 'null' };
    case 'array':
      return listOf(typeOfSchema(fieldOf(schema, 'items')));
    case 'object': {
      const required = fieldOf(schema, 'required');
      const names = Array.isArray(required) ? required : [];
      const fields = Object.entries(Object(fieldOf(schema, 'properties'))).map(
        ([name, property]): [string, Field] => [
          name,
          { type: typeOfSchema(property), ...(!names.includes(name) && { isOptional: true }) },
        ],
      );
      return { kind: 'record', fields: new Map(fields) };
    }
    default:
      return anything;
  }
}

function textType(schema: unknown): Type {
  const values = fieldOf(schema, 'enum');
  const format = fieldOf(schema, 'format');
  return {
    kind: 'text',
    ...(Array.isArray(values) && { values: values.map(String) }),
    ...(typeof format === 'string' && { format }),
  };
}

const numericFormats = ['decimal', 'decimal-or-empty', 'id', 'count', 'millis', 'millis-or-empty'];

/** Whether arithmetic is possible with a type, including API texts that contain numbers. */
export function isNumeric(type: Type): boolean {
  switch (type.kind) {
    case 'integer':
    case 'decimal':
    case 'any':
      return true;
    case 'text':
      return type.values
        ? type.values.every(isDecimalText)
        : numericFormats.includes(type.format ?? '');
    default:
      return false;
  }
}

/** Whether a value of the type can be parsed as a moment. */
export function isTime(type: Type): boolean {
  return (
    type.kind === 'time' ||
    type.kind === 'integer' ||
    type.kind === 'any' ||
    (type.kind === 'text' && isTimeText(type))
  );
}

/** Whether a text may be a time. Of an input it is not: that is declared as a time. */
function isTimeText({ format = '', values, isComposed }: TextType): boolean {
  return values?.every(isWrittenTime) ?? (isComposed === true || format.startsWith('millis'));
}

/** Whether a value of the type can be embedded in a text. */
export function isScalar(type: Type): boolean {
  return type.kind !== 'list' && type.kind !== 'map' && type.kind !== 'record';
}

/** The type of a collection's members; undefined for other types. */
export function membersOf(type: Type): Type | undefined {
  switch (type.kind) {
    case 'list':
      return type.items;
    case 'map':
      return type.values;
    case 'record':
      return unionOf([...type.fields.values()].map((field) => field.type));
    case 'any':
      return anything;
    default:
      return undefined;
  }
}

const wordsMax = 100; // values listed in a message

/** The union of several types. */
export function unionOf(types: readonly Type[]): Type {
  const [first, ...others] = types;
  return first === undefined ? anything : others.reduce(eitherOf, first);
}

function eitherOf(a: Type, b: Type): Type {
  if (a.kind === 'text' && b.kind === 'text') return eitherText(a, b);
  if (a.kind === 'list' && b.kind === 'list') return listOf(eitherOf(a.items, b.items));
  if (a.kind === 'map' && b.kind === 'map') {
    return { kind: 'map', values: eitherOf(a.values, b.values) };
  }
  if (a.kind === 'record' && b.kind === 'record') {
    const names = new Set([...a.fields.keys(), ...b.fields.keys()]);
    const fields = [...names].map((name): [string, Field] => [
      name,
      eitherField(a.fields.get(name), b.fields.get(name)),
    ]);
    return { kind: 'record', fields: new Map(fields) };
  }
  const isNumber = [a, b].every(({ kind }) => kind === 'integer' || kind === 'decimal');
  if (isNumber) return a.kind === b.kind ? a : decimalType;
  return a.kind === b.kind ? a : anything;
}

function eitherText(a: TextType, b: TextType): Type {
  const values = a.values && b.values && [...new Set([...a.values, ...b.values])];
  const format = eitherFormat(a.format, b.format);
  return {
    kind: 'text',
    ...(values && values.length <= wordsMax && { values }),
    ...(format !== undefined && { format }),
    ...(format === undefined && [a, b].every(isTimeText) && { isComposed: true }),
  };
}

/** The union of two kinds of numbers is number. */
function eitherFormat(a = '', b = ''): string | undefined {
  if (a === b) return a === '' ? undefined : a;
  if (!numericFormats.includes(a) || !numericFormats.includes(b)) return undefined;
  return mayBeEmpty(a) || mayBeEmpty(b) ? 'decimal-or-empty' : 'decimal';
}

function mayBeEmpty(format: string): boolean {
  return format.endsWith(orEmpty);
}

const orEmpty = '-or-empty';

/** A text type without the empty text; other types are unchanged. */
export function withoutEmpty(type: Type): Type {
  if (type.kind !== 'text') return type;
  const { format, values } = type;
  return {
    ...type,
    ...(values && { values: values.filter((word) => word !== '') }),
    ...(format !== undefined && {
      format: mayBeEmpty(format) ? format.slice(0, -orEmpty.length) : format,
    }),
  };
}

/** Whether an empty text is possible where a number is required. */
export function isNumberOrEmpty(type: Type): boolean {
  return type.kind === 'text' && mayBeEmpty(type.format ?? '');
}

function eitherField(a: Field | undefined, b: Field | undefined): Field {
  const isOptional = !a || !b || a.isOptional || b.isOptional;
  const type = a && b ? eitherOf(a.type, b.type) : (a ?? b)?.type;
  return { type: type ?? anything, ...(isOptional && { isOptional }) };
}

/** The name of a type, for messages. */
export function typeName(type: Type): string {
  switch (type.kind) {
    case 'text':
      if (type.values) {
        const words = type.values.slice(0, 4).map((word) => (word === '' ? 'an empty text' : word));
        return `one of ${words.join(', ')}`;
      }
      return type.format ? `text holding a ${type.format.replaceAll('-', ' ')}` : 'text';
    case 'list':
      return `list of ${typeName(type.items)}`;
    case 'map':
    case 'record':
      return 'map';
    case 'any':
      return 'any value';
    default:
      return type.kind;
  }
}
