/** The request of an order as text, by the declaration of its operation. */
import { isRecord, type Json } from '../base/json.ts';
import type { KeyedWrite, ShownTerm, ShownWords } from '../exchange/api/keyed-write.ts';
import { keyedWriteOf } from '../exchange/api/meant-order.ts';
import { meets } from '../exchange/api/order-terms.ts';
import { operationOf, type OperationName } from '../exchange/api/operations/index.ts';
import { isOurName } from '../engine/journal/identity.ts';
import { groupedNumber, restOf, wordAt, type RequestWords } from './request-text.ts';

/** The order of a write, with every field except its key, which is shown separately. */
export function orderRequest(operation: OperationName, input: Json | undefined): RequestWords {
  const keyed = keyedWriteOf(operation);
  if (keyed === undefined) return { what: '', terms: [] };
  const { fields, inQuoteCoin, shown } = keyed;
  const part = (field: string): string => wordAt(input, field);
  const [price, type] = [part(fields.price), part(fields.type)];
  const isAtMarket = type === 'market' || (price === '' && type !== 'limit');
  const at = isAtMarket ? 'at market' : `@ ${price === '' ? '(no price)' : groupedNumber(price)}`;
  const isAmount = meets(inQuoteCoin, isRecord(input) ? input : {});
  const size = `${isAmount ? 'for ' : ''}${groupedNumber(part(fields.size))}`;
  const terms = [
    isAtMarket && price !== '' ? `${fields.price} ${groupedNumber(price)}` : '',
    usualTypes.has(type) ? '' : `${fields.type} ${type}`,
    ...shown.terms.flatMap((term) => termWords(term, keyed, part)),
    ...restOf(input, fieldsShown(operation, keyed)),
  ];
  return {
    what: `${part(fields.symbol)} ${directionOf(operation, input)} ${size} ${at}`,
    terms: terms.filter((term) => term !== ''),
  };
}

const usualTypes: ReadonlySet<string> = new Set(['limit', 'market', '']);

/** The direction of an order: `open long` in hedge mode, `buy` in one-way mode. */
export function directionOf(operation: OperationName, input: Json | undefined): string {
  const part = (field: string): string => wordAt(input, field);
  const words = (keyedWriteOf(operation)?.shown.direction ?? []).map((each) => wordsIn(each, part));
  return words.filter((word) => word !== '').join(' ');
}

function wordsIn({ of, as, given, absent }: ShownWords, part: (field: string) => string): string {
  if (given !== undefined && part(given) === '') return '';
  if (absent !== undefined && part(absent) !== '') return '';
  const value = of
    .map(part)
    .filter((word) => word !== '')
    .join(' ');
  return as !== undefined && Object.hasOwn(as, value) ? (as[value] ?? '') : value;
}

/** The clientOid that a playbook gives an order; '' for a derived one, and for a write that places none. */
export function givenName(operation: OperationName | undefined, input: Json | undefined): string {
  const key = keyedWriteOf(operation) && operation && operationOf(operation).key;
  const name = key === undefined ? '' : wordAt(input, key);
  return isOurName(name) ? '' : name;
}

function termWords(
  term: ShownTerm,
  { fields }: KeyedWrite,
  part: (field: string) => string,
): readonly string[] {
  switch (term.kind) {
    case 'value':
      return [part(term.field)];
    case 'named':
      return [named(term.name, part(term.field), term.initially ?? '')];
    case 'flag': {
      const value = part(term.field);
      return [value === term.value ? term.words : named(term.field, value, term.initially)];
    }
    case 'trigger':
      return [trigger(term.name, part(term.price), part(term.executed))];
    case 'line': {
      const line = typeof fields.line === 'string' ? part(fields.line) : fields.line.always;
      return lineTerms(line, fields.coin === undefined ? '' : part(fields.coin));
    }
  }
}

/** The product line, unless it is the default, and the margin coin, unless it is that of the line. */
function lineTerms(given: string, marginCoin: string): string[] {
  const line = given === '' ? usualLine : given;
  const coin = named('margin in', marginCoin, usualCoins.get(line) ?? '');
  return [line === usualLine ? '' : line, coin];
}

const usualLine = 'USDT-FUTURES';
const usualCoins: ReadonlyMap<string, string> = new Map([
  ['USDT-FUTURES', 'USDT'],
  ['USDC-FUTURES', 'USDC'],
]);

function named(name: string, value: string, initially: string): string {
  return value === '' || value === initially ? '' : `${name} ${value}`;
}

/** A preset with its trigger price and its execution price. */
function trigger(name: string, price: string, executed: string): string {
  const order = executed === '' ? 'at market' : `executed @ ${groupedNumber(executed)}`;
  if (price !== '') return `${name} ${groupedNumber(price)} ${order}`;
  return executed === '' ? '' : `${name} without a trigger price, ${order}`;
}

/** The fields that have words of their text; every other one is shown with its name. */
function fieldsShown(operation: OperationName, { fields, shown }: KeyedWrite): readonly string[] {
  const { line, ...others } = fields;
  return [
    ...Object.values(others),
    ...(typeof line === 'string' ? [line] : []),
    operationOf(operation).key ?? '',
    ...shown.direction.flatMap(({ of }) => of),
    ...shown.terms.flatMap(fieldsOf),
  ];
}

function fieldsOf(term: ShownTerm): readonly string[] {
  switch (term.kind) {
    case 'value':
    case 'named':
    case 'flag':
      return [term.field];
    case 'trigger':
      return [term.price, term.executed];
    case 'line':
      return [];
  }
}
