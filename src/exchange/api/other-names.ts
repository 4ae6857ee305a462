/** Names and values of other tools and exchanges, with those of this interface. */
import { fieldOf } from '../../base/json.ts';
import type { InputProblem } from './exchange.ts';

/** Fields by their names elsewhere, in lower case without dashes and underscores; the first that the operation has is meant. */
const fields: Readonly<Record<string, readonly string[]>> = {
  amount: ['size'],
  quantity: ['size'],
  qty: ['size'],
  volume: ['size'],
  contracts: ['size'],
  type: ['orderType'],
  ordtype: ['orderType'],
  timeinforce: ['force'],
  tif: ['force'],
  positionside: ['tradeSide', 'posSide'],
  posside: ['tradeSide'],
  holdside: ['tradeSide'],
  clientorderid: ['clientOid'],
  newclientorderid: ['clientOid'],
  clordid: ['clientOid'],
  cloid: ['clientOid'],
  orderlinkid: ['clientOid'],
  limitprice: ['price'],
  px: ['price'],
  rate: ['price'],
  sz: ['size'],
  takeprofit: ['presetStopSurplusPrice'],
  takeprofitprice: ['presetStopSurplusPrice'],
  stoploss: ['presetStopLossPrice'],
  stoplossprice: ['presetStopLossPrice'],
  margintype: ['marginMode'],
  tdmode: ['marginMode'],
  pair: ['symbol'],
  market: ['symbol', 'category', 'productType'],
  instrument: ['symbol'],
  instid: ['symbol'],
  ticker: ['symbol'],
  currency: ['coin', 'marginCoin'],
  asset: ['coin', 'marginCoin'],
  ccy: ['coin', 'marginCoin'],
  category: ['productType'],
  producttype: ['category'],
  insttype: ['category', 'productType'],
  since: ['startTime'],
  start: ['startTime'],
  from: ['startTime'],
  starttimestamp: ['startTime'],
  until: ['endTime'],
  end: ['endTime'],
  to: ['endTime'],
  lever: ['leverage'],
  subname: ['username'],
  subaccountname: ['username'],
};

/** The field of an operation that another tool names so. */
export function fieldNamed(name: string, known: readonly string[]): string | undefined {
  const meant = fields[name.toLowerCase().replaceAll(/[-_]/g, '')] ?? [];
  return meant.find((field) => known.includes(field));
}

/** Values by their form elsewhere, in lower case. */
const values: Readonly<Record<string, readonly string[]>> = {
  true: ['YES', 'yes'],
  yes: ['YES', 'yes'],
  false: ['NO', 'no'],
  no: ['NO', 'no'],
  cross: ['crossed'],
  umcbl: ['USDT-FUTURES'],
  linear: ['USDT-FUTURES'],
  perpetual: ['USDT-FUTURES'],
  swap: ['USDT-FUTURES'],
  futures: ['USDT-FUTURES'],
  'usdt-m': ['USDT-FUTURES'],
  dmcbl: ['COIN-FUTURES'],
  inverse: ['COIN-FUTURES'],
  'coin-m': ['COIN-FUTURES'],
  cmcbl: ['USDC-FUTURES'],
  postonly: ['post_only'],
  'post-only': ['post_only'],
  po: ['post_only'],
  gtx: ['post_only'],
  long: ['buy'],
  short: ['sell'],
  bid: ['buy'],
  ask: ['sell'],
};

/** The value of a closed set that a value of another tool means; case is ignored as well. */
export function valueMeant(value: unknown, allowed: readonly string[]): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'boolean') return undefined;
  const word = String(value).toLowerCase();
  const same = allowed.find((each) => each.toLowerCase() === word);
  return same ?? values[word]?.find((each) => allowed.includes(each));
}

/** The symbol that `BTC/USDT:USDT`, `BTC-USDT-SWAP` or `BTCUSDT_UMCBL` means; undefined for any other text. */
function symbolMeant(value: string): string | undefined {
  const upper = value.toUpperCase();
  const [, base, quote, settle] =
    /^([^/\s]+)\/([^/:\s]+)(?::([^-\s]+).*)?$/.exec(upper) ??
    /^([A-Z0-9]+)[-_](USDT|USDC|USD)(?:[-_](?:SWAP|PERP|PERPETUAL))?$/.exec(upper) ??
    /^([A-Z0-9]+)(USDT|USDC|USD|PERP)_(?:[SUDC]?[UDC]MCBL|SPBL)$/.exec(upper) ??
    [];
  if (base === undefined || quote === undefined) return undefined;
  return settle === 'USDC' ? `${base}PERP` : `${base}${quote}`;
}

/**
 * The problems with hints: if the value of a closed set is another name of an allowed one, the hint is
 * the allowed one.
 */
export function withMeanings(problems: readonly InputProblem[], input: unknown): InputProblem[] {
  return problems.map((problem) => {
    const { keyword, path, allowed = [], hint } = problem;
    const [field = ''] = path.map(String);
    const meant = keyword === 'enum' ? valueMeant(fieldOf(input, field), allowed) : undefined;
    if (meant === undefined || hint !== undefined) return problem;
    return { ...problem, hint: `write ${field}: ${meant}` };
  });
}

/** Problems of symbols in the form of another tool, to which this exchange would answer "does not exist". */
export function symbolsOfOthers(names: readonly string[], input: unknown): InputProblem[] {
  return names.flatMap((field): InputProblem[] => {
    const value = fieldOf(input, field);
    const meant = typeof value === 'string' ? symbolMeant(value) : undefined;
    if (meant === undefined) return [];
    const message = `${field} must have base and quote joined, as BTCUSDT`;
    return [{ path: [field], keyword: 'rule', message, hint: `write ${meant}` }];
  });
}
