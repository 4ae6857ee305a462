/** The shape of a scenario: the whole setting of a rehearsal in one file. */
import type { Permission } from '../../contract/operation.ts';
import { operationNames } from '../../contract/operations/index.ts';
import { loanOrder, loanProduct } from '../../contract/resources/loan.ts';
import { taxRecord } from '../../contract/resources/tax-record.ts';
import {
  choice,
  described,
  integer,
  list,
  optional,
  record,
  text,
  type Infer,
  type JsonSchema,
  type Schema,
} from '../../contract/schema.ts';
import {
  coinName,
  decimalText,
  deliveryStatuses,
  demoLines,
  futuresLines,
  millisText,
  orderCategories,
  orderType,
  selfTradeMode,
  side,
  symbolName,
  tickerCategories,
  timeInForce,
  yesNo,
} from '../../contract/vocabulary.ts';
import { faultKinds } from '../faults/rules.ts';
import { timeModes } from '../world/time.ts';

const closed = { additionalProperties: false };
const flag = (description: string): Schema<boolean> => ({ json: { type: 'boolean', description } });
const number = (json: JsonSchema): Schema<number> => ({ json: { type: 'number', ...json } });
const uid = text({ minLength: 1, description: 'Account' });
const ratio = (description: string) => optional(decimalText(description));

export const purses = [...orderCategories, ...demoLines] as const;
export const positionModes = ['one_way_mode', 'hedge_mode'] as const;
export const permissions: readonly [Permission, ...Permission[]] = [
  'account-read',
  'account-write',
  'trade-read',
  'trade-write',
  'agent',
];

/** A moment from now: `10m`, or milliseconds. */
const later: Schema<string | number> = {
  json: {
    type: ['string', 'integer'],
    pattern: '^\\d{1,9}(ms|s|m|h|d)$',
    minimum: 0,
    description: 'How long after the scenario was loaded: 90s, 10m, 2h, 3d, or milliseconds',
  },
};

const clock = record(
  {
    mode: choice(timeModes),
    at: optional(integer({ minimum: 0, description: 'Business time to go to, Unix milliseconds' })),
    speed: optional(integer({ minimum: 1, description: 'How many times as fast, accelerated' })),
  },
  closed,
);

const duplicateRule: JsonSchema = {
  anyOf: [{ enum: ['reject', 'accept'] }, { type: 'integer', minimum: 0 }],
  description: 'A clientOid used again is refused, accepted, or refused for so many milliseconds',
};

const config = record(
  {
    limits: optional(flag('Whether rate limits are in force')),
    pageOverflow: optional(choice(['reject', 'clamp'])),
    duplicateClientOid: optional({ json: duplicateRule }),
    matchDelayMs: optional(integer({ minimum: 0 })),
    quirks: optional(
      record(
        {
          customerUidNumber: optional(flag('Endpoint 5 answers uid as a number')),
          coinLeverageList: optional(flag('Endpoint 1 answers Coin-M leverage as a list')),
          lowerCaseSides: optional(flag('Endpoint 13 writes sides in lower case')),
          splitFamilies: optional(flag('A key serves v2 paths or v3 paths, never both')),
        },
        closed,
      ),
    ),
  },
  closed,
);

export const instrument = record(
  {
    category: choice(tickerCategories),
    symbol: symbolName,
    baseCoin: coinName('Base coin'),
    quoteCoin: coinName('Quote coin'),
    marginCoin: optional(coinName('Margin coin; the quote coin, on COIN-FUTURES the base coin')),
    price: decimalText('Price around which it moves'),
    priceScale: integer({ minimum: 0, maximum: 8, description: 'Decimal places of a price' }),
    sizeScale: integer({ minimum: 0, maximum: 8, description: 'Decimal places of a size' }),
    priceStep: optional(integer({ minimum: 1, description: 'In units of the last place' })),
    sizeStep: optional(integer({ minimum: 1, description: 'In units of the last place' })),
    sizeMin: ratio('Smallest order'),
    sizeMax: ratio('Largest order'),
    notionalMin: ratio('Least price × size'),
    leverageMax: optional(integer({ minimum: 1, maximum: 125 })),
    makerFee: ratio('As a ratio'),
    takerFee: ratio('As a ratio'),
    priceBand: ratio('How far from the mark a limit may stand, as a ratio'),
    dailySpread: optional(
      number({ minimum: 0, maximum: 1, description: 'How much it moves in a day, as a ratio' }),
    ),
    typicalLots: optional(integer({ minimum: 1, description: 'A middling trade, in size units' })),
    delivery: optional(
      record(
        { startTime: integer({ minimum: 0 }), time: integer({ minimum: 0 }) },
        { ...closed, description: 'When it is listed and delivered, Unix milliseconds' },
      ),
    ),
  },
  closed,
);

const account = record(
  {
    uid,
    parent: optional(described('Main account of a sub-account', uid)),
    positionMode: optional(choice(positionModes)),
  },
  closed,
);

const key = record(
  {
    uid,
    apiKey: text({ minLength: 1 }),
    secretKey: optional(text({ minLength: 1 })),
    publicKey: optional(text({ minLength: 1, description: 'PEM of an RSA key' })),
    passphrase: text({ minLength: 1 }),
    permissions: list(choice(permissions)),
    leads: optional(list(symbolName, { description: 'Symbols a copy-trading leader may lead' })),
    addresses: optional(list(text())),
    environment: optional(choice(['live', 'demo'])),
    family: optional(choice(['classic', 'unified'])),
    isFrozen: optional(flag('Whether the account is frozen')),
  },
  closed,
);

const transfer = record(
  {
    uid,
    coin: coinName('Coin'),
    amount: decimalText('Negative takes away'),
    purse: optional(choice(purses, { description: 'Wallet that gets money from outside' })),
    from: optional(choice(purses)),
    to: optional(choice(purses)),
    toUid: optional(uid),
  },
  closed,
);

const priceOrChance: Schema<string | null> = {
  json: {
    type: ['string', 'null'],
    format: 'decimal',
    description: 'null gives it back to chance',
  },
};
const named = { category: choice(tickerCategories), symbol: symbolName };

const market = record(
  {
    ...named,
    price: optional(priceOrChance),
    mark: optional(priceOrChance),
    fundingRate: ratio('As a ratio; may be negative'),
    deliveryStatus: optional(choice(deliveryStatuses)),
    deliver: optional(flag('Settle every position now')),
  },
  closed,
);

const order = record(
  {
    uid,
    category: choice(orderCategories),
    symbol: symbolName,
    side,
    orderType,
    size: decimalText('Quantity'),
    price: optional(decimalText('Limit price')),
    clientOid: optional(text({ minLength: 1 })),
    force: optional(timeInForce),
    stpMode: optional(selfTradeMode),
    marginMode: optional(choice(['isolated', 'crossed'])),
    marginCoin: optional(coinName('Margin coin')),
    tradeSide: optional(choice(['open', 'close'])),
    reduceOnly: optional(yesNo),
    presetStopSurplusPrice: optional(decimalText('Take-profit trigger')),
    presetStopSurplusExecutePrice: optional(decimalText('Take-profit price')),
    presetStopLossPrice: optional(decimalText('Stop-loss trigger')),
    presetStopLossExecutePrice: optional(decimalText('Stop-loss price')),
  },
  closed,
);

const fault = record(
  {
    match: optional(
      record(
        {
          operation: optional(choice(operationNames)),
          uid: optional(uid),
          nth: optional(integer({ minimum: 1 })),
          probability: optional(number({ minimum: 0, maximum: 1 })),
        },
        closed,
      ),
    ),
    when: optional(choice(['before', 'after-commit'])),
    times: optional(integer({ minimum: 1 })),
    action: record(
      {
        kind: choice(faultKinds),
        status: optional(integer({ minimum: 200, maximum: 599 })),
        code: optional(text()),
        ms: optional(integer({ minimum: 0 })),
        everyMs: optional(integer({ minimum: 0 })),
      },
      closed,
    ),
  },
  closed,
);

const referral = record(
  {
    agent: described('Agent that referred the customer', uid),
    uid: text({ format: 'id', description: 'Customer' }),
    registerTime: millisText('Registration, Unix milliseconds'),
    referralCode: optional(text({ minLength: 1 })),
    balance: optional(decimalText('What the customer holds')),
    volumes: optional(
      list(
        record({ time: millisText('A moment of the day'), volumn: decimalText('Volume') }, closed),
      ),
    ),
  },
  closed,
);

const event = record(
  {
    after: later,
    price: optional(record({ ...named, price: priceOrChance }, closed)),
    order: optional(order),
    deliver: optional(record({ category: choice(futuresLines), symbol: symbolName }, closed)),
    faults: optional(list(fault)),
  },
  closed,
);

export const scenario = record(
  {
    version: integer({ enum: [1] }),
    description: optional(text()),
    clock: optional(described('The world’s clock', clock)),
    config: optional(described('How strict, and how odd, the exchange is', config)),
    instruments: optional(list(instrument, { description: 'Symbols beside those that are there' })),
    accounts: optional(list(account, { description: 'Accounts to open' })),
    keys: optional(list(key, { description: 'Keys of accounts' })),
    transfers: optional(list(transfer, { description: 'Money, from outside or between wallets' })),
    market: optional(list(market, { description: 'Prices by hand, funding, phases of delivery' })),
    orders: optional(list(order, { description: 'Orders as endpoint 6 has them, of any account' })),
    referrals: optional(list(referral, { description: 'Customers of an agent' })),
    loanProducts: optional(list(loanProduct, { description: 'Rows of endpoint 1' })),
    loans: optional(list(loanOrder, { description: 'Rows of endpoint 7' })),
    p2p: optional(
      list(record({ uid, records: list(taxRecord) }, closed), {
        description: 'Rows of endpoint 14, by account',
      }),
    ),
    faults: optional(list(fault, { description: 'Which requests go wrong, and how' })),
    events: optional(list(event, { description: 'What happens later, in business time' })),
  },
  {
    ...closed,
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A scenario of the sandbox exchange',
  },
);

export type Scenario = Infer<typeof scenario>;
