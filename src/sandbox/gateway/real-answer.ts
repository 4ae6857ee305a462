/** Writes data in the forms of real responses, chosen by seed and content: required values stay the same. */
import { decimal } from '../../base/decimal.ts';
import { isJsonList, isJsonRecord, type Json, type JsonRecord } from '../../base/json.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import { rowId, rowSchema } from '../../exchange/api/row-schema.ts';
import {
  choicesIn,
  isNeeded,
  isSchema,
  propertiesOf,
  propertyOf,
  type JsonSchema,
} from '../../exchange/api/schema.ts';
import { noise } from '../world/noise.ts';

/** Identifies a response of a world: equal occasions give the same forms. */
export interface Occasion {
  readonly seed: number;
  /** The name that distinguishes responses, such as the address and the time. */
  readonly name: string;
  /** The page size that the request asked for, if any. */
  readonly size: number | undefined;
}

/**
 * The data as JSON; '' if the response has none. A row has the same form in every response,
 * so that a row in two windows is one row.
 */
export function realAnswer(name: OperationName, data: Json, on: Occasion): string {
  const { page, rows } = operationOf(name);
  const chance = chanceFor(on.seed, `${name} ${on.name}`);
  const field = page?.rows ?? rows;
  if (isJsonList(data)) {
    if (data.length === 0) return chance.pick(['[]', 'null', '']);
    return written(data.map((row) => realRow(name, row, on.seed)));
  }
  if (!isJsonRecord(data)) return written(data);
  const list = field === undefined ? undefined : data[field];
  if (field === undefined || list === undefined || !isJsonList(list)) {
    return written(realRow(name, data, on.seed));
  }
  const place = nextOf(data);
  if (list.length === 0 && place !== undefined) {
    const empty = chance.pick<Fields | typeof nothing>([
      { [field]: [] },
      { [field]: null },
      {},
      nothing,
      { ...data, [field]: chance.pick<Json>([[], null]) },
    ]);
    if (empty === nothing) return chance.pick(['null', '']);
    return written({ ...empty, ...chance.pick([{ [place]: null }, { [place]: '' }, {}]) });
  }
  const answer: Fields = { ...data, [field]: list.map((row) => realRow(name, row, on.seed)) };
  const next = place === undefined ? undefined : data[place];
  if (place !== undefined && typeof next === 'string' && isDigits(next)) {
    const isLast = list.length < (on.size ?? page?.size.initial ?? 0);
    const id = isLast && chance.happens(1 / 3) ? decimal(next).minus('1').toFixed() : next;
    answer[place] = chance.happens(1 / 3) ? new Digits(id) : id;
  }
  return written(answer);
}

/** The field that names the next page. */
function nextOf(data: JsonRecord): string | undefined {
  return ['cursor', 'endId'].find((field) => Object.hasOwn(data, field));
}

/** A number that is written with all its digits, also beyond 2^53. */
class Digits {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Form = Json | Digits | readonly Form[] | Fields;
type Fields = { [field: string]: Form };

function realRow(name: OperationName, row: Json, seed: number): Form {
  if (!isJsonRecord(row)) return row;
  const schema = rowSchema(name);
  const chance = chanceFor(seed, `${name} ${JSON.stringify(row)}`);
  const kept = keptFields(name);
  const result: Fields = {};
  for (const [field, value] of Object.entries(row)) {
    const form = formOf(propertyOf(schema, field), value, kept.has(field), chance);
    if (form !== absent) result[field] = form;
  }
  if (row['orderType'] === 'market' && Object.hasOwn(row, 'orderStatus')) {
    if (row['price'] === '') result['price'] = chance.pick(['', '0']);
    result['timeInForce'] = chance.pick(['gtc', 'ioc', 'fok', '']);
  }
  const carried = Object.keys(row).filter(
    (field) =>
      typeof row[field] === 'string' &&
      !kept.has(field) &&
      !isNeeded(propertyOf(schema, field)) &&
      formatIn(propertyOf(schema, field)) !== 'id',
  );
  if (carried.length > 0 && chance.happens(spoiledRows)) {
    const form = chance.pick(['', null, absent] as const);
    const field = chance.pick(carried);
    if (form === absent) delete result[field];
    else result[field] = form;
  }
  if (chance.happens(extendedRows)) result['extField'] = chance.pick(['', '1', null]);
  return result;
}

const spoiledRows = 1 / 12; // fraction of rows with an empty value that the interface does not have
const extendedRows = 1 / 12;
const absent = Symbol('absent');
const nothing = Symbol('no list at all');

/** Fields that distinguish rows, or select them by time. */
function keptFields(name: OperationName): ReadonlySet<string> {
  const { window, key, uniqueBy } = operationOf(name);
  return new Set([
    ...rowId(name),
    ...[window?.time, window?.alsoBy, key, uniqueBy].flatMap((f) => f ?? []),
  ]);
}

function formOf(
  schema: JsonSchema,
  value: Json,
  isKept: boolean,
  chance: Chance,
): Form | typeof absent {
  const format = formatIn(schema);
  const isTime = format === 'millis' || format === 'millis-or-empty';
  if (typeof value === 'string' && value !== '' && (isTime || format === 'id')) {
    if (isTime && ['0', '-1'].includes(value)) return chance.pick(unsetTimes);
    return isDigits(value) && chance.happens(1 / 3) ? new Digits(value) : value;
  }
  if (isKept) return value;
  if (value === null || value === '') {
    if (isTime) return chance.pick(unsetTimes);
    if (isFees(schema)) return chance.pick<Json>([[], null, noFees]);
    return isNeeded(schema) ? chance.pick(['', null]) : chance.pick(['', null, absent] as const);
  }
  if (isFees(schema) && isJsonList(value) && !value.some(hasFee)) {
    return chance.pick<Json>([[], null, noFees, value]);
  }
  return value;
}

const unsetTimes = ['', '0', '-1', null] as const;
const noFees = [{ feeCoin: '', fee: '' }];

/** Whether a field is the list of an order's fees. */
function isFees(schema: JsonSchema): boolean {
  return choicesIn(schema).some(({ items }) => isSchema(items) && 'fee' in propertiesOf(items));
}

function hasFee(item: Json): boolean {
  return isJsonRecord(item) && typeof item['fee'] === 'string' && item['fee'] !== '';
}

function formatIn(schema: JsonSchema): string | undefined {
  const formats = choicesIn(schema).map(({ format }) => format);
  return formats.find((format) => typeof format === 'string');
}

/** Whether a text is a JSON number of digits. */
function isDigits(text: string): boolean {
  return /^[1-9]\d{0,39}$/.test(text);
}

function written(form: Form): string {
  if (form instanceof Digits) return form.text;
  if (Array.isArray(form)) return `[${form.map(written).join(',')}]`;
  if (form === null || typeof form !== 'object') return JSON.stringify(form);
  const fields = Object.entries(form).map(
    ([key, value]) => `${JSON.stringify(key)}:${written(value)}`,
  );
  return `{${fields.join(',')}}`;
}

interface Chance {
  happens(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
}

function chanceFor(seed: number, name: string): Chance {
  const numbers = noise(seed, name);
  let at = 0;
  return {
    happens: (probability) => numbers.uniform(at++) < probability,
    pick: (items) => {
      const item = items[numbers.integer(at++, items.length)];
      if (item === undefined) throw new RangeError('nothing to pick from');
      return item;
    },
  };
}
