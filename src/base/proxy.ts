/** An HTTP proxy, and which requests take the one of the environment. */
import { isIP } from 'node:net';
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
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  const hasMore = url !== undefined && `${url.pathname}${url.search}${url.hash}` !== '/';
  if (!isHttp || hasMore) {
    throw new ConfigError(
      `${from} is not the address of an HTTP proxy`,
      'such as http://proxy.example:3128; write signs of a user or password as %40, %2F and so on',
    );
  }
  const login = loginIn(url);
  return { url: new URL(url.origin), ...(login && { login }), from };
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
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return [];
  const { username, password } = url;
  const login = loginIn(url)?.reveal() ?? '';
  const secret = password === '' ? username : password; // without a password, the user is a token
  const raw = /^[^/]*\/\/([^/]*)@/.exec(text.trim())?.[1] ?? '';
  const rawSecret = password === '' ? raw : raw.slice(raw.indexOf(':') + 1);
  const sent = Buffer.from(login).toString('base64');
  const all = [decoded(secret), login, secret, raw, rawSecret, login === '' ? '' : sent];
  return [...new Set(all)].filter((each) => each !== '').map((each) => new Secret(each));
}

/** Variables that may contain the login of a proxy. */
const variables = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'] as const;

/** The secrets of every proxy in the environment, whether a request uses the proxy or not. */
export function proxySecretsIn(env: Environment): readonly Secret[] {
  const others = ['all_proxy', 'ALL_PROXY']; // read by git
  return [...variables, ...others].flatMap((name) => secretsOfProxy(env[name] ?? ''));
}

/**
 * Chooses the route by the rules of undici's EnvHttpProxyAgent: a lower-case variable takes precedence,
 * HTTPS_PROXY is for https:// and HTTP_PROXY for http:// and for https:// without HTTPS_PROXY, NO_PROXY
 * exempts hosts. In addition, this machine is always exempt.
 * @throws ConfigError for a variable that is not an address
 */
export function environmentRoute(url: URL, env: Environment): Route {
  if (isLoopbackName(url.hostname)) return direct(`${url.hostname} is this machine`);
  const scheme = url.protocol === 'https:' ? (['https', 'http'] as const) : (['http'] as const);
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

/** Entries of NO_PROXY that exempt nothing here, though other programs know them: ranges, bare IPv6. */
export function unknownExemptions(env: Environment): {
  readonly name: string;
  readonly entries: readonly string[];
} {
  const { name, text } = noProxyIn(env);
  const isUnknown = (entry: string): boolean => entry.includes('/') || isIP(entry) === 6;
  return { name, entries: entriesIn(text).filter(isUnknown) };
}

interface Named {
  readonly name: string;
  readonly text: string;
}

/** An empty lower-case variable disables the other. */
function namedIn(scheme: 'http' | 'https', env: Environment): Named {
  const lower = `${scheme}_proxy`;
  const name = env[lower] === undefined ? lower.toUpperCase() : lower;
  return { name, text: env[name] ?? '' };
}

function noProxyIn(env: Environment): Named {
  const name = env['no_proxy'] === undefined ? 'NO_PROXY' : 'no_proxy';
  return { name, text: env[name] ?? '' };
}

/**
 * Whether NO_PROXY exempts a host. Entries are hosts with their subdomains, with or without a port; `*`
 * alone is all hosts.
 */
function isExempt({ protocol, hostname, port }: URL, list: string): boolean {
  if (list === '*') return true;
  const own = port || (protocol === 'https:' ? '443' : '80');
  return entriesIn(list).some((entry) => {
    const [, host = entry, only = '0'] = /^(.+):(\d+)$/.exec(entry) ?? [];
    const name = host.replace(/^\*?\./, '').toLowerCase();
    const isName = hostname === name || hostname.endsWith(`.${name}`);
    return isName && (Number(only) === 0 || Number(only) === Number(own));
  });
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
