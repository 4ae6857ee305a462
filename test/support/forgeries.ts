/** Forgeries of a JSON paper, made from its schema: every field changed, removed, added and swapped. */
import type { Random } from '../../src/base/random.ts';
import { isJsonRecord, isRecord, plainJson, type Json } from '../../src/base/json.ts';
import { isSchema, propertiesOf, type JsonSchema } from '../../src/exchange/api/schema.ts';

export interface Forgery {
  /** The field in the schema: `steps.*.effect`. */
  readonly field: string;
  /** Where in the paper, and what was done there. */
  readonly what: string;
  readonly apply: (paper: Json) => Json;
}

type Path = readonly (string | number)[];

interface Place {
  readonly field: string;
  readonly path: Path;
  readonly schema: JsonSchema;
  readonly value: Json;
}

const membersMax = 20;

/** Every forgery of a paper; in long lists of the first and the last member. */
export function forgeriesOf(paper: Json, schema: JsonSchema): readonly Forgery[] {
  return placesIn({ field: '', path: [], schema, value: paper }).flatMap((place) =>
    place.path.length === 0
      ? membersForged(place)
      : [...valueForged(place), ...membersForged(place)],
  );
}

/** Every field that a schema names. */
export function fieldsOf(schema: JsonSchema, field = ''): readonly string[] {
  const below = (name: string, inner: unknown): readonly string[] => {
    const path = field === '' ? name : `${field}.${name}`;
    return isSchema(inner) ? [path, ...fieldsOf(inner, path)] : [];
  };
  return [
    ...Object.entries(propertiesOf(schema)).flatMap(([name, inner]) => below(name, inner)),
    ...below('*', schema['items']),
    ...below('*', schema['additionalProperties']),
    ...shapesOf(schema).flatMap((shape) => fieldsOf(shape, field)),
  ];
}

function shapesOf({ anyOf }: JsonSchema): readonly JsonSchema[] {
  return Array.isArray(anyOf) ? anyOf.filter(isSchema) : [];
}

/** The shape a value has, of those it may have. */
function shapeOf(schema: JsonSchema, value: Json): JsonSchema {
  const shapes = shapesOf(schema);
  const kind = kindOf(value);
  return (
    shapes.find((shape) => kind !== undefined && JSON.stringify(shape).includes(`["${kind}"]`)) ??
    shapes[0] ??
    schema
  );
}

function kindOf(value: Json): string | undefined {
  return isRecord(value) && typeof value['kind'] === 'string' ? value['kind'] : undefined;
}

function placesIn(place: Place): readonly Place[] {
  const { value, field, path } = place;
  const schema = shapeOf(place.schema, value);
  if (value === null || typeof value !== 'object') return [place];
  const names = isJsonRecord(value) ? Object.keys(value) : endsOf(value);
  return [
    place,
    ...names.flatMap((name) =>
      placesIn({
        field: [field, isNamed(schema, name) ? name : '*'].filter((word) => word !== '').join('.'),
        path: [...path, name],
        schema: schemaAt(schema, name),
        value: memberOf(value, name) ?? null,
      }),
    ),
  ];
}

function endsOf(list: readonly Json[]): number[] {
  if (list.length <= membersMax) return [...list.keys()];
  return [...new Set([0, list.length - 1])].filter((at) => at >= 0);
}

function isNamed(schema: JsonSchema, name: string | number): boolean {
  return typeof name === 'string' && Object.hasOwn(propertiesOf(schema), name);
}

function schemaAt(schema: JsonSchema, name: string | number): JsonSchema {
  const own = typeof name === 'string' ? propertiesOf(schema)[name] : schema['items'];
  const found = own ?? schema['additionalProperties'];
  return isSchema(found) ? found : {};
}

function memberOf(value: Json, name: string | number): Json | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  if (!isJsonRecord(value)) return value[Number(name)];
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The value itself: gone, another, at its extremes, of another kind. */
function valueForged({ field, path, schema, value }: Place): readonly Forgery[] {
  const others = othersOf(value, shapeOf(schema, value), schema);
  const isMember = typeof path.at(-1) === 'number';
  return [
    forgery(field, path, isMember ? 'left out' : 'removed', () => undefined),
    ...others.map((other) =>
      forgery(fieldChanged(field, value, other), path, `made ${shown(other)}`, () => other),
    ),
  ];
}

/** The field that another value changes: one member of a map, if all others are as they were. */
function fieldChanged(field: string, value: Json, other: Json): string {
  if (!isJsonRecord(value) || !isJsonRecord(other)) return field;
  const names = [...new Set([...Object.keys(value), ...Object.keys(other)])];
  const [changed, more] = names.filter(
    (name) => JSON.stringify(value[name]) !== JSON.stringify(other[name]),
  );
  return changed === undefined || more !== undefined ? field : `${field}.${changed}`;
}

function othersOf(value: Json, shape: JsonSchema, schema: JsonSchema): readonly Json[] {
  const different = (all: readonly Json[]): Json[] =>
    all.filter((other) => JSON.stringify(other) !== JSON.stringify(value));
  const choices = Array.isArray(shape['enum']) ? shape['enum'] : [];
  if (typeof value === 'boolean') return [!value, String(value)];
  if (typeof value === 'number') {
    return different([
      value + 1,
      value - 1,
      0,
      -1,
      value * 2,
      9_007_199_254_740_991,
      String(value),
    ]);
  }
  if (typeof value === 'string') return different([...choices, ...textsLike(value), 7, null, {}]);
  if (value === null) return ['', 0, {}];
  const branches = shapesOf(schema).map(sampleOf);
  const emptied: Json = isJsonRecord(value) ? {} : [];
  return different([emptied, null, 'text', ...branches]);
}

function textsLike(text: string): readonly string[] {
  const last = text.slice(-1);
  const swapped = `${text.slice(0, -1)}${last === '1' ? '2' : '1'}`;
  const number = /^-?\d+(\.\d+)?$/.test(text) ? [`-${text}`, `1${text}`, '0', '0.00000001'] : [];
  const files = text.endsWith('.yaml') ? [`../${text}`, `/etc/${text}`, `./${text}`] : [];
  return ['', swapped, `${text} `, text.toUpperCase(), 'x'.repeat(5_000), ...number, ...files];
}

/** Members of a list or a map: one more, one twice, two the other way round, one no one knows. */
function membersForged({ field, path, schema, value }: Place): readonly Forgery[] {
  if (value === null || typeof value !== 'object') return [];
  const shape = shapeOf(schema, value);
  if (!isJsonRecord(value)) {
    const [first, second] = value;
    const inner = `${field}.*`;
    const changed = (how: string, list: readonly Json[]): Forgery[] =>
      JSON.stringify(list) === JSON.stringify(value) ? [] : [forgery(inner, path, how, () => list)];
    return [
      ...changed('with one more', [...value, sampleOf(schemaAt(shape, 0))]),
      ...(first === undefined ? [] : changed('with one twice', [...value, first])),
      ...(second === undefined ? [] : changed('the other way round', value.toReversed())),
    ];
  }
  const missing = Object.entries(propertiesOf(shape)).filter(
    ([name]) => !Object.hasOwn(value, name),
  );
  const names = Object.keys(value);
  const [one, other] = names;
  return [
    ...missing.flatMap(([name, inner]) =>
      samplesOf(isSchema(inner) ? inner : {}).map((sample) =>
        forgery(
          [field, name].filter((word) => word !== '').join('.'),
          path,
          `given ${name}`,
          () => ({
            ...value,
            [name]: sample,
          }),
        ),
      ),
    ),
    ...['forged', 'totals.requests'].map((name) =>
      forgery([field, '*'].join('.'), path, `given ${name}`, () => ({ ...value, [name]: true })),
    ),
    ...(one === undefined || other === undefined
      ? []
      : [
          forgery(`${field}.*`, path, `${one} and ${other} swapped`, () => ({
            ...value,
            [one]: value[other] ?? null,
            [other]: value[one] ?? null,
          })),
        ]),
  ];
}

/** Values that a schema allows. */
function samplesOf(schema: JsonSchema): readonly Json[] {
  const shapes = shapesOf(schema);
  if (shapes.length > 0) return shapes.map(sampleOf);
  const choices = Array.isArray(schema['enum']) ? schema['enum'] : [];
  if (choices.length > 0) return choices;
  switch (schema['type']) {
    case 'string':
      return schema['pattern'] === undefined ? ['main', '1'] : ['a'.repeat(64), 'p-00000000'];
    case 'integer':
    case 'number':
      return [0, 1, 1_800_000_000_000];
    case 'boolean':
      return [true, false];
    case 'array':
      return [[], [sampleOf(isSchema(schema['items']) ? schema['items'] : {})]];
    case 'object': {
      const named = Object.entries(propertiesOf(schema)).map(([name, inner]): [string, Json] => [
        name,
        sampleOf(isSchema(inner) ? inner : {}),
      ]);
      const inner = schema['additionalProperties'];
      const other: [string, Json][] = isSchema(inner) ? [['BTCUSDT', sampleOf(inner)]] : [];
      return [Object.fromEntries([...named, ...other])];
    }
    default:
      return ['anything', { any: 'thing' }];
  }
}

function sampleOf(schema: JsonSchema): Json {
  return samplesOf(schema)[0] ?? null;
}

function forgery(field: string, path: Path, how: string, by: () => Json | undefined): Forgery {
  const at = path.length === 0 ? 'the plan' : path.join('.');
  return { field, what: `${at} ${how}`, apply: (paper) => replaced(paper, path, by()) ?? null };
}

function replaced(value: Json, [name, ...rest]: Path, by: Json | undefined): Json | undefined {
  if (name === undefined) return by;
  if (value === null || typeof value !== 'object') return value;
  const inner = replaced(memberOf(value, name) ?? null, rest, by);
  if (!isJsonRecord(value)) {
    return value.flatMap((item, at) =>
      at === name ? (inner === undefined ? [] : [inner]) : [item],
    );
  }
  return plainJson({ ...value, [name]: inner });
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Of each field a few forgeries, drawn: no field is left out. */
export function drawnOf(
  all: readonly Forgery[],
  ofEach: number,
  random: Random,
): readonly Forgery[] {
  return [...byField(all).values()].flatMap((own) =>
    own
      .map((each): [number, Forgery] => [random.integer(1_000_000), each])
      .toSorted(([a], [b]) => a - b)
      .slice(0, ofEach)
      .map(([, each]) => each),
  );
}

function byField(all: readonly Forgery[]): ReadonlyMap<string, readonly Forgery[]> {
  const found = new Map<string, Forgery[]>();
  for (const each of all) found.set(each.field, [...(found.get(each.field) ?? []), each]);
  return found;
}

/** Two forgeries of different fields, one after the other; a random one of each. */
export function pairsOf(all: readonly Forgery[], random: Random): readonly Forgery[] {
  const grouped = byField(all);
  const fields = [...grouped.keys()];
  const drawn = (field: string): Forgery => {
    const own = grouped.get(field) ?? [];
    const found = own[random.integer(own.length)];
    if (found === undefined) throw new Error(`${field} has no forgery`);
    return found;
  };
  return fields.flatMap((one, index) =>
    fields.slice(index + 1).map((two): Forgery => {
      const [first, second] = [drawn(one), drawn(two)];
      return {
        field: `${one} and ${two}`,
        what: `${first.what}, and ${second.what}`,
        apply: (paper) => second.apply(first.apply(paper)),
      };
    }),
  );
}
