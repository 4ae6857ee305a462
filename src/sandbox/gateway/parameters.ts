/** Parses query or body to an operation's input, validated with the same API schema as in the client. */
import { decodeUtf8, isRecord, JsonError, parseFields } from '../../base/json.ts';
import { fieldsOf, inputProblems } from '../../exchange/api/check.ts';
import type { InputProblem } from '../../exchange/api/exchange.ts';
import type { Operation } from '../../exchange/api/operation.ts';
import {
  operationOf,
  type Input,
  type OperationName,
} from '../../exchange/api/operations/index.ts';
import { Refusal } from '../refusal.ts';
import { mediaTypeOf, type RawRequest } from './request.ts';
import type { Route } from './route.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The treatment of a page size above the maximum. */
export type PageOverflow = 'reject' | 'clamp';

/** Parses and validates the parameters of a request. @throws Refusal for the first problem */
export function parametersOf(request: RawRequest, route: Route, overflow: PageOverflow): Fields {
  const spellers = spellersOf(route.name);
  const given = request.method === 'GET' ? queryFields(route.query) : bodyFields(request, spellers);
  if (Object.hasOwn(given, '__proto__')) throw new Refusal('40034', '__proto__');
  const fields = isSpelled(given, spellers) ? given : spelled(given, spellers);
  return clamped(route.operation, fields, overflow);
}

/** Validates parameters. @throws Refusal when the fields are not input of the operation */
export function checkParameters<N extends OperationName>(
  name: N,
  fields: unknown,
): asserts fields is Input<N> {
  const [first] = inputProblems(name, fields, { by: 'exchange' }).sort(
    (a, b) => ranks[a.keyword] - ranks[b.keyword],
  );
  if (first !== undefined) throw new Refusal(codeOf(name, first), first.message);
}

function queryFields(query: string): Fields {
  const fields = new Map<string, string>();
  for (const part of query === '' ? [] : query.split('&')) {
    const [name = '', ...rest] = part.split('=');
    const key = decoded(name);
    if (fields.has(key)) throw new Refusal('40020', `${key} occurs twice`);
    fields.set(key, decoded(rest.join('=')));
  }
  return Object.fromEntries(fields);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    if (error instanceof URIError) throw new Refusal('40020', 'the query has an invalid escape');
    throw error;
  }
}

function bodyFields(request: RawRequest, spellers: Spellers): Fields {
  if (mediaTypeOf(request) !== 'application/json') throw new Refusal('40007');
  const value = jsonOf(request.body, spellers);
  if (!isRecord(value)) throw new Refusal('40409', 'not an object');
  return value;
}

/** Parses the JSON of a body; an ignored parameter may have any JSON value. */
function jsonOf(body: Uint8Array, spellers: Spellers): unknown {
  if (body.length === 0) throw new Refusal('40409', 'it is empty; send {}');
  if (body[0] === byteOrderMark) throw new Refusal('40409', 'it begins with a byte order mark');
  try {
    return parseFields(decodeUtf8(body), (field) => spellers.has(field));
  } catch (error) {
    if (error instanceof JsonError) throw new Refusal('40409', error.message);
    throw error;
  }
}

/**
 * First byte of U+FEFF, which a decoder drops and JSON on the wire must not start with (RFC 8259).
 */
const byteOrderMark = 0xef;

/** Normalizes the case of a value: clients send `GTC`, `usdt-futures` and `btcusdt`. */
type Speller = (text: string) => string;

/** The normalization for each field of an operation, by wire name. */
type Spellers = ReadonlyMap<string, Speller>;

/** Whether nothing must be normalized, as with most clients: then nothing is copied. */
function isSpelled(given: Fields, spellers: Spellers): boolean {
  for (const field of Object.keys(given)) {
    const speller = spellers.get(field);
    const value = given[field];
    if (speller === undefined || value === '') return false;
    if (typeof value === 'string' && speller(value) !== value) return false;
  }
  return true;
}

/** Known non-empty fields, in the spelling of the API. */
function spelled(given: Fields, spellers: Spellers): Fields {
  const known: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(given)) {
    const speller = spellers.get(field);
    if (speller === undefined || value === '') continue;
    known[field] = typeof value === 'string' ? speller(value) : value;
  }
  return known;
}

const spellersByName = new Map<OperationName, Spellers>();

/** The normalizations of an operation's fields, computed from its schema once. */
function spellersOf(name: OperationName): Spellers {
  let known = spellersByName.get(name);
  if (known === undefined) {
    known = new Map(fieldsOf(name).map((field) => [field, speller(name, field)]));
    spellersByName.set(name, known);
  }
  return known;
}

function speller(name: OperationName, field: string): Speller {
  if (field === 'symbol') return (text) => text.toUpperCase();
  const words = schemaOf(name, field)['enum'];
  if (!Array.isArray(words)) return (text) => text;
  const allowed = words.map(String);
  const known = new Map(allowed.map((word) => [word.toLowerCase(), word]));
  return (text) => (allowed.includes(text) ? text : (known.get(text.toLowerCase()) ?? text));
}

function clamped({ page }: Operation, fields: Fields, overflow: PageOverflow): Fields {
  const size = page?.size;
  if (overflow === 'reject' || size === undefined) return fields;
  const asked = fields[size.field];
  if (typeof asked !== 'string' || !/^\d{1,16}$/.test(asked)) return fields;
  const rows = Math.min(Math.max(Number(asked), 1), size.maximum);
  return { ...fields, [size.field]: String(rows) };
}

/** Ranks of mistakes: those with lower numbers are reported first. */
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

/** Error codes of fields whose invalid values have a specific code. */
const codesByField: Partial<Record<OperationName, Readonly<Record<string, string>>>> = {
  'futures/place-order': { clientOid: '40305', marginCoin: '40778' },
  'futures/set-all-leverage': { leverage: '40020' },
};

function codeOf(name: OperationName, problem: InputProblem): string {
  const { path, keyword } = problem;
  if (operationOf(name).path.startsWith('/api/v3/')) return '25200';
  const own = codesByField[name]?.[String(path[0])];
  if (own !== undefined && (keyword === 'range' || keyword === 'format')) return own;
  const { format } = schemaOf(name, String(path[0]));
  if (keyword === 'format' && String(format).startsWith('decimal')) return '40808';
  return codes[keyword];
}

function schemaOf(name: OperationName, field: string): Fields {
  const properties = operationOf(name).input.json['properties'];
  const schema = isRecord(properties) ? properties[field] : undefined;
  return isRecord(schema) ? schema : {};
}
