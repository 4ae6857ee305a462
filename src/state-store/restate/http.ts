/** Requests to a Restate server, over connections that are kept. */
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Node } from './address.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly text: string;
}

export interface HttpClient {
  /** @throws errors of the connection, and the signal's reason */
  send(node: Node, request: HttpRequest): Promise<HttpResponse>;
  /** Closes connections that are not in use. */
  close(): void;
}

export function httpClient(): HttpClient {
  const options = { keepAlive: true, maxSockets: 64 };
  const [http, https] = [new HttpAgent(options), new HttpsAgent(options)];
  return {
    send: ({ url, token }, { method, path, headers, body, signal }) => {
      const isTls = url.protocol === 'https:';
      const settings = {
        method,
        agent: isTls ? https : http,
        signal,
        headers: {
          ...headers,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          }),
        },
      };
      return new Promise((resolve, reject) => {
        const fail = (error: unknown): void => {
          reject(signal.aborted ? (signal.reason as Error) : (error as Error));
        };
        const target = new URL(path, url);
        const request = isTls ? httpsRequest(target, settings) : httpRequest(target, settings);
        request.on('error', fail);
        request.on('response', (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('error', fail);
          response.on('end', () => {
            const text = Buffer.concat(parts).toString('utf8');
            resolve({ status: response.statusCode ?? 0, text });
          });
        });
        request.end(body);
      });
    },
    close: () => {
      http.destroy();
      https.destroy();
    },
  };
}
