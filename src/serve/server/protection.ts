/** Protects the server from other pages and other hosts: host names, origins, headers. */

/** Headers of every answer. */
export const safeHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
};

/**
 * The names under which a browser may address a server on loopback. Any other name, even of this
 * address, may belong to a page that was rebound to it.
 */
export function loopbackHosts(port: number): ReadonlySet<string> {
  const names = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
  return new Set(names.map((name) => hostIn(name, false)));
}

/**
 * The name that a request addresses, from its Host header: without the port that its scheme implies,
 * which browsers leave out.
 */
export function hostIn(header: string | undefined, isSecure: boolean): string {
  return (header ?? '').toLowerCase().replace(isSecure ? /:443$/ : /:80$/, '');
}

/** The parts of a request that show where it comes from. */
export interface Provenance {
  readonly host: string;
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`, which only a browser sets. */
  readonly site: string | undefined;
  readonly isSecure: boolean;
}

/**
 * Whether our own page sent a request. A browser shows this in one of two headers; a request with
 * neither is refused, as is one where either names another page.
 */
export function isOwnPage(from: Provenance): boolean {
  const { origin, site } = from;
  if (origin === undefined && site === undefined) return false;
  return site !== 'none' && !isOtherPage(from);
}

/**
 * Whether a browser says that another page sent a request. It says `none` when a person opens an
 * address; a program that sends neither header is not a browser.
 */
export function isOtherPage({ host, origin, site, isSecure }: Provenance): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  return origin !== undefined && origin !== `${isSecure ? 'https' : 'http'}://${host}`;
}

/** The name of the session's cookie: cookies do not distinguish ports, so it does. */
export function cookieName(port: number): string {
  return `deskhand-${port}`;
}

/** The name of the cookie of a team: browsers take the prefix only from this very host, by https. */
export const teamCookieName = '__Host-deskhand';

interface CookieOptions {
  /** The lifetime of the cookie in seconds; 0 removes it. */
  readonly seconds: number;
  readonly isSecure: boolean;
  readonly sameSite: 'Strict' | 'Lax';
}

/** Sets a cookie that scripts cannot read. */
export function setCookie(
  name: string,
  secret: string,
  { seconds, isSecure, sameSite }: CookieOptions,
): string {
  const secure = isSecure ? '; Secure' : '';
  return `${name}=${secret}; Path=/; HttpOnly; SameSite=${sameSite}${secure}; Max-Age=${seconds}`;
}

/** The value of a cookie; undefined when it is absent or has an unexpected form. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const [key, value = ''] = part.trim().split('=', 2);
    if (key === name && /^[\w-]{20,100}$/.test(value)) return value;
  }
  return undefined;
}
