/** Answers one route: before it is handled, the caller is identified and allowed, and the request is
 * validated.
 */
import { schemaProblems } from '../../exchange/api/check.ts';
import type { Schema } from '../../exchange/api/schema.ts';
import { second } from '../../base/clock.ts';
import type { AppOptions, Context } from './app-options.ts';
import { audited } from './audited.ts';
import { bodyOf } from './body.ts';
import { addressOf, forwardedAddress } from './client.ts';
import type { ServerContext } from './route-context.ts';
import { failureOf, Refusal, unexpected } from './failure.ts';
import { messagePage } from './message-page.ts';
import {
  cookieIn,
  hostIn,
  isOtherPage,
  isOwnPage,
  setCookie,
  type Provenance,
} from './protection.ts';
import type { RedirectRequest, Route, Sent } from './route.ts';
import { fromLists } from './run-filter.ts';
import { byIssuer, SignInError } from './routes/sessions.ts';
import { mayAct, type Session } from './session.ts';
import type { Attempts } from './sign-in/attempts.ts';
import { shownTo } from './shown-to.ts';
import { pendingLength } from './sign-in/pending.ts';
import { beginPath } from './sign-in/team.ts';
import { streamed } from './stream.ts';
import type { OpenStreams } from './streams.ts';

export interface AnswerContext {
  readonly server: ServerContext;
  readonly options: AppOptions;
  readonly limits: { readonly attempts: Attempts; readonly streams: OpenStreams };
}

export async function answer(
  route: Route,
  context: Context,
  all: AnswerContext,
): Promise<Response> {
  if (route.kind !== 'redirect') return handled(route, context, all);
  try {
    return await handled(route, context, all);
  } catch (error) {
    return refusalPage(error, context, all.options);
  }
}

async function handled(route: Route, context: Context, all: AnswerContext): Promise<Response> {
  const { server, options, limits } = all;
  if (route.kind === 'write') requireOwnPage(context, options);
  else if (route.kind !== 'redirect') refuseOtherPages(context, options);
  const address =
    options.isProxied === true
      ? forwardedAddress(context.req.header('x-forwarded-for'))
      : addressOf(context.env?.incoming);
  if (route.isAttempt === true) limitAttempts(address, limits.attempts);
  const request = requestOf(route, context, all, address);
  switch (route.kind) {
    case 'read': {
      const made = await fromLists(server.desks.length, () => route.handle(request, server));
      return context.json(shownTo(request.session, made, server));
    }
    case 'write': {
      const body = checked(route.body, await bodyOf(context.req.raw), 'body');
      const write = { ...request, body };
      const what =
        route.audited?.(write) ??
        `${context.req.method} ${context.req.path.replace(/^\/api\/v1/, '')}`;
      const done = await audited(write, what, server, async () => route.handle(write, server));
      return context.json(shownTo(request.session, done, server));
    }
    case 'stream': {
      const { cookie = '' } = request;
      return streamed(context, {
        enter: (end) => limits.streams.enter(cookie, end),
        isAllowed: () => server.sessions.find(cookie) !== undefined,
        onError: options.onError,
        open: (signal) => {
          const lastEventId = context.req.header('last-event-id');
          return route.open({ ...request, lastEventId }, server, signal);
        },
      });
    }
    case 'file':
      return saved(context, await route.handle(request, server));
    case 'redirect':
      return context.redirect(await route.handle(request, server), 302);
  }
}

/**
 * Answers with a file to save, and never to show: a page of ours may not become a page of the file.
 */
function saved(context: Context, { name, bytes, content }: Sent): Response {
  context.header('Content-Type', 'application/octet-stream');
  const encoded = encodeURIComponent(name).replaceAll("'", '%27');
  context.header('Content-Disposition', `attachment; filename*=UTF-8''${encoded}`);
  if (bytes !== undefined) context.header('Content-Length', String(bytes));
  return context.body(ReadableStream.from(content));
}

/** The validated request of a route. @throws Refusal, SignInError */
function requestOf(
  route: Route,
  context: Context,
  { server, options }: AnswerContext,
  address: string,
): RedirectRequest<unknown> {
  const cookies = cookiesOf(context, options, (secret) => {
    const until = server.sessions.find(secret)?.until;
    return until === undefined ? 0 : Math.ceil((until - server.clock.now()) / second);
  });
  const { session: cookie, signIn } = cookies;
  const session = cookie === undefined ? undefined : server.sessions.find(cookie);
  requireRole(route, session, server);
  const query = { ...context.req.query(), ...context.req.param() };
  return {
    parameters: checked(route.parameters, query, 'parameters'),
    ...(session && { session }),
    ...(cookie !== undefined && { cookie }),
    host: hostIn(context.req.header('host'), options.isSecure === true),
    from: `${address} ${context.req.header('user-agent') ?? ''}`.trim(),
    search: new URL(context.req.url).search,
    signIn,
    setSession: cookies.setSession,
    setSignIn: cookies.setSignIn,
  };
}

type Cookies = Pick<RedirectRequest<unknown>, 'setSession' | 'setSignIn'> & {
  readonly session: string | undefined;
  readonly signIn: string | undefined;
};

/** @param secondsOf how long the session of a secret lasts, which its cookie does, too */
function cookiesOf(
  context: Context,
  { cookie, isSecure = false }: AppOptions,
  secondsOf: (secret: string) => number,
): Cookies {
  const header = context.req.header('cookie');
  const signIn = `${cookie}-sign-in`;
  const set = (value: string): void => context.header('Set-Cookie', value, { append: true });
  return {
    session: cookieIn(header, cookie),
    signIn: cookieIn(header, signIn),
    setSession: (secret) => {
      const seconds = secret === undefined ? 0 : secondsOf(secret);
      set(setCookie(cookie, secret ?? '', { seconds, isSecure, sameSite: 'Strict' }));
    },
    // A browser returns from the issuer by a link of another site: Strict would not send it.
    setSignIn: (secret) => {
      const seconds = secret === undefined ? 0 : pendingLength / second;
      set(setCookie(signIn, secret ?? '', { seconds, isSecure, sameSite: 'Lax' }));
    },
  };
}

function requireOwnPage(context: Context, options: AppOptions): void {
  if (!isOwnPage(provenanceOf(context, options))) refuseOrigin();
}

/**
 * Refuses requests of other pages. They could not read the answer, but it may start a process, or
 * end a stream of the page.
 */
function refuseOtherPages(context: Context, options: AppOptions): void {
  if (isOtherPage(provenanceOf(context, options))) refuseOrigin();
}

function provenanceOf(context: Context, { isSecure = false }: AppOptions): Provenance {
  const header = (name: string): string | undefined => context.req.header(name);
  const [origin, site] = [header('origin'), header('sec-fetch-site')];
  return { host: hostIn(header('host'), isSecure), origin, site, isSecure };
}

function refuseOrigin(): never {
  throw new Refusal(403, 'origin', 'this request does not come from the page');
}

function limitAttempts(address: string, attempts: Attempts): void {
  const seconds = Math.ceil(attempts.wait(address) / second);
  if (seconds === 0) return;
  throw new Refusal(
    429,
    'attempts',
    'too many attempts to sign in from this address',
    `wait ${seconds} s`,
    { 'Retry-After': String(seconds) },
  );
}

function requireRole(
  { role }: Route,
  session: Session | undefined,
  { signIn }: ServerContext,
): void {
  if (role === 'anyone') return;
  if (session === undefined) {
    const how = signIn.kind === 'team' ? byIssuer : undefined;
    throw new SignInError('you are not signed in', how);
  }
  if (mayAct(session, role)) return;
  throw new Refusal(403, 'role', `this needs the role ${role}; you have ${session.role}`);
}

/** Validates a value. @throws Refusal unless it fits */
function checked(schema: Schema<unknown>, value: unknown, what: string): unknown {
  const [problem] = schemaProblems(schema.json, value);
  if (problem !== undefined) throw new Refusal(400, 'usage', `${what}: ${problem.message}`);
  if (hasNull(value)) throw new Refusal(400, 'usage', `${what}: a text has a null character`);
  return value;
}

/**
 * Whether a value contains a null character: no path and no argument of a command can have it, and
 * no person types it.
 */
function hasNull(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNull);
}

/** A text with a capital and a full stop; names at the start keep their case. */
function sentence(text: string): string {
  const isName = /^\S*[@\d]/.test(text);
  const begun = isName ? text : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
  return begun.endsWith('.') ? begun : `${begun}.`;
}

/** A page that shows a refusal, for a browser that navigates: it shows no JSON. */
function refusalPage(error: unknown, context: Context, options: AppOptions): Response {
  const failure = failureOf(error);
  if (failure === undefined) options.onError(error);
  const { status, code, message, hint, headers = {} } = failure ?? unexpected;
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
  const other = { path: `${beginPath}?prompt=login`, text: 'Sign in as another person' };
  const again = { path: beginPath, text: code === 'declined' ? 'Try again' : 'Sign in' };
  const titles: Readonly<Record<string, string>> = {
    role: 'No role',
    declined: 'Sign-in declined',
  };
  const links: Readonly<Record<string, readonly (typeof again)[]>> = {
    role: [other],
    declined: [again, other],
  };
  const page = messagePage(options.assets, {
    title: titles[code] ?? 'Not signed in',
    lines: [message, ...(hint === undefined ? [] : [hint])].map(sentence),
    links: links[code] ?? [again],
  });
  return context.html(page, status);
}
