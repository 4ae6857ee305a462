/** The server as a function from requests to responses: protection, then the table of routes. */
import { Hono } from 'hono';
import { plainText } from '../../base/text.ts';
import { answer } from './answer.ts';
import type { App, AppOptions, Context } from './app-options.ts';
import type { ServerContext } from './route-context.ts';
import { failureOf, Refusal, unexpected } from './failure.ts';
import { monitoringOf } from './monitoring.ts';
import { cookieIn, hostIn, safeHeaders } from './protection.ts';
import { shownTo } from './shown-to.ts';
import { compress } from 'hono/compress';
import { requireToken } from './metrics-token.ts';
import { placeOf } from './route.ts';
import { routesOf } from './routes/index.ts';
import { attemptLimit } from './sign-in/attempts.ts';
import { openStreams } from './streams.ts';

export const apiPath = '/api/v1';

export function createApp(server: ServerContext, options: AppOptions): App {
  const app: App = new Hono();
  app.use(async (context, next) => {
    for (const [name, value] of Object.entries(headersOf(options))) context.header(name, value);
    requireOwnHost(context, options);
    await next();
  });
  app.use(compress()); // no stream of events: it would wait for the compressor
  addRoutes(app, server, options);
  addMonitoring(app, server, options);
  addPage(app, options);
  app.all('*', () => refuseMethod(['GET']));
  app.onError((error, context) => failed(error, context, server, options));
  return app;
}

function addRoutes(app: App, server: ServerContext, options: AppOptions): void {
  const limits = { attempts: attemptLimit(server.clock), streams: openStreams() };
  options.signal.addEventListener('abort', () => limits.streams.end(), { once: true });
  const methods = new Map<string, string[]>();
  for (const [name, route] of routesOf(server.isReadOnly, options.table, server.signIn.kind)) {
    const { method, path } = placeOf(name);
    const pattern = patternOf(path);
    const allowed = methods.get(pattern) ?? [];
    allowed.push(method);
    methods.set(pattern, allowed);
    app.on(method, pattern, async (context) => {
      context.header('Cache-Control', 'no-store');
      return answer(route, context, { server, options, limits });
    });
  }
  const removed = removedBy(server, options);
  for (const [pattern, allowed] of methods) {
    app.all(pattern, (context) => {
      if (removed.has(`${context.req.method} ${pattern}`)) refuseRoute();
      refuseMethod(allowed);
    });
  }
  app.all(`${apiPath}/*`, () => refuseRoute());
}

function addMonitoring(app: App, server: ServerContext, options: AppOptions): void {
  for (const [path, ask] of Object.entries(monitoringOf(server))) {
    app.get(path, async (context) => {
      if (path === '/metrics') requireToken(context.req.header('authorization'), options);
      const { status, type, text } = await ask();
      context.header('Cache-Control', 'no-store');
      return context.body(text, status, { 'Content-Type': type });
    });
  }
}

function addPage(app: App, { assets }: AppOptions): void {
  app.get('/assets/:name', (context) => {
    const asset = assets.files.get(context.req.param('name'));
    if (asset === undefined) throw new Refusal(404, 'not-found', 'unknown file');
    context.header('Cache-Control', 'public, max-age=31536000, immutable');
    return context.body(asset.body, 200, { 'Content-Type': asset.type });
  });
  app.get('*', (context) => {
    context.header('Cache-Control', 'no-store');
    return context.html(assets.page);
  });
}

/** The response to a request that failed. */
function failed(
  error: unknown,
  context: Context,
  server: ServerContext,
  options: AppOptions,
): Response {
  const failure = failureOf(error);
  if (failure === undefined) options.onError(error);
  const { status, code, message, hint, headers = {} } = failure ?? unexpected;
  for (const [name, value] of Object.entries({ ...headersOf(options), ...headers })) {
    context.header(name, value);
  }
  context.header('Cache-Control', 'no-store');
  const words = { code, message: plainText(message), ...(hint && { hint: plainText(hint) }) };
  const cookie = cookieIn(context.req.header('cookie'), options.cookie);
  const session = cookie === undefined ? undefined : server.sessions.find(cookie);
  return context.json({ error: shownTo(session, words, server) }, status);
}

function headersOf({ isSecure = false }: AppOptions): Readonly<Record<string, string>> {
  if (!isSecure) return safeHeaders;
  return { ...safeHeaders, 'Strict-Transport-Security': 'max-age=31536000' };
}

/** Refuses a request that was not addressed to this server. @throws Refusal */
function requireOwnHost(context: Context, options: AppOptions): void {
  const { hosts, isSecure = false, isProxied = false } = options;
  if (!hosts.has(hostIn(context.req.header('host'), isSecure))) {
    throw new Refusal(421, 'host', 'this server has another name');
  }
  if (isProxied && context.req.header('x-forwarded-proto') !== 'https') {
    const hint = 'the proxy must use https, and set X-Forwarded-Proto and X-Forwarded-For itself';
    throw new Refusal(400, 'proxy', 'the request did not come by https', hint);
  }
}

function patternOf(path: string): string {
  return apiPath + path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/**
 * Methods of patterns whose routes are absent in this mode, although other routes of the pattern
 * are present.
 */
function removedBy({ isReadOnly, signIn }: ServerContext, { table }: AppOptions): Set<string> {
  const left = new Set(routesOf(isReadOnly, table, signIn.kind).map(([name]) => name));
  const gone = routesOf(false, table).filter(([name]) => !left.has(name));
  return new Set(
    gone.map(([name]) => {
      const { method, path } = placeOf(name);
      return `${method} ${patternOf(path)}`;
    }),
  );
}

function refuseRoute(): never {
  throw new Refusal(404, 'not-found', 'unknown route');
}

function refuseMethod(allowed: readonly string[]): never {
  const message = `this address takes only ${allowed.join(' and ')}`;
  throw new Refusal(405, 'method', message, undefined, { Allow: allowed.join(', ') });
}
