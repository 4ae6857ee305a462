/** `serve`: who may use the server's page, and under which names, when it serves a team. */
import { dirname, resolve } from 'node:path';
import { underHome } from '../../base/platform/home.ts';
import { hour, type Millis } from '../../base/clock.ts';
import { ConfigError } from '../../base/error.ts';
import type { SecretSource } from '../../base/secret-source.ts';
import { isLoopback } from './address.ts';
import { described } from '../../exchange/api/schema.ts';
import { changed, map, needed, withDefault, wrong, type Part, type Place } from './part.ts';
import type { Role } from './role.ts';
import { duration, text, texts } from './scalars.ts';
import { secret } from './secret-source.ts';

export interface ServeSettings {
  /** The hosts of the server as browsers send them: in lower case, with a port unless it is 443. */
  readonly hosts: readonly string[];
  /** Paths of the certificate and the key, as PEM; absent behind a proxy. */
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly auth: AuthSettings;
  /** The token that a monitor must send for `/metrics`; absent if it needs none. */
  readonly metricsToken?: SecretSource;
}

export interface AuthSettings {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret?: SecretSource;
  /** The members of each role: groups, and e-mail addresses in lower case, which have an `@`. */
  readonly roles: Readonly<Record<Role, readonly string[]>>;
  readonly groupsClaim: string;
  readonly scopes: readonly string[];
  /** A session ends this long after its last request. */
  readonly idle: Millis;
  /** A session ends this long after it began. */
  readonly expires: Millis;
}

const tls = map({
  cert: needed(file('File with the certificate and its chain, as PEM'), 'is missing'),
  key: needed(
    file(
      'File with its key, as PEM, mode 0600; others may read it, with a warning, and not change it',
    ),
    'is missing',
  ),
});

const holders = changed(
  map(
    {
      viewer: members('may read'),
      operator: members('may also start, resume and stop runs'),
      approver: members('may also approve plans'),
    },
    { minProperties: 1 },
  ),
  (given, { file: config, path }): AuthSettings['roles'] => {
    if (Object.values(given).some((names) => names.length > 0)) return given;
    throw new ConfigError(
      `${config}: ${path} gives nobody a role`,
      'list groups or e-mail addresses: { viewer: [desk], approver: [ann@example.com] }',
    );
  },
);

const auth = changed(
  map({
    issuer: needed(
      changed(text({ description: 'Its address: https://id.example.com' }), issuerIn),
      'is missing',
    ),
    'client-id': needed(filled('The client that the issuer knows'), 'is missing'),
    'client-secret': described('Source of its secret; absent for a public client', secret),
    roles: needed(holders),
    'groups-claim': withDefault(
      text({ description: 'Claim with the groups of a person (default groups)' }),
      'groups',
    ),
    scopes: withDefault(
      changed(
        texts({ description: 'Scopes that are requested besides openid (default email, profile)' }),
        scopesIn,
      ),
      ['openid', 'email', 'profile'],
    ),
    idle: withDefault(
      duration('A session ends this long after its last request (default 1h)'),
      hour,
    ),
    expires: withDefault(
      duration('A session ends this long after the sign-in (default 12h)'),
      12 * hour, // a shift
    ),
  }),
  (all): AuthSettings => {
    const {
      'client-id': clientId,
      'client-secret': clientSecret,
      'groups-claim': groupsClaim,
      ...given
    } = all;
    return { ...given, clientId, ...(clientSecret && { clientSecret }), groupsClaim };
  },
);

const noHosts = 'must list the names in the address bar';

export const serve: Part<ServeSettings> = changed(
  map({
    hosts: needed(
      changed(
        texts({
          description:
            'Names in the address bar: desk.example.com, or desk.example.com:8443 for another port than 443',
        }),
        hostsIn,
      ),
      noHosts,
    ),
    tls,
    'metrics-token': described(
      'Source of the bearer token that a monitor must send for /metrics (default: none is needed)',
      secret,
    ),
    auth: needed(described('The OpenID Connect issuer that people sign in with', auth)),
  }),
  ({ 'metrics-token': metricsToken, ...given }) => ({
    ...given,
    ...(metricsToken && { metricsToken }),
  }),
);

function hostsIn(names: readonly string[], place: Place): readonly string[] {
  if (names.length === 0) throw wrong(place, noHosts);
  return names.map((name) => {
    const host = name.toLowerCase();
    const url = URL.canParse(`https://${host}`) ? new URL(`https://${host}`) : undefined;
    if (url?.host === host) return host;
    throw wrong(place, 'must have names such as desk.example.com or desk.example.com:8443');
  });
}

/** A text that is not empty. */
function filled(description: string): Part<string> {
  return changed(text({ description }), (given, place) => {
    if (given === '') throw wrong(place, 'is missing');
    return given;
  });
}

/** A path, relative to the folder of the configuration file. */
function file(description: string): Part<string> {
  return changed(filled(description), (path, place) => {
    return resolve(dirname(place.file), underHome(path));
  });
}

/**
 * The address of the issuer, over https: a server that answers in its place could sign people in as anyone.
 */
function issuerIn(given: string, place: Place): URL {
  if (given === '') throw wrong(place, 'is missing');
  if (!URL.canParse(given)) throw wrong(place, 'must be an address such as https://id.example.com');
  const issuer = new URL(given);
  if (issuer.username !== '' || issuer.password !== '' || issuer.search + issuer.hash !== '') {
    throw wrong(place, 'must be an address without user, query and fragment');
  }
  if (issuer.protocol === 'https:') return issuer;
  if (issuer.protocol === 'http:' && isLoopback(issuer)) return issuer;
  throw wrong(place, 'must use https, unless the issuer is on this machine');
}

function members(may: string) {
  const names = texts({ description: `Groups and e-mail addresses of people who ${may}` });
  const kept = changed(names, (given, place) => given.map((name) => memberIn(name, place)));
  return withDefault(kept, []);
}

function memberIn(name: string, place: Place): string {
  if (name.trim() !== name || name === '') {
    throw wrong(place, 'has an empty name, or one with a space at an end');
  }
  return name.includes('@') ? asciiLower(name) : name;
}

function scopesIn(scopes: readonly string[], place: Place): readonly string[] {
  // The printable characters that a scope may have, RFC 6749, section 3.3.
  if (scopes.every((scope) => /^[\x21\x23-\x5B\x5D-\x7E]{1,100}$/.test(scope))) {
    return [...new Set(['openid', ...scopes])];
  }
  throw wrong(place, 'must be a list of scopes without spaces');
}

/**
 * Changes A to Z to lower case, and no other letters: in other alphabets, different letters may become one.
 */
export function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
