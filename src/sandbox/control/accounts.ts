/** Control of people and money: accounts, keys, wallets, positions, the ledger. */
import { futuresLines } from '../../contract/vocabulary.ts';
import { isPublicKey, type KeyRecord } from '../gateway/keys.ts';
import { Refusal } from '../refusal.ts';
import type { Store } from '../state/store.ts';
import { permissions, positionModes, purses } from '../scenario/words.ts';
import { modesOf } from '../world/accounts.ts';
import type { ControlTable } from './bench.ts';
import type { Fields } from './fields.ts';

export const accountControls: ControlTable = {
  accounts: {
    GET: (_fields, { store }) => [...store.world().engine.accounts()],
    POST: (fields, { store }) => openAccount(fields, store),
  },
  'accounts/mode': {
    POST: (fields, { store }) => {
      const uid = fields.text('uid');
      const positionMode = fields.choice('positionMode', positionModes);
      store.commit({
        kind: 'command',
        command: { kind: 'set-position-mode', uid, lines: futuresLines, positionMode },
      });
      return store.world().engine.account(uid);
    },
  },
  keys: {
    GET: (_fields, { store }) => store.world().registry.keys,
    POST: (fields, { store }) => addKey(fields, store),
  },
  transfers: {
    GET: (_fields, { store }) => [...store.world().engine.transfers()],
    POST: (fields, { store }) => moveMoney(fields, store),
  },
  positions: {
    GET: (fields, { store }) => store.world().engine.positions(fields.text('uid')),
  },
  wallets: {
    GET: (fields, { store }) => store.world().engine.wallets(fields.text('uid')),
  },
  ledger: {
    GET: (_fields, { store }) => [...store.world().engine.ledger()],
  },
};

export function openAccount(fields: Fields, store: Store): unknown {
  const uid = fields.text('uid');
  const parent = fields.optionalText('parent');
  store.commit({
    kind: 'command',
    command: {
      kind: 'open-account',
      uid,
      accountKind: parent === undefined ? 'main' : 'virtual-sub',
      positionModes: modesOf(
        fields.optionalChoice('positionMode', positionModes) ?? 'one_way_mode',
      ),
      ...(parent !== undefined && { parent }),
    },
  });
  return store.world().engine.account(uid);
}

export function addKey(fields: Fields, store: Store): KeyRecord {
  const uid = fields.text('uid');
  const account = store.world().engine.account(uid);
  if (account === undefined) throw new Refusal('40020', `no account ${uid}`);
  const secretKey = fields.optionalText('secretKey');
  const publicKey = fields.optionalText('publicKey');
  if (publicKey !== undefined && !isPublicKey(publicKey)) {
    throw new Refusal('40020', 'publicKey must be the public half of an RSA key in PEM');
  }
  if (secretKey === undefined && publicKey === undefined) {
    throw new Refusal('40019', 'secretKey or publicKey');
  }
  const family = fields.optionalChoice('family', ['classic', 'unified']);
  const key: KeyRecord = {
    uid,
    apiKey: fields.text('apiKey'),
    passphrase: fields.text('passphrase'),
    permissions: fields.choices('permissions', permissions),
    environment: fields.optionalChoice('environment', ['live', 'demo']) ?? 'live',
    isSub: account.parent !== undefined,
    isFrozen: fields.flag('isFrozen', false),
    ...(secretKey !== undefined && { secretKey }),
    ...(publicKey !== undefined && { publicKey }),
    ...(fields.has('leads') && { leads: fields.texts('leads') }),
    ...(fields.has('addresses') && { addresses: fields.texts('addresses') }),
    ...(family && { family }),
  };
  store.commit({ kind: 'key', key });
  return key;
}

/** From outside when only `purse` is named, between two wallets with `from` and `to`. */
export function moveMoney(fields: Fields, store: Store): unknown {
  const uid = fields.text('uid');
  const coin = fields.text('coin');
  const amount = fields.decimal('amount');
  if (fields.has('purse')) {
    const other = ['from', 'to', 'toUid'].find((name) => fields.has(name));
    if (other !== undefined) throw new Refusal('40020', `purse and ${other} together`);
    const purse = fields.choice('purse', purses);
    store.commit({ kind: 'command', command: { kind: 'credit', uid, purse, coin, amount } });
  } else {
    const from = fields.choice('from', purses);
    const to = fields.choice('to', purses);
    const toUid = fields.optionalText('toUid');
    const command = {
      kind: 'transfer',
      uid,
      from,
      to,
      coin,
      amount,
      ...(toUid && { toUid }),
    } as const;
    store.commit({ kind: 'command', command });
  }
  return store.world().engine.wallets(uid);
}
