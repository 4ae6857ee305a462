/** A route of the API: its callers, its parameters and answers, and its handler. */
import { optional, record, text, type Infer, type Schema } from '../../exchange/api/schema.ts';
import type { Role } from '../../app/config/role.ts';
import type { ServerContext } from './route-context.ts';
import type { ServerEvent } from './notices.ts';
import type { Session } from './session.ts';

/** The key of a route in the table: `GET /runs/{run}`. Parts in braces are parameters. */
export type RouteName = `${Method} /${string}`;
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** How people sign in: by a link at this machine, or as a team with an issuer. */
export type SignInMode = 'link' | 'team';

interface Common<P> {
  /** The title in the OpenAPI document: what the route does, as an imperative sentence. */
  readonly title: string;
  /** The least role that may call the route; `anyone` needs no session. */
  readonly role: Role | 'anyone';
  /** Parameters of the path, and of the query for the others: all are text. */
  readonly parameters: Schema<P>;
  /** The mode in which the route exists; default: both. */
  readonly mode?: SignInMode;
  /** Whether the route is an attempt to sign in: their number is limited for each address. */
  readonly isAttempt?: true;
}

/** A route that answers with JSON. */
export interface ReadRoute<P, A> extends Common<P> {
  readonly kind: 'read';
  readonly answer: Schema<A>;
  handle(request: RouteRequest<P>, server: ServerContext): Promise<A> | A;
}

/**
 * A route that changes something: it is absent under `--read-only`, and takes requests of our own
 * page only.
 */
export interface WriteRoute<P, B, A> extends Common<P> {
  readonly kind: 'write';
  readonly body: Schema<B>;
  readonly answer: Schema<A>;
  /**
   * Whether `--read-only` keeps the route: it changes nothing of the desk, such as the exchange of
   * a link for a session.
   */
  readonly isKept?: true;
  /**
   * The action in words for the audit log; default: the route's name and parameters. Never a
   * secret.
   */
  audited?(request: { readonly parameters: P; readonly body: B }): string;
  handle(request: RouteRequest<P> & { readonly body: B }, server: ServerContext): Promise<A> | A;
}

/** A route that answers with server-sent events until the client leaves. */
export interface StreamRoute<P, E> extends Common<P> {
  readonly kind: 'stream';
  readonly event: Schema<E>;
  /**
   * Opens the stream.
   * @param lastEventId the last event that the client has seen
   */
  open(
    request: RouteRequest<P> & { readonly lastEventId: string | undefined },
    server: ServerContext,
    signal: AbortSignal,
  ): AsyncIterable<ServerEvent<E>>;
}

/** A route that answers with a file to save. */
export interface FileRoute<P> extends Common<P> {
  readonly kind: 'file';
  handle(request: RouteRequest<P>, server: ServerContext): Promise<Sent>;
}

export interface Sent {
  /** The file name that is proposed to the browser. */
  readonly name: string;
  /** The length in bytes; absent if only the end of the file shows it. */
  readonly bytes?: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * A route that sends a browser that navigates to another address; a refusal is shown as a page.
 */
export interface RedirectRoute<P> extends Common<P> {
  readonly kind: 'redirect';
  /**
   * Handles a request.
   * @returns a path of this server, or an address of the issuer
   */
  handle(request: RedirectRequest<P>, server: ServerContext): Promise<string>;
}

export interface RedirectRequest<P> extends RouteRequest<P> {
  /** The query string as it was sent: `?code=…`. */
  readonly search: string;
  /** The cookie of a sign-in that this browser began. */
  readonly signIn: string | undefined;
  /** Sets the cookie of the sign-in, or removes it. */
  readonly setSignIn: (secret: string | undefined) => void;
}

export interface RouteRequest<P> {
  readonly parameters: P;
  /** The session of the caller; absent for `anyone` without a session. */
  readonly session?: Session;
  /** Sets the cookie of a new session, or removes it. */
  readonly setSession: (secret: string | undefined) => void;
  /** The value of the session's cookie. */
  readonly cookie?: string;
  /** The name and port that the browser uses for this server; one of the allowed ones. */
  readonly host: string;
  /** The IP address of the client, and its browser, for records. */
  readonly from: string;
}

/**
 * Any route, for code that treats all alike; parameters and bodies are validated against its
 * schemas.
 */
export type Route =
  | ReadRoute<unknown, unknown>
  | WriteRoute<unknown, unknown, unknown>
  | StreamRoute<unknown, unknown>
  | FileRoute<unknown>
  | RedirectRoute<unknown>;

export const reads = <P, A>(route: Omit<ReadRoute<P, A>, 'kind'>): ReadRoute<P, A> => ({
  kind: 'read',
  ...route,
});

export const writes = <P, B, A>(route: Omit<WriteRoute<P, B, A>, 'kind'>): WriteRoute<P, B, A> => ({
  kind: 'write',
  ...route,
});

export const streams = <P, E>(route: Omit<StreamRoute<P, E>, 'kind'>): StreamRoute<P, E> => ({
  kind: 'stream',
  ...route,
});

export const redirects = <P>(route: Omit<RedirectRoute<P>, 'kind'>): RedirectRoute<P> => ({
  kind: 'redirect',
  ...route,
});

export const sends = <P>(route: Omit<FileRoute<P>, 'kind'>): FileRoute<P> => ({
  kind: 'file',
  ...route,
});

type Fields = Parameters<typeof record>[0];

/** The schema of an object with these fields and no others. */
export const exactRecord = <F extends Fields>(fields: F): ReturnType<typeof record<F>> =>
  record(fields, { additionalProperties: false });

/** The schema for routes without parameters, or without a body. */
export const noFields = exactRecord({});

/** A parameter: text of limited length. */
export const parameter = (description: string, maxLength = 200): Schema<string> =>
  text({ description, maxLength });

/** A parameter that is a time. */
export const timeParameter = (description: string): Schema<string> =>
  text({ description: `${description}, Unix milliseconds`, pattern: '^[0-9]{1,15}$' });

/** A parameter that is a whole number. */
export const numberParameter = (description: string): Schema<string> =>
  text({ description, pattern: '^[0-9]{1,9}$', maxLength: 9 });

/** A whole number among parameters as a field; none if it was not given. */
export function numberIn<N extends string>(
  name: N,
  given: string | undefined,
): { readonly [K in N]?: number } {
  return given === undefined ? {} : ({ [name]: Number(given) } as { [K in N]?: number });
}

/** Parameters that name a run. */
export const runParameters = {
  run: parameter('The run', 64),
  desk: optional(parameter('The desk, if several have runs', 80)),
};

/** The type of a route's parameters in path and query. */
export type ParametersOf<R> = R extends { readonly parameters: infer S } ? Infer<S> : never;
export type AnswerOf<R> = R extends { readonly answer: infer S } ? Infer<S> : never;
export type BodyOf<R> = R extends { readonly body: infer S } ? Infer<S> : never;
export type EventOf<R> = R extends { readonly event: infer S } ? Infer<S> : never;

/** Method and path of a route, and the names in its path. */
export function placeOf(name: string): {
  readonly method: string;
  readonly path: string;
  readonly names: readonly string[];
} {
  const [method = '', path = ''] = name.split(' ');
  return { method, path, names: [...path.matchAll(/\{(\w+)\}/g)].map(([, each = '']) => each) };
}
