/** The request of a write as text: its action, and every field that is not the default. */
import { isDecimalText } from '../base/decimal.ts';
import { isRecord, type Json } from '../base/json.ts';
import { grouped, plainText } from '../base/text.ts';
import { textAt } from './read-json.ts';

export interface RequestWords {
  /** The action of the request: `BTCUSDT open long 0.010 @ 61,500.0`. */
  readonly what: string;
  /**
   * The other fields: `post_only`, `crossed`, `take-profit 64,000 at market`; an unknown field by its name.
   */
  readonly terms: readonly string[];
}

/** The request of an order as text, with every field except `clientOid`, which is shown separately. */
export function orderRequest(input: Json | undefined): RequestWords {
  const part = (field: string): string => wordAt(input, field);
  const [price, orderType] = [part('price'), part('orderType')];
  const isAtMarket = orderType === 'market' || (price === '' && orderType !== 'limit');
  const at = isAtMarket ? 'at market' : `@ ${price === '' ? '(no price)' : groupedNumber(price)}`;
  const terms = [
    isAtMarket && price !== '' ? `price ${groupedNumber(price)}` : '',
    usualTypes.has(orderType) ? '' : `orderType ${orderType}`,
    part('force'),
    part('marginMode'),
    part('reduceOnly') === 'YES' ? 'reduce-only' : named('reduceOnly', part('reduceOnly'), 'NO'),
    trigger('take-profit', part('presetStopSurplusPrice'), part('presetStopSurplusExecutePrice')),
    trigger('stop-loss', part('presetStopLossPrice'), part('presetStopLossExecutePrice')),
    named('STP', part('stpMode'), 'none'),
    ...lineTerms(part('productType'), part('marginCoin')),
    ...restOf(input, orderFields),
  ];
  return {
    what: `${part('symbol')} ${directionOf(input)} ${groupedNumber(part('size'))} ${at}`,
    terms: terms.filter((term) => term !== ''),
  };
}

const orderFields: readonly string[] = [
  'symbol',
  'productType',
  'marginMode',
  'marginCoin',
  'size',
  'price',
  'side',
  'tradeSide',
  'orderType',
  'force',
  'clientOid',
  'reduceOnly',
  'stpMode',
  'presetStopSurplusPrice',
  'presetStopSurplusExecutePrice',
  'presetStopLossPrice',
  'presetStopLossExecutePrice',
];
const usualTypes: ReadonlySet<string> = new Set(['limit', 'market', '']);

/** The direction of an order: `open long` in hedge mode, `buy` in one-way mode. */
export function directionOf(input: Json | undefined): string {
  const [side, tradeSide] = [wordAt(input, 'side'), wordAt(input, 'tradeSide')];
  return tradeSide === '' ? side : `${tradeSide} ${hedgeSides.get(side) ?? side}`;
}

/** The directions in hedge mode, where `buy` names the long position, also for an order that closes it. */
const hedgeSides: ReadonlyMap<string, string> = new Map([
  ['buy', 'long'],
  ['sell', 'short'],
]);

/** The clientOid that a playbook gives an order; '' for a derived one. */
export function givenName(input: Json | undefined): string {
  const clientOid = wordAt(input, 'clientOid');
  return /^dh[a-z2-7]{26}$/.test(clientOid) ? '' : clientOid;
}

export function leverageRequest(input: Json | undefined): RequestWords {
  const terms = restOf(input, ['productType', 'leverage']);
  return { what: `leverage ${leverageWords(input)}`, terms };
}

/** The change of a leverage: `5× → 7×`; `?` for a value that is not known. */
export function leverageChange(was: string | undefined, input: Json | undefined): string {
  const before = was === undefined ? '?' : `${plainText(was, 20)}×`;
  return `${before} → ${wordAt(input, 'leverage')}×`;
}

/** The leverage that a request sets: `USDT-FUTURES 5×`. */
export function leverageWords(input: Json | undefined): string {
  return `${wordAt(input, 'productType')} ${wordAt(input, 'leverage')}×`;
}

export function subAccountRequest(input: Json | undefined): RequestWords {
  const terms = restOf(input, ['username']);
  return { what: `sub-account ${wordAt(input, 'username')}`, terms };
}

/** The product type, unless it is the default, and the margin coin, unless it is that of the product type. */
function lineTerms(productType: string, marginCoin: string): string[] {
  const line = productType === '' ? usualLine : productType;
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

/** The fields that have no text, each by its name. */
function restOf(input: Json | undefined, shown: readonly string[]): string[] {
  if (!isRecord(input)) return [];
  return Object.keys(input)
    .filter((field) => !shown.includes(field))
    .map((field) => `${plainText(field, 60)} ${wordAt(input, field) || '""'}`);
}

const wordMax = 100; // characters; the longest field of an order has 64

/** A field as text; in a plan its value may be known only after another step. */
export function wordAt(input: Json | undefined, field: string): string {
  if (!isRecord(input) || !Object.hasOwn(input, field)) return '';
  const value = input[field];
  if (typeof value === 'string') return plainText(value, wordMax);
  const after = textAt(value, 'known-after');
  return plainText(after === undefined ? JSON.stringify(value) : `(after ${after})`, wordMax);
}

/** Groups the digits of a plain number and leaves any other text unchanged. */
export function groupedNumber(text: string): string {
  return isDecimalText(text) ? grouped(text) : text;
}
