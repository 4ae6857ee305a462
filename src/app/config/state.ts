/** The store of deskhand.yaml: `state: { store: git, remote: origin, ref: refs/heads/deskhand-state }`. */
import { lengthIn, minute, second, type Millis } from '../../base/clock.ts';
import type { SecretSource } from '../../base/secret-source.ts';
import { listed } from '../../base/text.ts';
import {
  gitDefaults,
  postgresDefaults,
  restateDefaults,
  witnessOf,
  type StateSettings,
} from '../../stores/settings.ts';
import { described } from '../../exchange/api/schema.ts';
import { changed, inside, map, wrong, type Given, type Part, type Place } from './part.ts';
import { text, word } from './scalars.ts';
import { secret } from './secret-source.ts';

/**
 * The counters of requests under a rate limit: each machine counts its requests, or all machines count
 * together.
 */
const paces = ['own', 'shared'] as const;

const stores = ['local', 'git', 'postgres', 'restate'] as const;

/** The fields of each store. */
const keysOf = {
  local: [],
  git: ['remote', 'ref', 'root', 'lease', 'name', 'email'],
  postgres: ['url', 'lease', 'pace'],
  restate: ['url', 'lease', 'service', 'admin', 'pace'],
} as const;

/** How long a claim is valid without renewal: the minimum, the minimum as text, and the default. */
const leases = {
  // A shorter lease ends during a slow push, so that every write would wait for another.
  git: { least: minute, shown: '1m', initial: gitDefaults.lease },
  postgres: { least: 3 * second, shown: '3s', initial: postgresDefaults.lease },
  restate: { least: 2 * second, shown: '2s', initial: restateDefaults.lease },
} as const;

const parts = {
  store: word(stores, {
    description:
      'local: the state folder; git: a ref of the repository; postgres: a database; restate: a Restate server (default local)',
  }),
  remote: changed(text({ description: 'Name of the remote (default origin)' }), remoteIn),
  ref: changed(
    text({ description: 'Ref of the state (default refs/heads/deskhand-state)' }),
    refIn,
  ),
  root: changed(
    text({
      pattern: '^[0-9a-fA-F]{16}$',
      description: 'First line of the state, as `deskhand doctor` shows it; any other is refused',
    }),
    rootIn,
  ),
  url: addressSource(),
  service: changed(
    text({
      description:
        'URL at which Restate reaches `deskhand store serve` (default http://127.0.0.1:9080)',
    }),
    httpIn,
  ),
  admin: changed(
    text({ description: 'URL of the admin API of Restate (default: port 9070 of its host)' }),
    httpIn,
  ),
  lease: text({
    description: 'How long a claim is valid without renewal (default 5m; for a database 4s)',
  }),
  pace: word(paces, {
    description: 'own: each machine keeps rate limits; shared: machines keep them together',
  }),
  name: changed(text({ description: 'Author of the commits' }), identityIn),
  email: changed(text({ description: 'E-mail address of the author' }), identityIn),
} as const;

type State = Given<typeof parts>;

export const state: Part<StateSettings> = changed(map(parts), (given, place): StateSettings => {
  const { store = 'local' } = given;
  refuseOthers(given, store, place);
  switch (store) {
    case 'local':
      return { store };
    case 'git':
      return gitOf(given, place);
    case 'postgres':
      return { store, ...databaseOf(given, store, place) };
    case 'restate': {
      const { service = restateDefaults.service, admin } = given;
      const own = { service, ...(admin !== undefined && { admin }) };
      return { store, ...databaseOf(given, store, place), ...own };
    }
  }
});

/** Refuses fields of another store, which would be ignored. */
function refuseOthers(given: State, store: keyof typeof keysOf, place: Place): void {
  const known: readonly string[] = ['store', ...keysOf[store]];
  const lost = Object.keys(given).find((key) => !known.includes(key));
  if (lost === undefined) return;
  const others = stores.filter((other) => keysOf[other].some((key) => key === lost));
  throw wrong(inside(place, lost), `requires store: ${listed(others, 'or')}`);
}

function gitOf(given: State, place: Place): StateSettings {
  const { remote = gitDefaults.remote, ref, root, name, email } = given;
  return {
    store: 'git',
    remote,
    ref: ref ?? gitDefaults.ref,
    ...(ref === undefined && { isDefault: true }),
    ...(root !== undefined && { root }),
    lease: leaseIn(given, 'git', place),
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
  };
}

function databaseOf(
  given: State,
  store: keyof typeof leases,
  place: Place,
): { readonly url: SecretSource; readonly lease: Millis; readonly sharesPace?: true } {
  const { url, pace } = given;
  if (url === undefined) {
    throw wrong(inside(place, 'url'), 'is missing: { env: NAME }, file: or exec:');
  }
  const lease = leaseIn(given, store, place);
  return { url, lease, ...(pace === 'shared' && { sharesPace: true }) };
}

/** The source of the database's address, which is never in the file itself: it contains a password. */
function addressSource(): Part<SecretSource> {
  return {
    ...described('Source of the address of the database', secret),
    read: (value, place) => {
      if (typeof value !== 'string') return secret.read(value, place);
      throw wrong(place, 'contains a password; name its source: { env: NAME }, file: or exec:');
    },
  };
}

/** An http(s) URL without a login. */
function httpIn(given: string, place: Place): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (isHttp && url.username === '' && url.password === '') return given;
  throw wrong(place, 'must be a URL such as http://127.0.0.1:9080, without a password');
}

function remoteIn(remote: string, place: Place): string {
  if (remote === '' || remote.startsWith('-') || /\s/.test(remote)) {
    throw wrong(place, 'must be the name of a remote, or its address');
  }
  if (/^\w+:\/\/[^/@]*:[^/@]*@/.test(remote)) {
    throw wrong(place, 'contains a password; set DESKHAND_STATE_TOKEN instead');
  }
  return remote;
}

function refIn(ref: string, place: Place): string {
  if (ref.endsWith(witnessOf(''))) {
    throw wrong(place, `must not end with ${witnessOf('')}: that is the witness of a state`);
  }
  const isName = /^refs(?:\/[A-Za-z0-9_][A-Za-z0-9_.-]*)+$/.test(ref);
  if (isName && !ref.includes('..') && !/\.(?:lock)?(?:\/|$)/.test(ref)) return ref;
  throw wrong(place, 'must be the full name of a ref such as refs/heads/deskhand-state');
}

function rootIn(given: string, place: Place): string {
  const root = given.toLowerCase();
  if (/^[0-9a-f]{16}$/.test(root)) return root;
  throw wrong(place, 'must be the 16 hex digits that `deskhand doctor` shows');
}

function leaseIn({ lease: given }: State, store: keyof typeof leases, place: Place): Millis {
  const { least, shown, initial } = leases[store];
  const lease = given === undefined ? initial : lengthIn(given);
  if (lease !== undefined && lease >= least) return lease;
  throw wrong(inside(place, 'lease'), `must be a duration of at least ${shown}`);
}

function identityIn(given: string, place: Place): string {
  if (/^[^<>\p{Cc}]{1,100}$/u.test(given)) return given;
  throw wrong(place, 'must be one line without < and >');
}
