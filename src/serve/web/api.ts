/** The client of the server's API: it knows the table of routes by its types. */
import { signal } from '@preact/signals';
import { followServer } from './clock.ts';
import type {
  AnswerOf,
  BodyOf as BodyOfRoute,
  ParametersOf,
  Routes,
} from '../server/routes/index.ts';

type NamesOf<K> = {
  [N in keyof Routes]: Routes[N] extends { readonly kind: K } ? N : never;
}[keyof Routes];

export type ReadName = NamesOf<'read'>;
export type WriteName = NamesOf<'write'>;
export type Answer<N extends keyof Routes> = AnswerOf<Routes[N]>;
export type BodyOf<N extends WriteName> = BodyOfRoute<Routes[N]>;
export type Parameters<N extends keyof Routes> = ParametersOf<Routes[N]>;

/** The error of a refused call, or of a server that did not answer. */
export class CallError extends Error {
  readonly status: number;
  readonly hint: string | undefined;

  /** Creates the error of a call. @param status 0 if there was no answer */
  constructor(status: number, message: string, hint?: string) {
    super(message);
    this.status = status;
    this.hint = hint;
  }
}

/** Whether the session has ended: then only the sign-in page is shown. */
export const isSignedOut = signal(false);

/** Whether people sign in with an issuer, and not by a link. */
export const isTeam = signal(false);

export const eventsPath = pathOf('GET /events', {});

/** Calls a route that reads. @throws CallError */
export function read<N extends ReadName>(
  name: N,
  parameters: Parameters<N>,
  abort?: AbortSignal,
): Promise<Answer<N>> {
  return call(pathOf(name, parameters), { ...(abort && { signal: abort }) });
}

/** Calls a route that writes. @throws CallError */
export function write<N extends WriteName>(
  name: N,
  parameters: Parameters<N>,
  body: BodyOf<N>,
): Promise<Answer<N>> {
  return call(pathOf(name, parameters), {
    method: name.split(' ')[0] ?? 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/**
 * The address of a call: parameters that the path names become parts of it, the others its query.
 */
export function pathOf(name: keyof Routes, parameters: object): string {
  const values = new Map<string, string>(
    Object.entries(parameters).filter(([, value]) => value !== undefined && value !== ''),
  );
  const path = (name.split(' ')[1] ?? '').replaceAll(/\{(\w+)\}/g, (_part, key: string) => {
    const value = values.get(key) ?? '';
    values.delete(key);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams([...values]).toString();
  return `/api/v1${path}${query === '' ? '' : `?${query}`}`;
}

async function call<A>(path: string, init: RequestInit): Promise<A> {
  const response = await fetch(path, init).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    throw new CallError(0, 'the server does not answer', 'is `deskhand serve` running?');
  });
  followServer(response.headers.get('Date'));
  const data: unknown = await response.json().catch(() => undefined);
  if (response.ok) return data as A; // the server answers by its schema
  const { message = `the server answered ${response.status}`, hint, code } = errorIn(data);
  if (response.status === 401 && code?.startsWith('signed-out') === true) {
    isTeam.value = code === 'signed-out-of-team';
    isSignedOut.value = true;
  }
  throw new CallError(response.status, message, hint);
}

type Failure = Readonly<Partial<Record<'code' | 'message' | 'hint', string>>>;

function errorIn(data: unknown): Failure {
  if (typeof data !== 'object' || data === null || !('error' in data)) return {};
  return data.error as Failure;
}

/** The address at which a browser signs in with the issuer, to return to this page. */
export const signInPath = (): string =>
  `/api/v1/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`;

/** Ends the session, and the session at the issuer if it offers that. */
export async function signOut(): Promise<void> {
  const { next } = await write('POST /session/end', {}, {});
  location.assign(next ?? '/');
}
