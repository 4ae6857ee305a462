/** Requests refused before a body is read: from web pages, with oversized heads, in other protocols. */
import type { IncomingMessage } from 'node:http';
import { Refusal } from '../refusal.ts';

export const limits = {
  headerBytes: 16 * 1024,
  headers: 64,
  urlLength: 4 * 1024,
  bodyBytes: 256 * 1024,
} as const;

/**
 * Checks the head of a request.
 * @param hosts names under which this server may be addressed
 * @throws Refusal with the matching HTTP status
 */
export function checkHead(request: IncomingMessage, hosts: ReadonlySet<string>): void {
  const { url = '', headers, rawHeaders, httpVersion } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw new Refusal('40020', 'only HTTP/1.1 is supported');
  }
  if (url.length > limits.urlLength) throw tooLarge('the address', limits.urlLength, 414);
  if (rawHeaders.length / 2 > limits.headers) {
    throw new Refusal('41113', `at most ${limits.headers} headers`, 431);
  }
  if (countOf(rawHeaders, 'host') > 1) throw new Refusal('40020', 'two Host headers');
  // A page in a browser can send requests to loopback; its Host or Origin identifies it.
  if (!hosts.has(hostName(headers.host))) throw new Refusal('40018', 'unknown Host', 421);
  if (headers.origin !== undefined) throw new Refusal('40014', 'web pages may not call this', 403);
  if (isStrangelyFramed(request) || isCompressed(request))
    throw new Refusal('40020', 'an encoded body; send it without encoding');
  const announced = Number(headers['content-length'] ?? 0);
  if (announced > limits.bodyBytes) throw bodyTooLarge();
}

/** Whether a body has a transfer coding other than chunked, which node decodes automatically. */
export function isStrangelyFramed({ headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  return coding !== undefined && coding.toLowerCase() !== 'chunked';
}

/** Whether the body is compressed. */
function isCompressed({ headers }: IncomingMessage): boolean {
  const coding = headers['content-encoding'];
  return coding !== undefined && coding.toLowerCase() !== 'identity';
}

export function bodyTooLarge(): Refusal {
  return tooLarge('the body', limits.bodyBytes, 413);
}

/** Names of this machine, and the one the server was bound to. */
export function hostNames(bound: string): ReadonlySet<string> {
  return new Set(['localhost', '127.0.0.1', '[::1]', bound.includes(':') ? `[${bound}]` : bound]);
}

/** Whether a listening address is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/** The refusal for an error of the HTTP parser. */
export function parserRefusal(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return tooLarge('the head', limits.headerBytes, 431);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Refusal('40010', 'the request did not arrive in time', 408);
  }
  return new Refusal('40020', 'not a valid HTTP request');
}

function tooLarge(what: string, most: number, status: number): Refusal {
  return new Refusal('41113', `${what} is larger than ${most} bytes`, status);
}

function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const text = rawHeaders[at];
    if (text?.length === name.length && text.toLowerCase() === name) count++;
  }
  return count;
}

/** The host name without its port. */
function hostName(host = ''): string {
  let end = host.length;
  while (end > 0 && isDigit(host.charCodeAt(end - 1))) end--;
  const hasPort = end < host.length && host.charAt(end - 1) === ':';
  return (hasPort ? host.slice(0, end - 1) : host).toLowerCase();
}

function isDigit(letter: number): boolean {
  return letter >= 0x30 && letter <= 0x39;
}
