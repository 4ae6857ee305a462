/** The format of a scenario: a complete setup in one file. */
import { loanOrder, loanProduct } from '../../exchange/api/resources/loan.ts';
import { taxRecord } from '../../exchange/api/resources/tax-record.ts';
import {
  choice,
  described,
  integer,
  list,
  optional,
  record,
  text,
  type Infer,
  type Schema,
} from '../../exchange/api/schema.ts';
import { futuresProductTypes, symbolName } from '../../exchange/api/vocabulary.ts';
import { fault } from './fault.ts';
import { account, key, referral, transfer } from './people.ts';
import { clock, config } from './settings.ts';
import { instrument, market, named, order, priceOrChance } from './trading.ts';
import { closed, uid } from './words.ts';

/** A moment from now: `10m`, or milliseconds. */
const later: Schema<string | number> = {
  json: {
    type: ['string', 'integer'],
    pattern: '^\\d{1,9}(ms|s|m|h|d)$',
    patternErrorMessage: 'must be a duration such as 90s, 10m or 2h',
    minimum: 0,
    description: 'How long after the scenario was loaded: 90s, 10m, 2h, 3d, or milliseconds',
  },
};

const event = record(
  {
    after: later,
    price: optional(record({ ...named, price: priceOrChance }, closed)),
    order: optional(order),
    deliver: optional(
      record({ category: choice(futuresProductTypes), symbol: symbolName }, closed),
    ),
    faults: optional(list(fault)),
  },
  closed,
);

export const scenario = record(
  {
    version: integer({ enum: [1] }),
    description: optional(text()),
    clock: optional(described('The world’s clock', clock)),
    config: optional(described('Strictness and quirks of the exchange', config)),
    instruments: optional(list(instrument, { description: 'Additional symbols' })),
    accounts: optional(list(account, { description: 'Accounts to open' })),
    keys: optional(list(key, { description: 'Keys of accounts' })),
    transfers: optional(list(transfer, { description: 'Money, from outside or between wallets' })),
    market: optional(list(market, { description: 'Prices, funding, phases of delivery' })),
    orders: optional(
      list(order, { description: 'Orders of any account, with the fields of endpoint 6' }),
    ),
    referrals: optional(list(referral, { description: 'Customers of an agent' })),
    loanProducts: optional(list(loanProduct, { description: 'Rows of endpoint 1' })),
    loans: optional(list(loanOrder, { description: 'Rows of endpoint 7' })),
    p2p: optional(
      list(record({ uid, records: list(taxRecord) }, closed), {
        description: 'Rows of endpoint 14, by account',
      }),
    ),
    faults: optional(list(fault, { description: 'Which requests fail, and how' })),
    events: optional(list(event, { description: 'Later events, in the world’s time' })),
  },
  {
    ...closed,
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A scenario of the sandbox exchange',
  },
);

export type Scenario = Infer<typeof scenario>;
