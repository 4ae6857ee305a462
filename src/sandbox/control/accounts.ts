/** Control of accounts and money: accounts, keys, wallets, the ledger. */
import { choice, record, type Infer } from '../../exchange/api/schema.ts';
import { futuresProductTypes } from '../../exchange/api/vocabulary.ts';
import { isPublicKey, type KeyRecord } from '../gateway/api-keys.ts';
import { Refusal } from '../refusal.ts';
import { account, key, transfer } from '../scenario/people.ts';
import { closed, positionModes, uid } from '../scenario/words.ts';
import type { Store } from '../persistence/world-store.ts';
import { modesOf } from '../world/initial-accounts.ts';
import { asking, askingOne, type ControlTable } from './control-context.ts';

export const accountControls: ControlTable = {
  accounts: {
    GET: (_fields, { store }) => [...store.world().engine.accounts()],
    POST: asking(account, (fields, { store }) => openAccount(fields, store)),
  },
  'accounts/mode': {
    POST: asking(
      record({ uid, positionMode: choice(positionModes) }, closed),
      (fields, { store }) => {
        const command = {
          kind: 'set-position-mode',
          productTypes: futuresProductTypes,
          ...fields,
        } as const;
        store.commit({ kind: 'command', command });
        return store.world().engine.account(fields.uid);
      },
    ),
  },
  keys: {
    GET: (_fields, { store }) => store.world().registry.keys,
    POST: asking(key, (fields, { store }) => addKey(fields, store)),
  },
  transfers: {
    GET: (_fields, { store }) => [...store.world().engine.transfers()],
    POST: asking(transfer, (fields, { store }) => moveMoney(fields, store)),
  },
  wallets: {
    GET: askingOne((name, { store }) => store.world().engine.wallets(name)),
  },
  ledger: {
    GET: (_fields, { store }) => [...store.world().engine.ledger()],
  },
};

export function openAccount(
  { uid: name, parent, positionMode = 'one_way_mode' }: Infer<typeof account>,
  store: Store,
): unknown {
  store.commit({
    kind: 'command',
    command: {
      kind: 'open-account',
      uid: name,
      accountKind: parent === undefined ? 'main' : 'virtual-sub',
      positionModes: modesOf(positionMode),
      ...(parent !== undefined && { parent }),
    },
  });
  return store.world().engine.account(name);
}

export function addKey(given: Infer<typeof key>, store: Store): KeyRecord {
  const { uid: name, secretKey, publicKey } = given;
  const owner = store.world().engine.account(name);
  if (owner === undefined) throw new Refusal('40020', `no account ${name}`);
  if (publicKey !== undefined && !isPublicKey(publicKey)) {
    throw new Refusal('40020', 'publicKey must be an RSA public key in PEM');
  }
  if (secretKey === undefined && publicKey === undefined) {
    throw new Refusal('40019', 'secretKey or publicKey');
  }
  const isSub = owner.parent !== undefined;
  const made: KeyRecord = { environment: 'live', isFrozen: false, ...given, isSub };
  store.commit({ kind: 'key', key: made });
  return made;
}

/**
 * Moves money: a deposit with `walletType`, a transfer between two wallets with `from` and `to`.
 */
export function moveMoney(
  { walletType, from, to, toUid, ...money }: Infer<typeof transfer>,
  store: Store,
): unknown {
  if (walletType !== undefined) {
    if ((from ?? to ?? toUid) !== undefined) {
      throw new Refusal('40020', 'give walletType, or from and to, but not both');
    }
    store.commit({ kind: 'command', command: { kind: 'credit', walletType, ...money } });
  } else {
    if (from === undefined || to === undefined)
      throw new Refusal('40019', 'walletType, or from and to');
    const between = { from, to, ...(toUid !== undefined && { toUid }) };
    store.commit({ kind: 'command', command: { kind: 'transfer', ...between, ...money } });
  }
  return store.world().engine.wallets(money.uid);
}
