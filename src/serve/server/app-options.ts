/** What the app needs besides its routes, and the requests that it gets. */
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
  /** Whether browsers reach it by https. */
  readonly isSecure?: boolean;
  /** Whether all requests come from a trusted proxy, which says who sent them. */
  readonly isProxied?: boolean;
  /** The bearer token that `/metrics` needs; default: none. */
  readonly metricsToken?: Secret;
  readonly assets: Assets;
  /** Default: all routes of the server. */
  readonly table?: RouteTable;
  /** Aborted when the server ends: streams end then. */
  readonly signal: AbortSignal;
  /** An error of our own, which no answer shows. */
  readonly onError: (error: unknown) => void;
}

interface Environment {
  readonly Bindings: NodeRequest;
}
export type Context = AnyContext<Environment>;
export type App = Hono<Environment>;
