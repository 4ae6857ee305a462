/** Fields that are accepted and ignored: marked in the API, refused or explained before a run. */
import { expect, test } from 'vitest';
import { day } from '../../../src/base/clock.ts';
import { checkInput, fieldsOf, inputProblems } from '../../../src/exchange/api/check.ts';
import { ignoredFields } from '../../../src/exchange/api/ignored.ts';
import {
  operationNames,
  operationOf,
  type Input,
  type OperationName,
} from '../../../src/exchange/api/operations/index.ts';
import { loadPlaybook } from '../../../src/language/load.ts';
import { handle } from '../../../src/sandbox/handlers/index.ts';
import { Refusal } from '../../../src/sandbox/refusal.ts';
import { newWorld } from '../../../src/sandbox/world/genesis.ts';
import { timeFrom } from '../../../src/sandbox/world/time.ts';

const now = Date.UTC(2026, 10, 20, 4);
const time = timeFrom('frozen', { at: now, wall: now, speed: 1 });
const world = newWorld({ origin: { seed: 1, born: now, generation: 0 }, time, limits: true });

const onewayUid = '7000000001';
const agentUid = '7000000004';

const { orderId = '' } = world.command(
  {
    kind: 'place',
    uid: onewayUid,
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    side: 'buy',
    orderType: 'limit',
    size: '0.01',
    price: '30000',
  },
  now,
);

/** A value for every field of every operation. */
const values: Readonly<Record<string, string>> = {
  accountMode: 'unified',
  businessType: 'trans_from_exchange',
  category: 'USDT-FUTURES',
  clientOid: 'every-field',
  coin: 'USDT',
  cursor: '9',
  endTime: String(now),
  force: 'gtc',
  holdSide: 'long',
  idLessThan: '9',
  leverage: '5',
  limit: '10',
  marginCoin: 'USDT',
  marginMode: 'crossed',
  note: 'n',
  onlyFunding: 'no',
  orderId,
  orderType: 'limit',
  pageNo: '1',
  pageSize: '10',
  posSide: 'long',
  price: '30000',
  productId: '1001',
  productType: 'USDT-FUTURES',
  qty: '0.01',
  reduceOnly: 'NO',
  referralCode: 'r',
  side: 'buy',
  size: '0.01',
  slOrderType: 'limit',
  slTriggerBy: 'mark',
  status: 'live',
  startTime: String(now - 29 * day),
  stpMode: 'none',
  symbol: 'BTCUSDT',
  timeInForce: 'gtc',
  tpOrderType: 'limit',
  tpTriggerBy: 'mark',
  tradeSide: 'open',
  uid: '1',
  username: 'desk',
};

/** The fields that the sandbox never reads, with all other fields present or one missing. */
function unread(name: OperationName): readonly string[] {
  const fields = fieldsOf(name);
  const read = new Set<string>();
  let isChecked = false;
  for (const omitted of ['', ...fields]) {
    const input: Record<string, string> = {};
    for (const field of fields.filter((other) => other !== omitted)) {
      Object.defineProperty(input, field, {
        enumerable: true,
        get: () => {
          if (isChecked) read.add(field);
          return valueOf(name, field);
        },
      });
    }
    isChecked = false;
    if (inputProblems(name, input).length > 0) continue; // it is required
    checkInput(name, input);
    isChecked = true;
    ask(name, input);
  }
  return fields.filter((field) => !read.has(field));
}

/** The unified family writes some words in lower case. */
function valueOf(name: OperationName, field: string): string {
  const value = values[field] ?? '1';
  return name.startsWith('trade/') && field === 'reduceOnly' ? value.toLowerCase() : value;
}

function ask<N extends OperationName>(name: N, input: Input<N>): void {
  const caller = { uid: name.startsWith('agent/') ? agentUid : onewayUid };
  try {
    handle(name, input, { world, now, caller, lagMs: 0 });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error; // a refusal has read the refused field
  }
}

test.each(operationNames)(
  '%s: a parameter that the sandbox never reads is marked as ignored',
  (name) => {
    const always = (operationOf(name).ignored ?? [])
      .filter((rule) => rule.when === undefined && rule.unless === undefined)
      .flatMap(({ fields }) => fields);
    expect(unread(name)).toEqual(always);
  },
);

test.each(operationNames)('%s: every ignored parameter is a parameter of the operation', (name) => {
  for (const { fields, when = {}, unless = {} } of operationOf(name).ignored ?? []) {
    const named = [...fields, ...Object.keys(when), ...Object.keys(unless)];
    expect(fieldsOf(name)).toEqual(expect.arrayContaining(named));
  }
});

const warningsFor = (uses: string, fields: string): readonly string[] =>
  loadPlaybook(
    `playbook: 1\nname: test\ninputs: { s: { type: text, default: BTCUSDT } }\nsteps:\n  - uses: ${uses}\n    with: { ${fields} }\n`,
    'ignored.yaml',
  )
    .problems.filter(({ code }) => code === 'PB209')
    .map(({ level, message }) => `${level}: ${message}`);

const order =
  'symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT, size: "1", side: buy';

test.each([
  ['symbol: BTCUSDT', 'symbol'],
  ['symbol: "{{ inputs.s }}"', 'symbol'],
  ['marginCoin: USDT', 'marginCoin'],
  ['holdSide: long', 'holdSide'],
])('leverage of one symbol or side is refused: %s', (field, name) => {
  const fields = `productType: USDT-FUTURES, leverage: "5", ${field}`;
  expect(warningsFor('futures/set-all-leverage', fields)).toEqual([
    `error: ${name} is ignored: the leverage of every symbol of productType with a position is set`,
  ]);
});

test.each([
  ['futures/list-bills', 'productType: USDT-FUTURES, coin: USDT', ['coin']],
  ['futures/list-bills', 'productType: USDT-FUTURES, coin: USDT, businessType: buy', ['coin']],
  ['loan/list-orders', 'orderId: "1", startTime: "{{ daysAgo 9 }}"', ['startTime']],
  [
    'futures/place-order',
    `${order}, orderType: market, price: "1", force: gtc`,
    ['price', 'force'],
  ],
  [
    'futures/place-order',
    `${order}, orderType: market, tradeSide: close, presetStopLossPrice: "1"`,
    ['presetStopLossPrice'],
  ],
  [
    'futures/place-order',
    `${order}, orderType: market, reduceOnly: "YES", presetStopSurplusPrice: "1"`,
    ['presetStopSurplusPrice'],
  ],
  [
    'futures/place-order',
    `${order}, orderType: market, presetStopLossExecutePrice: "1"`,
    ['presetStopLossExecutePrice'],
  ],
])('%s is explained: %s', (uses, fields, names) => {
  expect(warningsFor(uses, fields).map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual(
    names.map((name) => `warning: ${name} is`),
  );
});

test.each([
  ['futures/list-bills', 'productType: USDT-FUTURES, coin: USDT, businessType: trans_to_exchange'],
  ['futures/list-bills', 'productType: USDT-FUTURES, coin: USDT, businessType: "{{ inputs.s }}"'],
  ['futures/list-bills', 'productType: USDT-FUTURES, coin: null'],
  ['futures/list-bills', 'productType: USDT-FUTURES, coin: ""'],
  ['loan/list-orders', 'startTime: "{{ daysAgo 9 }}"'],
  ['futures/set-all-leverage', 'productType: USDT-FUTURES, leverage: "5", symbol: null'],
  [
    'futures/place-order',
    `${order}, orderType: market, tradeSide: open, presetStopLossPrice: "1", presetStopLossExecutePrice: "1"`,
  ],
])('%s: a field that has an effect, or is omitted, is not reported: %s', (uses, fields) => {
  expect(warningsFor(uses, fields)).toEqual([]);
});

test('checks an input whose values are all known, as in call', () => {
  const input = { productType: 'USDT-FUTURES', leverage: '5', symbol: 'BTCUSDT' };
  expect(
    ignoredFields('futures/set-all-leverage', input, Object.keys(input)).map(({ field }) => field),
  ).toEqual(['symbol']);
});
