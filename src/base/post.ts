/** One POST of a text, without redirects and retries; what the server says beyond its status is ignored. */
import { request as requestPlain } from 'node:http';
import { request } from 'node:https';

/**
 * @param headers besides content-type (JSON) and content-length
 * @param signal ends it at any time
 * @returns the status of the response
 * @throws an error of the connection, or the signal's
 */
export function postText(
  url: URL,
  text: string,
  {
    headers = {},
    signal,
  }: { readonly headers?: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const posting = (url.protocol === 'http:' ? requestPlain : request)(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        ...headers,
      },
      signal,
    });
    posting.once('response', (response) => {
      response.destroy(); // the rest of the response is ignored
      resolve(response.statusCode ?? 0);
    });
    posting.once('error', reject);
    posting.end(text);
  });
}
