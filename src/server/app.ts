/** The server as a function from requests to responses: protection, then the table of routes. */
import type { IncomingMessage } from 'node:http';
import { Hono, type Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { schemaProblems } from '../api/check.ts';
import type { Schema } from '../api/schema.ts';
import { atIntervals, second, type Millis } from '../base/clock.ts';
import { plainText } from '../base/text.ts';
import type { Assets } from './assets.ts';
import type { ServerContext } from './context.ts';
import { failureOf, Refusal } from './failure.ts';
import { monitoringOf } from './monitoring.ts';
import { cookieIn, isOwnPage, safeHeaders, sessionCookie } from './protection.ts';
import { placeOf, type Route, type RouteRequest } from './route.ts';
import { routesOf, type RouteTable } from './routes/index.ts';
import { SignInError } from './routes/sessions.ts';
import { mayAct, type Session } from './session.ts';

export interface AppOptions {
  /** Names and ports under which a browser may address the server. */
  readonly hosts: ReadonlySet<string>;
  /** The name of the session's cookie. */
  readonly cookie: string;
  readonly assets: Assets;
  /** Default: all routes of the server. */
  readonly table?: RouteTable;
  /** Aborted when the server ends: streams end then. */
  readonly signal: AbortSignal;
  /** An error of our own, which no answer shows. */
  readonly onError: (error: unknown) => void;
}

export const apiPath = '/api/v1';

const bodyMax = 64 * 1024; // bytes; our requests have a few hundred
const heartbeat: Millis = 15 * second; // below the limits of proxies

export function createApp(server: ServerContext, options: AppOptions): Hono {
  const { hosts, assets } = options;
  const app = new Hono();
  app.use(async (context, next) => {
    for (const [name, value] of Object.entries(safeHeaders)) context.header(name, value);
    if (!hosts.has(context.req.header('host')?.toLowerCase() ?? '')) {
      throw new Refusal(421, 'host', 'this server has another name');
    }
    await next();
  });
  for (const [name, route] of routesOf(server.isReadOnly, options.table)) {
    const { method, path } = placeOf(name);
    app.on(method, apiPath + path.replaceAll(/\{(\w+)\}/g, ':$1'), async (context) => {
      context.header('Cache-Control', 'no-store');
      return answer(route, context, server, options);
    });
  }
  app.all(`${apiPath}/*`, () => {
    throw new Refusal(404, 'not-found', 'unknown route');
  });
  for (const [path, ask] of Object.entries(monitoringOf(server))) {
    app.get(path, async (context) => {
      const { status, type, text } = await ask();
      context.header('Cache-Control', 'no-store');
      return context.body(text, status, { 'Content-Type': type });
    });
  }
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
  app.notFound(() => {
    throw new Refusal(404, 'not-found', 'unknown page');
  });
  app.onError((error, context) => {
    const failure = failureOf(error);
    if (failure === undefined) options.onError(error);
    const { status, ...shown } = failure ?? unexpected;
    for (const [name, value] of Object.entries(safeHeaders)) context.header(name, value);
    context.header('Cache-Control', 'no-store');
    const { code, message, hint } = shown;
    const words = { code, message: plainText(message), ...(hint && { hint: plainText(hint) }) };
    return context.json({ error: words }, status);
  });
  return app;
}

const unexpected = {
  status: 500,
  code: 'internal',
  message: 'an unexpected error; the terminal of the server has it',
  hint: undefined,
} as const;

async function answer(
  route: Route,
  context: Context,
  server: ServerContext,
  options: AppOptions,
): Promise<Response> {
  if (route.kind === 'write') requireOwnPage(context);
  const cookie = cookieIn(context.req.header('cookie'), options.cookie);
  const session = cookie === undefined ? undefined : server.sessions.find(cookie);
  requireRole(route, session);
  const request: RouteRequest<unknown> = {
    parameters: checked(
      route.parameters,
      { ...context.req.query(), ...context.req.param() },
      'parameters',
    ),
    ...(session && { session }),
    ...(cookie !== undefined && { cookie }),
    setSession: (secret) => {
      const removed = secret === undefined ? { seconds: 0 } : {};
      const value = sessionCookie(options.cookie, secret ?? '', { ...removed, isSecure: false });
      context.header('Set-Cookie', value);
    },
  };
  switch (route.kind) {
    case 'read':
      return context.json(await route.handle(request, server));
    case 'write': {
      const body = checked(route.body, await bodyOf(context), 'body');
      const write = { ...request, body };
      const work = async (): Promise<unknown> => route.handle(write, server);
      return context.json(await audited(route, write, context, server, work));
    }
    case 'stream': {
      const lastEventId = context.req.header('last-event-id');
      return streamed(context, options.signal, (signal) =>
        route.open({ ...request, lastEventId }, server, signal),
      );
    }
  }
}

/** @throws DiskError when the line cannot be written; then nothing was carried out */
async function audited(
  route: Extract<Route, { readonly kind: 'write' }>,
  { session, parameters, body }: RouteRequest<unknown> & { readonly body: unknown },
  context: Context,
  { actions: { audit } }: ServerContext,
  work: () => Promise<unknown>,
): Promise<unknown> {
  if (session === undefined) return work(); // strangers could fill the disk
  const what =
    route.audited?.({ parameters, body }) ??
    `${context.req.method} ${context.req.path.slice(apiPath.length)}`;
  const id = await audit.asked({ who: session.who, from: fromOf(context), what });
  try {
    const answer = await work();
    await audit.answered(id, 200, '');
    return answer;
  } catch (error) {
    const { status, message } = failureOf(error) ?? unexpected;
    await audit.answered(id, status, message);
    throw error;
  }
}

/** The address and the browser of a request; a test has no address. */
function fromOf(context: Context): string {
  const { incoming } = Object(context.env) as { readonly incoming?: IncomingMessage };
  const address = incoming?.socket?.remoteAddress ?? '';
  return `${address} ${context.req.header('user-agent') ?? ''}`.trim();
}

function requireOwnPage(context: Context): void {
  const header = (name: string): string | undefined => context.req.header(name);
  const isOwn = isOwnPage({
    host: header('host'),
    origin: header('origin'),
    site: header('sec-fetch-site'),
    isSecure: false,
  });
  if (!isOwn) throw new Refusal(403, 'origin', 'this request does not come from the page');
}

function requireRole({ role }: Route, session: Session | undefined): void {
  if (role === 'anyone') return;
  if (session === undefined) throw new SignInError('you are not signed in');
  if (mayAct(session, role)) return;
  throw new Refusal(403, 'role', `this needs the role ${role}; you have ${session.role}`);
}

/** @throws Refusal unless it fits */
function checked(schema: Schema<unknown>, value: unknown, what: string): unknown {
  const [problem] = schemaProblems(schema.json, value);
  if (problem === undefined) return value;
  throw new Refusal(400, 'usage', `${what}: ${problem.message}`);
}

async function bodyOf(context: Context): Promise<unknown> {
  const [type] = context.req.header('content-type')?.split(';') ?? [];
  if (type !== 'application/json') throw new Refusal(415, 'usage', 'the body is not JSON');
  const bytes = await limited(context.req.raw);
  try {
    return JSON.parse(bytes);
  } catch {
    throw new Refusal(400, 'usage', 'the body is not JSON');
  }
}

/** The body, read no further than its limit. */
async function limited(request: Request): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > bodyMax) throw new Refusal(413, 'usage', `the body exceeds ${bodyMax} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Ends with the client or the server, the earlier of the two. */
function streamed(
  context: Context,
  ending: AbortSignal,
  open: (signal: AbortSignal) => AsyncIterable<{ readonly id: string; readonly data: unknown }>,
): Response {
  return streamSSE(context, async (stream) => {
    const over = new AbortController();
    const end = (): void => over.abort();
    stream.onAbort(end);
    ending.addEventListener('abort', end);
    const stopBeating = atIntervals(heartbeat, () => void stream.write(': alive\n\n'));
    try {
      await stream.write('retry: 1000\n\n');
      for await (const { id, data } of open(over.signal)) {
        await stream.writeSSE({ id, data: JSON.stringify(data) });
      }
    } finally {
      stopBeating();
      ending.removeEventListener('abort', end);
    }
  });
}
