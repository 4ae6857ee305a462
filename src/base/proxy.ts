/** An HTTP proxy, and which requests take the one of the environment. */
import { BlockList, isIP } from 'node:net';
import { ConfigError, DeskhandError, exits, type ExitCode } from './error.ts';
import { isLoopbackName } from './host.ts';
import { Secret } from './secret.ts';

export interface Proxy {
  /** Scheme, host and port as displayed: `http://proxy.example:3128`. */
  readonly url: URL;
  /** The login `user:password`, if the proxy requires one. */
  readonly login?: Secret;
  /** The setting that names the proxy: `HTTPS_PROXY`, `profiles.main.proxy`. */
  readonly from: string;
}

/** The route of a request to its server: through a proxy or direct. */
export type Route =
  | { readonly kind: 'proxy'; readonly proxy: Proxy }
  /** The request goes directly to the server; `because` completes the message "none: …". */
  | { readonly kind: 'direct'; readonly because: string };

/** The proxy opened no tunnel, so nothing was sent to the server. Shows no user or password. */
export class ProxyError extends DeskhandError {
  /** Whether another attempt would fail in the same way. */
  readonly isLasting: boolean;

  constructor(
    message: string,
    details: {
      readonly hint: string;
      readonly isLasting?: boolean;
      readonly exit?: ExitCode;
      readonly cause?: unknown;
    },
  ) {
    const { hint, isLasting = false, exit = exits.stopped, cause } = details;
    super(message, { code: 'proxy', actor: 'operator', exit, hint, cause });
    this.isLasting = isLasting;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Parses the address of a proxy. The message of an error never shows it, because it may contain a
 * password.
 * @throws ConfigError
 */
export function proxyIn(text: string, from: string): Proxy {
  const url = urlOf(text);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  const hasMore = url !== undefined && `${url.pathname}${url.search}${url.hash}` !== '/';
  if (!isHttp || hasMore) {
    throw new ConfigError(
      `${from} is not the address of an HTTP proxy`,
      /^socks/i.test(text)
        ? 'SOCKS is not supported: name an HTTP proxy, such as http://proxy.example:3128'
        : 'such as http://proxy.example:3128; write signs of a user or password as %40, %2F and so on',
    );
  }
  const login = loginIn(url);
  return { url: new URL(url.origin), ...(login && { login }), from };
}

/** The URL of an address; a host with a port, without a scheme, is that of an HTTP proxy. */
function urlOf(text: string): URL | undefined {
  const hasNone = /^(?:[^/?#]*@)?(?:[^/?#@:[\]]+|\[[^\]]*\]):\d{1,5}\/?$/.test(text);
  const address = hasNone ? `http://${text}` : text;
  return URL.canParse(address) ? new URL(address) : undefined;
}

/** A proxy for messages, without user and password. */
export function shownProxy({ url, from }: Proxy): string {
  return `${url.origin} (${from})`;
}

/** The value of the Proxy-Authorization header; undefined without a login. */
export function proxyAuthorization({ login }: Proxy): string | undefined {
  if (login === undefined) return undefined;
  return `Basic ${Buffer.from(login.reveal()).toString('base64')}`;
}

/** The texts of a proxy that are masked in all output: password and login, both as written and as sent. */
export function secretsOfProxy(text: string): readonly Secret[] {
  const url = urlOf(text);
  if (url === undefined) return [];
  const { username, password } = url;
  const login = loginIn(url)?.reveal() ?? '';
  const secret = password === '' ? username : password; // without a password, the user is a token
  const raw = /^(?:[^/]*\/\/)?([^/]*)@/.exec(text.trim())?.[1] ?? '';
  const rawSecret = password === '' ? raw : raw.slice(raw.indexOf(':') + 1);
  const sent = Buffer.from(login).toString('base64');
  const all = [decoded(secret), login, secret, raw, rawSecret, login === '' ? '' : sent];
  return [...new Set(all)].filter((each) => each !== '').map((each) => new Secret(each));
}

/** Variables that may contain the login of a proxy. */
const variables = ['https', 'all', 'http'].flatMap((each) => [
  `${each}_proxy`,
  `${each.toUpperCase()}_PROXY`,
]);

/** The secrets of every proxy in the environment, whether a request uses the proxy or not. */
export function proxySecretsIn(env: Environment): readonly Secret[] {
  return variables.flatMap((name) => secretsOfProxy(env[name] ?? ''));
}

/**
 * Chooses the route by the rules of undici's EnvHttpProxyAgent: a lower-case variable takes precedence,
 * HTTPS_PROXY is for https:// and HTTP_PROXY for http:// and for https:// without HTTPS_PROXY, NO_PROXY
 * exempts hosts. As in curl, ALL_PROXY is for addresses without their own variable, and NO_PROXY may have
 * ranges of addresses. In addition, this machine is always exempt.
 * @throws ConfigError for a variable that is not an address
 */
export function environmentRoute(url: URL, env: Environment): Route {
  if (isLoopbackName(url.hostname)) return direct(`${url.hostname} is this machine`);
  const scheme =
    url.protocol === 'https:' ? (['https', 'all', 'http'] as const) : (['http', 'all'] as const);
  const named = scheme.map((each) => namedIn(each, env)).find(({ text }) => text !== '');
  if (named === undefined) return direct('no variable names one');
  const exempt = noProxyIn(env);
  if (isExempt(url, exempt.text)) return direct(`${exempt.name} exempts ${url.hostname}`);
  return { kind: 'proxy', proxy: proxyIn(named.text, named.name) };
}

/** The proxy of a request that belongs to no profile. @throws ConfigError */
export function environmentProxy(url: URL, env: Environment): Proxy | undefined {
  const route = environmentRoute(url, env);
  return route.kind === 'proxy' ? route.proxy : undefined;
}

function direct(because: string): Route {
  return { kind: 'direct', because };
}

/** Entries of NO_PROXY that look like ranges of addresses and are none: they exempt nothing. */
export function unknownExemptions(env: Environment): {
  readonly name: string;
  readonly entries: readonly string[];
} {
  const { name, text } = noProxyIn(env);
  const isUnknown = (entry: string): boolean => entry.includes('/') && rangeOf(entry) === undefined;
  return { name, entries: entriesIn(text).filter(isUnknown) };
}

interface Named {
  readonly name: string;
  readonly text: string;
}

/** An empty lower-case variable disables the other. */
function namedIn(scheme: 'http' | 'https' | 'all', env: Environment): Named {
  const lower = `${scheme}_proxy`;
  const name = env[lower] === undefined ? lower.toUpperCase() : lower;
  return { name, text: env[name] ?? '' };
}

function noProxyIn(env: Environment): Named {
  const name = env['no_proxy'] === undefined ? 'NO_PROXY' : 'no_proxy';
  return { name, text: env[name] ?? '' };
}

/**
 * Whether NO_PROXY exempts a host. Entries are hosts with their subdomains, with or without a port, and
 * ranges of addresses, which exempt no names; `*` alone is all hosts.
 */
function isExempt({ protocol, hostname, port }: URL, list: string): boolean {
  if (list === '*') return true;
  const own = port || (protocol === 'https:' ? '443' : '80');
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return entriesIn(list).some((entry) => {
    const range = rangeOf(entry);
    if (range !== undefined) return isIP(address) !== 0 && contains(range, address);
    const [, host = entry, only = '0'] = /^(.+):(\d+)$/.exec(entry) ?? [];
    const name = host.replace(/^\*?\./, '').toLowerCase();
    const isName = hostname === name || hostname.endsWith(`.${name}`);
    return isName && (Number(only) === 0 || Number(only) === Number(own));
  });
}

/** A range such as `10.0.0.0/8` or `2001:db8::/32`; an IPv6 address without brackets is one, too. */
function rangeOf(entry: string): BlockList | undefined {
  const [, address = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const version = isIP(address);
  if (version === 0 || (version === 4 && length === undefined)) return undefined;
  const size = version === 4 ? 32 : 128;
  const bits = Number(length ?? size);
  if (bits > size) return undefined;
  const range = new BlockList();
  range.addSubnet(address, bits, version === 4 ? 'ipv4' : 'ipv6');
  return range;
}

function contains(range: BlockList, address: string): boolean {
  return range.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function entriesIn(list: string): readonly string[] {
  return list.split(/[,\s]/).filter((entry) => entry !== '');
}

function loginIn({ username, password }: URL): Secret | undefined {
  if (username === '' && password === '') return undefined;
  return new Secret(`${decoded(username)}:${decoded(password)}`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone percent sign
  }
}
