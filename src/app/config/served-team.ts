/** `serve`: who may use the server's page, and under which names, when it serves a team. */
import { dirname, resolve } from 'node:path';
import { underHome } from '../../base/platform/home.ts';
import { hour, type Millis } from '../../base/clock.ts';
import { ConfigError } from '../../base/error.ts';
import type { SecretSource } from '../../base/secret-source.ts';
import { isLoopback } from './address.ts';
import { fieldsOf, inside, lengthOf, textIn, textsIn, wrong, type Fields } from './fields.ts';
import { roles, type Role } from './role.ts';
import { secretSourceIn } from './secret-source.ts';

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

const idleDefault: Millis = hour;
const expiresDefault: Millis = 12 * hour; // a shift

/** @returns undefined if the file has no `serve` @throws ConfigError */
export function serveOf(top: Fields): ServeSettings | undefined {
  if (top.values['serve'] === undefined) return undefined;
  const keys = ['hosts', 'tls', 'auth', 'metrics-token'];
  const fields = fieldsOf(top.values['serve'], inside(top, 'serve'), keys);
  const tls = tlsOf(fields);
  const metricsToken = secretSourceIn(fields, 'metrics-token');
  return {
    hosts: hostsOf(fields),
    ...(tls && { tls }),
    auth: authOf(fields),
    ...(metricsToken && { metricsToken }),
  };
}

function hostsOf(serve: Fields): readonly string[] {
  const hosts = textsIn(serve, 'hosts') ?? [];
  const place = inside(serve, 'hosts');
  if (hosts.length === 0) throw wrong(place, 'must list the names in the address bar');
  return hosts.map((name) => {
    const host = name.toLowerCase();
    const url = URL.canParse(`https://${host}`) ? new URL(`https://${host}`) : undefined;
    if (url?.host === host) return host;
    throw wrong(place, 'must have names such as desk.example.com or desk.example.com:8443');
  });
}

function tlsOf(serve: Fields): ServeSettings['tls'] {
  if (serve.values['tls'] === undefined) return undefined;
  const fields = fieldsOf(serve.values['tls'], inside(serve, 'tls'), ['cert', 'key']);
  const file = (key: string): string => {
    const path = underHome(required(fields, key));
    return resolve(dirname(fields.file), path);
  };
  return { cert: file('cert'), key: file('key') };
}

const authKeys = [
  'issuer',
  'client-id',
  'client-secret',
  'roles',
  'groups-claim',
  'scopes',
  'idle',
  'expires',
];

function authOf(serve: Fields): AuthSettings {
  const fields = fieldsOf(serve.values['auth'], inside(serve, 'auth'), authKeys);
  const clientSecret = secretSourceIn(fields, 'client-secret');
  return {
    issuer: issuerOf(fields),
    clientId: required(fields, 'client-id'),
    ...(clientSecret && { clientSecret }),
    roles: holdersOf(fields),
    groupsClaim: textIn(fields, 'groups-claim') ?? 'groups',
    scopes: scopesOf(fields),
    idle: lengthOf(fields, 'idle') ?? idleDefault,
    expires: lengthOf(fields, 'expires') ?? expiresDefault,
  };
}

/**
 * The address of the issuer, over https: a server that answers in its place could sign people in as anyone.
 */
function issuerOf(auth: Fields): URL {
  const text = required(auth, 'issuer');
  const place = inside(auth, 'issuer');
  if (!URL.canParse(text)) throw wrong(place, 'must be an address such as https://id.example.com');
  const issuer = new URL(text);
  if (issuer.username !== '' || issuer.password !== '' || issuer.search + issuer.hash !== '') {
    throw wrong(place, 'must be an address without user, query and fragment');
  }
  if (issuer.protocol === 'https:') return issuer;
  if (issuer.protocol === 'http:' && isLoopback(issuer)) return issuer;
  throw wrong(place, 'must use https, unless the issuer is on this machine');
}

function holdersOf(auth: Fields): AuthSettings['roles'] {
  const fields = fieldsOf(auth.values['roles'], inside(auth, 'roles'), roles);
  const of = (role: Role): readonly string[] =>
    (textsIn(fields, role) ?? []).map((name) => {
      if (name.trim() !== name || name === '') {
        throw wrong(inside(fields, role), 'has an empty name, or one with a space at an end');
      }
      return name.includes('@') ? asciiLower(name) : name;
    });
  const all = { viewer: of('viewer'), operator: of('operator'), approver: of('approver') };
  if (Object.values(all).some((names) => names.length > 0)) return all;
  throw new ConfigError(
    `${fields.file}: ${fields.path} gives nobody a role`,
    'list groups or e-mail addresses: { viewer: [desk], approver: [ann@example.com] }',
  );
}

function scopesOf(auth: Fields): readonly string[] {
  const scopes = textsIn(auth, 'scopes') ?? ['email', 'profile'];
  // The printable characters that a scope may have, RFC 6749, section 3.3.
  if (scopes.every((scope) => /^[\x21\x23-\x5B\x5D-\x7E]{1,100}$/.test(scope))) {
    return [...new Set(['openid', ...scopes])];
  }
  throw wrong(inside(auth, 'scopes'), 'must be a list of scopes without spaces');
}

function required(fields: Fields, key: string): string {
  const value = textIn(fields, key);
  if (value !== undefined && value !== '') return value;
  throw wrong(inside(fields, key), 'is missing');
}

/**
 * Changes A to Z to lower case, and no other letters: in other alphabets, different letters may become one.
 */
export function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
