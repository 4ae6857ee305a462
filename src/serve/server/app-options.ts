/** Options of the app besides its routes, and the type of its requests. */
import type { Context as AnyContext, Hono } from 'hono';
import type { Secret } from '../../base/secret.ts';
import type { Assets } from './assets.ts';
import type { NodeRequest } from './client.ts';
import type { RouteTable } from './routes/index.ts';

export interface AppOptions {
  /** Names and ports under which a browser may address the server. */
  readonly hosts: ReadonlySet<string>;
  /** The name of the session's cookie. */
  readonly cookie: string;
  /** Whether browsers reach the server by https. */
  readonly isSecure?: boolean;
  /** Whether all requests come from a trusted proxy, which names the sender. */
  readonly isProxied?: boolean;
  /** The bearer token that `/metrics` needs; default: none. */
  readonly metricsToken?: Secret;
  readonly assets: Assets;
  /** The table of routes; default: all routes of the server. */
  readonly table?: RouteTable;
  /** The server's signal, aborted when it ends, which also ends streams. */
  readonly signal: AbortSignal;
  /** Called with an internal error, which no answer shows. */
  readonly onError: (error: unknown) => void;
}

interface Environment {
  readonly Bindings: NodeRequest;
}
export type Context = AnyContext<Environment>;
export type App = Hono<Environment>;
