/** Settings of a project's state store. */
import { minute, second, type Millis } from '../base/clock.ts';
import type { SecretSource } from '../base/secret-source.ts';

/** `sharesPace`: whether machines keep limits by IP address, and limits of reads, together; default: no. */
export type StateSettings =
  /** The state folder of this machine. */
  | { readonly store: 'local' }
  /** A ref in the project's repository. */
  | {
      readonly store: 'git';
      /** Name or address of a remote. */
      readonly remote: string;
      readonly ref: string;
      /** The ref is the default: the former location is checked, too. */
      readonly isDefault?: true;
      /** The link of its first line; without it every start is accepted. */
      readonly root?: string;
      /** How long a claim is valid without renewal. */
      readonly lease: Millis;
      /** The author of commits; default: from the environment or git's settings. */
      readonly name?: string;
      readonly email?: string;
    }
  /** A Postgres database. */
  | {
      readonly store: 'postgres';
      readonly url: UrlSource;
      /** How long a run is taken without renewal, by the database's clock. */
      readonly lease: Millis;
      readonly sharesPace?: true;
    }
  /** A Restate server, and the service of deskhand that it calls. */
  | {
      readonly store: 'restate';
      /** Of its ingress. */
      readonly url: UrlSource;
      /** As of Postgres, by the clock of the service. */
      readonly lease: Millis;
      /** URL at which the server reaches the service. */
      readonly service: string;
      /** URL of its admin API; default: port 9070 of the first host in `url`. */
      readonly admin?: string;
      readonly sharesPace?: true;
    };

/** Stores over a database, which have a queue. */
export type DatabaseSettings = Extract<StateSettings, { readonly url: UrlSource }>;

export function isDatabase(state: StateSettings): state is DatabaseSettings {
  return 'url' in state;
}

/** Where the address of a database is, or the address itself if it contains no password. */
export type UrlSource = SecretSource | { readonly kind: 'given'; readonly url: string };

export const postgresDefaults = { lease: 4 * second } as const;

export const restateDefaults = { lease: 4 * second, service: 'http://127.0.0.1:9080' } as const;

export const gitDefaults = {
  remote: 'origin',
  /** A branch: hosts protect only branches. */
  ref: 'refs/heads/deskhand-state',
  /** The default of earlier versions. */
  formerRef: 'refs/deskhand/state',
  lease: 5 * minute,
} as const;

/** The witness of a state: next to it, a branch for a branch. */
export function witnessOf(ref: string): string {
  return `${ref}-witness`;
}
