/** Accounts of a scenario: accounts, keys, money, an agent's customers. */
import { choice, described, list, optional, record, text } from '../../exchange/api/schema.ts';
import { coinName, decimalText, millisText, symbolName } from '../../exchange/api/vocabulary.ts';
import { closed, flag, permissions, positionModes, walletTypes, uid } from './words.ts';

export const account = record(
  {
    uid: text({ format: 'id', maxLength: 20, description: 'New account' }), // responses contain it as an id
    parent: optional(described('Main account of a sub-account', uid)),
    positionMode: optional(choice(positionModes)),
  },
  closed,
);

export const key = record(
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

export const transfer = record(
  {
    uid,
    coin: coinName('Coin'),
    amount: decimalText('Negative amounts are removed'),
    walletType: optional(
      choice(walletTypes, { description: 'Wallet that gets money from outside' }),
    ),
    from: optional(choice(walletTypes)),
    to: optional(choice(walletTypes)),
    toUid: optional(uid),
  },
  closed,
);

export const referral = record(
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
