/** Settings of a project's state store. */
import { minute, second, type Millis } from '../base/clock.ts';
import type { SecretSource } from '../base/secret-source.ts';

/**
 * Settings of a store. `sharesPace`: whether machines keep limits by IP address, and limits of reads,
 * together; default: no.
 */
export type StateSettings =
  /** The state folder of this machine. */
  | { readonly store: 'local' }
  /** A ref in the project's repository. */
  | {
      readonly store: 'git';
      /** Name or address of the remote. */
      readonly remote: string;
      readonly ref: string;
      /** Whether the ref is the default: then the former location is checked, too. */
      readonly isDefault?: true;
      /** The link of the state's first line; without it every start is accepted. */
      readonly root?: string;
      /** How long a claim is valid without renewal. */
      readonly lease: Millis;
      /** The author of commits. Default: from the environment or git's settings. */
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
      /** The URL of the server's ingress. */
      readonly url: UrlSource;
      /** How long a run is taken without renewal, by the clock of the service. */
      readonly lease: Millis;
      /** URL at which the server reaches the service. */
      readonly service: string;
      /** URL of the server's admin API. Default: port 9070 of the first host in `url`. */
      readonly admin?: string;
      readonly sharesPace?: true;
    };

/** Stores over a database, which have a queue. */
export type DatabaseSettings = Extract<StateSettings, { readonly url: UrlSource }>;

export function isDatabase(state: StateSettings): state is DatabaseSettings {
  return 'url' in state;
}

/** The source of a database's address, or the address itself if it contains no password. */
export type UrlSource = SecretSource | { readonly kind: 'given'; readonly url: string };

export const postgresDefaults = { lease: 4 * second } as const;

export const restateDefaults = { lease: 4 * second, service: 'http://127.0.0.1:9080' } as const;

export const gitDefaults = {
  remote: 'origin',
  /** The default ref: a branch, because hosts protect only branches. */
  ref: 'refs/heads/deskhand-state',
  /** The default ref of earlier versions. */
  formerRef: 'refs/deskhand/state',
  lease: 5 * minute,
} as const;

/** The ref of a state's witness: next to the state, a branch for a branch. */
export function witnessOf(ref: string): string {
  return `${ref}-witness`;
}
