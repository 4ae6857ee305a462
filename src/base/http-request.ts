/** One request over HTTP, without redirects, retries and compression; directly or through a proxy. */
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestTls } from 'node:https';
import { agentFor } from './agent.ts';
import type { Proxy } from './proxy.ts';
import { withHeaders } from './with-headers.ts';
import { userAgent } from './version.ts';

export interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of the request; its length is sent as content-length. */
  readonly body?: string | Uint8Array;
  /** Ends the request at any time. */
  readonly signal: AbortSignal;
  readonly proxy?: Proxy | undefined;
}

export interface HttpResponse {
  readonly status: number;
  readonly statusText: string;
  /** The headers of the response, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * @returns the response, whose body must be read or destroyed
 * @throws ProxyError; an error of the connection, or the signal's
 */
export function beginRequest(url: URL, request: HttpRequest): Promise<IncomingMessage> {
  const { method, headers, body, signal, proxy } = request;
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sending = withHeaders({ 'user-agent': userAgent, ...headers, ...length }, () =>
      (url.protocol === 'http:' ? requestPlain : requestTls)(url, {
        method,
        signal,
        ...(proxy && { agent: agentFor(url, proxy) }),
      }),
    );
    sending.once('response', resolve);
    sending.once('error', reject);
    sending.end(body);
  });
}

/**
 * @param bytesMax of the body
 * @throws as above; Error for a longer body
 */
export async function sendRequest(
  url: URL,
  request: HttpRequest,
  bytesMax: number,
): Promise<HttpResponse> {
  const response = await beginRequest(url, request);
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > bytesMax) throw new Error(`the answer exceeds ${bytesMax} bytes`);
    parts.push(part);
  }
  const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    headers: Object.fromEntries(headers),
    body: Buffer.concat(parts),
  };
}
