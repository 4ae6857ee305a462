/** Tunnels through an HTTP proxy: CONNECT, and then the bytes of the server behind it. */
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestTls, type RequestOptions } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { deadline, second, type Millis } from './clock.ts';
import { exits, isCode, networkMessageOf } from './error.ts';
import { proxyAuthorization, ProxyError, shownProxy, type Proxy } from './proxy.ts';
import { withHeaders } from './with-headers.ts';
import { plainText, spoken } from './text.ts';
import { userAgent } from './version.ts';

/** A server behind a proxy. */
export interface Endpoint {
  /** A name, or an IP address without brackets. */
  readonly host: string;
  readonly port: number;
}

export interface TunnelOptions {
  /** Certificates of a private authority in PEM, trusted instead of those of the system. */
  readonly ca?: string;
  /** The limit from the DNS lookup of the proxy to its answer. Default: 5 s. */
  readonly timeoutMs?: Millis;
}

const timeoutUsual: Millis = 5 * second;

/**
 * Opens a tunnel, for TLS or for plain HTTP.
 * @param attach gets the socket, which has transferred nothing yet; it must listen at once, because
 *   the end of a tunnel is noticed only by who listens
 * @returns what `attach` returns
 * @throws ProxyError
 */
export function openTunnel<T>(
  server: Endpoint,
  proxy: Proxy,
  attach: (socket: Socket) => T,
  { ca, timeoutMs = timeoutUsual }: TunnelOptions = {},
): Promise<T> {
  const late = (): Error => new Error(`no answer within ${spoken(timeoutMs)}`);
  return new Promise((resolve, reject) => {
    const isTls = proxy.url.protocol === 'https:';
    const asking = withHeaders(headersFor(server, proxy), () =>
      (isTls ? requestTls : requestPlain)(requestFor(server, proxy, ca)),
    );
    const limit = deadline(timeoutMs, late);
    limit.signal.addEventListener('abort', () => asking.destroy(late()));
    asking.once('error', (error) => {
      limit.cancel();
      reject(unreachable(proxy, error));
    });
    asking.once('connect', (answer, socket, early) => {
      limit.cancel();
      const problem = problemOf(answer, early, server, proxy);
      if (problem === undefined) return resolve(attach(socket));
      socket.on('error', () => undefined); // it is closed in any case
      socket.destroy();
      return reject(problem);
    });
    asking.end();
  });
}

function requestFor(server: Endpoint, proxy: Proxy, ca: string | undefined): RequestOptions {
  const { protocol, hostname, port } = proxy.url;
  const host = withoutBrackets(hostname);
  return {
    host,
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
    method: 'CONNECT',
    path: authorityOf(server),
    agent: false, // each tunnel is one connection to the proxy
    servername: isIP(host) === 0 ? host : '', // otherwise it would be the server's
    rejectUnauthorized: true, // no environment variable disables the verification
    ...(ca !== undefined && { ca }),
  };
}

function authorityOf({ host, port }: Endpoint): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

function headersFor(server: Endpoint, proxy: Proxy): Readonly<Record<string, string>> {
  const authorization = proxyAuthorization(proxy);
  return {
    host: authorityOf(server),
    connection: 'keep-alive', // without it, Node asks to close the connection
    'user-agent': userAgent,
    ...(authorization !== undefined && { 'proxy-authorization': authorization }),
  };
}

/** Removes the brackets of an IPv6 address: `node:net` takes a URL's hostname without them. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function unreachable(proxy: Proxy, error: Error): ProxyError {
  const because = isCode(error, 'ECONNRESET')
    ? 'it closed the connection without an answer'
    : plainText(networkMessageOf(error) || String(Object(error).code), 300); // an AggregateError has no message
  const isPlain = proxy.url.protocol === 'https:' && because.includes('wrong version number');
  return new ProxyError(`the proxy ${shownProxy(proxy)} opened no tunnel: ${because}`, {
    hint: isPlain
      ? `write http:// in ${proxy.from}: https:// is only for a proxy that itself accepts TLS`
      : `check the address of the proxy in ${proxy.from}, and that it is reached from here`,
    cause: error,
  });
}

/** Statuses below 500 of a proxy that may be different at the next attempt. */
const passing: readonly number[] = [408, 425, 429];

function problemOf(
  { statusCode: status = 0, headers }: IncomingMessage,
  early: Buffer,
  { host, port }: Endpoint,
  proxy: Proxy,
): ProxyError | undefined {
  const shown = `the proxy ${shownProxy(proxy)}`;
  if (status === 407) return loginProblem(status, headers['proxy-authenticate'], proxy);
  if (status === 401) return loginProblem(status, headers['www-authenticate'], proxy);
  if (status < 200 || status >= 300) {
    return new ProxyError(`${shown} opened no tunnel to ${host}:${port}: HTTP ${status}`, {
      hint:
        status === 403
          ? `allow CONNECT to ${host}:${port} on the proxy`
          : 'check the proxy, and whether it reaches the server',
      isLasting: status >= 400 && status < 500 && !passing.includes(status),
    });
  }
  // Neither TLS nor HTTP has a server that begins, so these bytes are from the proxy.
  if (early.length === 0) return undefined;
  return new ProxyError(`${shown} opened no tunnel: it sent more than its answer`, {
    hint: `check that ${proxy.from} names an HTTP proxy`,
  });
}

/** A proxy answers 407; some, as in front of a whole network, answer 401. */
function loginProblem(status: 401 | 407, schemes: string | undefined, proxy: Proxy): ProxyError {
  const isBasic = schemes === undefined || /\bbasic\b/i.test(schemes);
  const hasLogin = proxy.login !== undefined;
  const what = hasLogin ? 'refuses the login' : 'requires a login';
  const form = `http://USER:PASSWORD@${proxy.url.host}`;
  return new ProxyError(`the proxy ${shownProxy(proxy)} ${what} (HTTP ${status})`, {
    hint: isBasic
      ? hasLogin
        ? `check the user and the password in ${proxy.from}, written as ${form}`
        : `write it into the address, ${form}, in ${proxy.from}`
      : `it accepts ${plainText(schemes, 100)}, and deskhand logs in with Basic only: use a proxy that accepts it, or this machine's address`,
    isLasting: true,
    exit: exits.credentials,
  });
}
