/** From query or body to an operation's input, checked against the contract the client uses too. */
import { decodeUtf8, isRecord, JsonError, parseJson } from '../../base/json.ts';
import { fieldsOf, inputProblems } from '../../contract/check.ts';
import type { InputProblem } from '../../contract/exchange.ts';
import { operationOf, type Input, type OperationName } from '../../contract/operations/index.ts';
import { Refusal } from '../refusal.ts';
import type { RawRequest } from './request.ts';
import type { Route } from './route.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What is done with a page size above the maximum. */
export type PageOverflow = 'reject' | 'clamp';

/**
 * Reads and checks the parameters of a request.
 * @throws Refusal naming the first thing that is wrong
 */
export function parametersOf(request: RawRequest, route: Route, overflow: PageOverflow): Fields {
  const given = request.method === 'GET' ? queryFields(route.query) : bodyFields(request);
  if (Object.hasOwn(given, '__proto__')) throw new Refusal('40034', '__proto__');
  const known = fieldsOf(route.name)
    .filter((field) => Object.hasOwn(given, field) && given[field] !== '')
    .map((field) => [field, spelled(route.name, field, given[field])] as const);
  return clamped(route.name, Object.fromEntries(known), overflow);
}

/** @throws Refusal when the fields are no input of the operation */
export function checkParameters<N extends OperationName>(
  name: N,
  fields: unknown,
): asserts fields is Input<N> {
  const [first] = inputProblems(name, fields, { unknownFields: 'ignored' }).sort(
    (a, b) => ranks[a.keyword] - ranks[b.keyword],
  );
  if (first !== undefined) throw new Refusal(codeOf(name, first), first.message);
}

function queryFields(query: string): Fields {
  const fields = new Map<string, string>();
  for (const part of query === '' ? [] : query.split('&')) {
    const [name = '', ...rest] = part.split('=');
    const key = decoded(name);
    if (fields.has(key)) throw new Refusal('40020', `${key} stands twice`);
    fields.set(key, decoded(rest.join('=')));
  }
  return Object.fromEntries(fields);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    if (error instanceof URIError) throw new Refusal('40020', 'the query has a broken escape');
    throw error;
  }
}

function bodyFields({ headers, body }: RawRequest): Fields {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new Refusal('40007');
  const value = jsonOf(body);
  if (!isRecord(value)) throw new Refusal('40409', 'not an object');
  return value;
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return parseJson(decodeUtf8(body));
  } catch (error) {
    if (error instanceof JsonError) throw new Refusal('40409', error.message);
    throw error;
  }
}

/** Clients write `GTC`, `usdt-futures` and `btcusdt`: case is put right before checking. */
function spelled(name: OperationName, field: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (field === 'symbol') return value.toUpperCase();
  return spellings(name).get(field)?.get(value.toLowerCase()) ?? value;
}

type Words = ReadonlyMap<string, string>;

const spellingsByName = new Map<OperationName, ReadonlyMap<string, Words>>();

/** Allowed words by field and lower-case form. */
function spellings(name: OperationName): ReadonlyMap<string, Words> {
  const known = spellingsByName.get(name) ?? new Map(allowedWords(name));
  spellingsByName.set(name, known);
  return known;
}

function allowedWords(name: OperationName): [string, Words][] {
  const properties = operationOf(name).input.json['properties'];
  if (!isRecord(properties)) return [];
  return Object.entries(properties).flatMap(([field, schema]) => {
    const words = isRecord(schema) ? schema['enum'] : undefined;
    if (!Array.isArray(words)) return [];
    return [[field, new Map(words.map((word) => [String(word).toLowerCase(), String(word)]))]];
  });
}

function clamped(name: OperationName, fields: Fields, overflow: PageOverflow): Fields {
  const size = operationOf(name).page?.size;
  if (overflow === 'reject' || size === undefined) return fields;
  const asked = fields[size.field];
  if (typeof asked !== 'string' || !/^\d{1,16}$/.test(asked)) return fields;
  const rows = Math.min(Math.max(Number(asked), 1), size.maximum);
  return { ...fields, [size.field]: String(rows) };
}

/** Which kind of mistake is told first. */
const ranks = { type: 0, required: 1, enum: 2, format: 3, range: 4, rule: 5, unknown: 6 } as const;

const codes = {
  type: '40017',
  required: '40019',
  enum: '40020',
  format: '40020',
  range: '40053',
  rule: '40020',
  unknown: '40034',
} as const;

/** Fields whose bad values have a code of their own. */
const codesByField: Partial<Record<OperationName, Readonly<Record<string, string>>>> = {
  'futures/place-order': { clientOid: '40305', marginCoin: '40778' },
  'futures/set-all-leverage': { leverage: '40020' },
};

function codeOf(name: OperationName, problem: InputProblem): string {
  const { path, keyword } = problem;
  if (operationOf(name).path.startsWith('/api/v3/')) return '25200';
  const own = codesByField[name]?.[String(path[0])];
  if (own !== undefined && (keyword === 'range' || keyword === 'format')) return own;
  if (keyword === 'format' && formatOf(name, String(path[0])) === 'decimal') return '40808';
  return codes[keyword];
}

function formatOf(name: OperationName, field: string): unknown {
  const properties = operationOf(name).input.json['properties'];
  const schema = isRecord(properties) ? properties[field] : undefined;
  return isRecord(schema) ? schema['format'] : undefined;
}
