/** The store of deskhand.yaml: `state: { store: git, remote: origin, ref: refs/heads/deskhand-state }`. */
import { lengthIn, minute, second, type Millis } from '../../base/clock.ts';
import type { SecretSource } from '../../base/secret-source.ts';
import { listed } from '../../base/text.ts';
import { secretSourceIn } from './secret-source.ts';
import {
  gitDefaults,
  postgresDefaults,
  restateDefaults,
  witnessOf,
  type StateSettings,
} from '../../stores/settings.ts';
import { fieldsOf, inside, textIn, wordIn, wrong, type Fields } from './fields.ts';

/**
 * The counters of requests under a rate limit: each machine counts its requests, or all machines count
 * together.
 */
export const paces = ['own', 'shared'] as const;

export const stores = ['local', 'git', 'postgres', 'restate'] as const;

/** The fields of each store. */
const keysOf = {
  local: [],
  git: ['remote', 'ref', 'root', 'lease', 'name', 'email'],
  postgres: ['url', 'lease', 'pace'],
  restate: ['url', 'lease', 'service', 'admin', 'pace'],
} as const;

/** How long a claim is valid without renewal: the minimum, the minimum as text, and the default. */
const leases = {
  // A shorter one ends during a slow push, so that every write would wait for another.
  git: { least: minute, shown: '1m', initial: gitDefaults.lease },
  postgres: { least: 3 * second, shown: '3s', initial: postgresDefaults.lease },
  restate: { least: 2 * second, shown: '2s', initial: restateDefaults.lease },
} as const;

/** @throws ConfigError */
export function stateOf(top: Fields): StateSettings | undefined {
  if (top.values['state'] === undefined) return undefined;
  const all = ['store', ...new Set(Object.values(keysOf).flat())];
  const fields = fieldsOf(top.values['state'], inside(top, 'state'), all);
  const store = wordIn(fields, 'store', stores) ?? 'local';
  refuseOthers(fields, store);
  switch (store) {
    case 'local':
      return { store };
    case 'git':
      return gitOf(fields);
    case 'postgres':
      return postgresOf(fields);
    case 'restate':
      return restateOf(fields);
  }
}

/** Refuses fields of another store, which would be ignored. */
function refuseOthers(fields: Fields, store: keyof typeof keysOf): void {
  const known: readonly string[] = ['store', ...keysOf[store]];
  const lost = Object.keys(fields.values).find((key) => !known.includes(key));
  if (lost === undefined) return;
  const needed = stores.filter((other) => keysOf[other].some((key) => key === lost));
  throw wrong(inside(fields, lost), `requires store: ${listed(needed, 'or')}`);
}

function restateOf(fields: Fields): StateSettings {
  const admin = httpIn(fields, 'admin');
  return {
    store: 'restate',
    url: urlIn(fields),
    lease: leaseIn(fields, 'restate'),
    service: httpIn(fields, 'service') ?? restateDefaults.service,
    ...(admin !== undefined && { admin }),
    ...paceIn(fields),
  };
}

/** An http(s) URL without a login. */
function httpIn(fields: Fields, key: 'service' | 'admin'): string | undefined {
  const text = textIn(fields, key);
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (isHttp && url.username === '' && url.password === '') return text;
  throw wrong(
    inside(fields, key),
    'must be a URL such as http://127.0.0.1:9080, without a password',
  );
}

function gitOf(fields: Fields): StateSettings {
  const name = identityIn(fields, 'name');
  const email = identityIn(fields, 'email');
  const root = rootIn(fields);
  return {
    store: 'git',
    remote: remoteIn(fields),
    ref: refIn(fields),
    ...(fields.values['ref'] === undefined && { isDefault: true as const }),
    ...(root !== undefined && { root }),
    lease: leaseIn(fields, 'git'),
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
  };
}

function postgresOf(fields: Fields): StateSettings {
  return {
    store: 'postgres',
    url: urlIn(fields),
    lease: leaseIn(fields, 'postgres'),
    ...paceIn(fields),
  };
}

function paceIn(fields: Fields): { readonly sharesPace?: true } {
  return wordIn(fields, 'pace', paces) === 'shared' ? { sharesPace: true } : {};
}

/** The source of the database's address, which is never in the file itself: it contains a password. */
function urlIn(fields: Fields): SecretSource {
  const place = inside(fields, 'url');
  if (typeof fields.values['url'] === 'string') {
    throw wrong(place, 'contains a password; name its source: { env: NAME }, file: or exec:');
  }
  const source = secretSourceIn(fields, 'url');
  if (source === undefined) throw wrong(place, 'is missing: { env: NAME }, file: or exec:');
  return source;
}

function remoteIn(fields: Fields): string {
  const remote = textIn(fields, 'remote') ?? gitDefaults.remote;
  if (remote === '' || remote.startsWith('-') || /\s/.test(remote)) {
    throw wrong(inside(fields, 'remote'), 'must be the name of a remote, or its address');
  }
  if (/^\w+:\/\/[^/@]*:[^/@]*@/.test(remote)) {
    throw wrong(inside(fields, 'remote'), 'contains a password; set DESKHAND_STATE_TOKEN instead');
  }
  return remote;
}

function refIn(fields: Fields): string {
  const ref = textIn(fields, 'ref') ?? gitDefaults.ref;
  if (ref.endsWith(witnessOf(''))) {
    throw wrong(
      inside(fields, 'ref'),
      `must not end with ${witnessOf('')}: that is the witness of a state`,
    );
  }
  const isName = /^refs(?:\/[A-Za-z0-9_][A-Za-z0-9_.-]*)+$/.test(ref);
  if (isName && !ref.includes('..') && !/\.(?:lock)?(?:\/|$)/.test(ref)) return ref;
  throw wrong(
    inside(fields, 'ref'),
    'must be the full name of a ref such as refs/heads/deskhand-state',
  );
}

function rootIn(fields: Fields): string | undefined {
  const root = textIn(fields, 'root')?.toLowerCase();
  if (root === undefined || /^[0-9a-f]{16}$/.test(root)) return root;
  throw wrong(inside(fields, 'root'), 'must be the 16 hex digits that `deskhand doctor` shows');
}

function leaseIn(fields: Fields, store: keyof typeof leases): Millis {
  const text = textIn(fields, 'lease');
  const { least, shown, initial } = leases[store];
  const lease = text === undefined ? initial : lengthIn(text);
  if (lease !== undefined && lease >= least) return lease;
  throw wrong(inside(fields, 'lease'), `must be a duration of at least ${shown}`);
}

function identityIn(fields: Fields, key: 'name' | 'email'): string | undefined {
  const text = textIn(fields, key);
  if (text === undefined || /^[^<>\p{Cc}]{1,100}$/u.test(text)) return text;
  throw wrong(inside(fields, key), 'must be one line without < and >');
}
