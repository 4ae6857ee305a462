/** New accounts of a private world, for profiles that the test does not describe. */
import { Secret } from '../../base/secret.ts';
import { permissions } from '../../sandbox/scenario/words.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Credentials } from '../../sandbox/world/initial-accounts.ts';
import { fortune } from '../../sandbox/world/genesis.ts';

const firstUid = 7_400_000_000; // far above those of the default world and their sub-accounts

/** Accounts in hedge mode with money, opened for profiles when they are named. */
export class NewAccounts {
  /** Names of the profiles that have an account, by its uid. */
  readonly uids = new Map<string, string>();
  readonly #known = new Map<string, Credentials>();
  readonly #sandbox: Sandbox;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  of(name: string): Credentials {
    const known = this.#known.get(name) ?? this.#open(name);
    this.#known.set(name, known);
    return known;
  }

  #open(name: string): Credentials {
    const uid = String(firstUid + this.uids.size);
    const [apiKey, secretKey, passphrase] = [
      `key-of-${uid}`,
      `secret-of-${uid}`,
      `words-of-${uid}`,
    ];
    const add = (path: string, fields: object): unknown =>
      this.#sandbox.control('POST', path, { uid, ...fields });
    add('accounts', { positionMode: 'hedge_mode' });
    add('keys', { apiKey, secretKey, passphrase, permissions });
    for (const money of fortune) add('transfers', money);
    this.uids.set(uid, name);
    return {
      uid,
      apiKey: new Secret(apiKey),
      secretKey: new Secret(secretKey),
      passphrase: new Secret(passphrase),
    };
  }
}
