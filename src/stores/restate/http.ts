/** Sends requests to a Restate server, over connections that are kept. */
import { request as httpRequest, type Agent } from 'node:http';
import { request as httpsRequest } from 'node:https';
import process from 'node:process';
import { agentFor } from '../../base/agent.ts';
import { environmentProxy } from '../../base/proxy.ts';
import { withHeaders } from '../../base/with-headers.ts';
import { userAgent } from '../../base/version.ts';
import type { Node } from './address.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of the request, as JSON. */
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly text: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface HttpClient {
  /**
   * Sends a request.
   * @throws ConfigError for a wrong variable, ProxyError, errors of the connection, the signal's reason
   */
  send(node: Node, request: HttpRequest): Promise<HttpResponse>;
  /** Closes the connections that are not in use. */
  close(): void;
}

/**
 * The HTTP client.
 * @param env with the proxy to each node; default: that of this process, as for the driver of Postgres
 */
export function httpClient(env: Environment = process.env): HttpClient {
  const agents = new Map<string, Agent>(); // by the origin of a node
  const agentOf = (url: URL): Agent => {
    const known = agents.get(url.origin);
    if (known !== undefined) return known;
    const options = { keepAlive: true, maxSockets: 64 };
    const agent = agentFor(url, environmentProxy(url, env), options);
    agents.set(url.origin, agent);
    return agent;
  };
  return {
    send: async ({ url, token }, { method, path, headers, body, signal }) => {
      const isTls = url.protocol === 'https:';
      const sent = {
        'user-agent': userAgent,
        ...headers,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
      };
      const settings = {
        method,
        agent: agentOf(url),
        signal,
      };
      return new Promise((resolve, reject) => {
        const fail = (error: unknown): void => {
          reject(signal.aborted ? (signal.reason as Error) : (error as Error));
        };
        const target = new URL(path, url);
        const request = withHeaders(sent, () =>
          isTls ? httpsRequest(target, settings) : httpRequest(target, settings),
        );
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
      for (const agent of agents.values()) agent.destroy();
    },
  };
}
