/** One POST of a text, without redirects and retries; what the server says beyond its status is ignored. */
import { beginRequest } from './http-request.ts';
import type { Proxy } from './proxy.ts';

export interface Posting {
  /** Headers in addition to content-type (JSON) and content-length. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the request at any time. */
  readonly signal: AbortSignal;
  readonly proxy?: Proxy | undefined;
}

/**
 * @returns the status of the response
 * @throws ProxyError; an error of the connection, or the signal's
 */
export async function postText(
  url: URL,
  text: string,
  { headers = {}, signal, proxy }: Posting,
): Promise<number> {
  const response = await beginRequest(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: text,
    signal,
    proxy,
  });
  response.destroy(); // the rest of the response is ignored
  return response.statusCode ?? 0;
}
