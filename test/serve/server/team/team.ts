/** A server for a team, called without a socket, and browsers with their cookies. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { standingClock, type StandingClock } from '../../../../src/base/clock.ts';
import { Secret } from '../../../../src/base/secret.ts';
import type { Role } from '../../../../src/app/config/role.ts';
import type { AuthSettings } from '../../../../src/app/config/served-team.ts';
import { openActions } from '../../../../src/serve/server/actions/open.ts';
import { createApp } from '../../../../src/serve/server/app.ts';
import { openDesk } from '../../../../src/serve/server/desk.ts';
import { openNotices, type Notices } from '../../../../src/serve/server/notices.ts';
import { teamCookieName } from '../../../../src/serve/server/protection.ts';
import type { RouteTable } from '../../../../src/serve/server/routes/index.ts';
import type { ProxyTo } from '../../../../src/serve/server/sign-in/issuer.ts';
import { teamSignIn } from '../../../../src/serve/server/sign-in/team.ts';
import { startOfRuns } from '../../../support/tape.ts';
import { clientSecret, startIssuer, type Claims, type Issuer } from './issuer.ts';
import { sandboxConfig } from '../../../support/sandbox-config.ts';

export const host = 'desk.example.com';
export const origin = `https://${host}`;
export const sessionName = teamCookieName;
export const signInName = `${teamCookieName}-sign-in`;

export interface Team {
  readonly issuer: Issuer;
  readonly clock: StandingClock;
  readonly errors: unknown[];
  readonly notices: Notices;
  readonly stateDir: string;
  readonly browser: (address?: string) => Browser;
  readonly close: () => Promise<void>;
}

export interface Browser {
  readonly cookies: Map<string, string>;
  /** The last `Set-Cookie` headers. */
  readonly set: string[];
  request(path: string, init?: RequestInit): Promise<Response>;
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Follows the link to sign in. @returns the address of the issuer it is sent to */
  begin(query?: string): Promise<string>;
  /** Follows the way back from the issuer. */
  finish(back: URL): Promise<Response>;
  /** Both, with what the issuer says about the person. */
  signIn(claims: Claims): Promise<Response>;
}

/** Claims of a person with each role. */
export const people: Readonly<Record<Role, Claims>> = {
  viewer: { sub: 'v', groups: ['readers'] },
  operator: { sub: 'o', groups: ['readers', 'desk'] },
  approver: { sub: 'a', email: 'ann@example.com', email_verified: true },
};

export const authOf = (issuer: string): AuthSettings => ({
  issuer: new URL(issuer),
  clientId: 'deskhand',
  roles: {
    viewer: ['readers'],
    operator: ['desk'],
    approver: ['ann@example.com', 'kim@example.com'],
  },
  groupsClaim: 'groups',
  scopes: ['openid', 'email'],
  idle: 3_600_000,
  expires: 43_200_000,
});

export interface TeamOptions {
  readonly table?: RouteTable;
  readonly isReadOnly?: boolean;
  readonly issuer?: Issuer;
  readonly proxyTo?: ProxyTo;
  readonly metricsToken?: Secret;
}

export async function team({
  table,
  isReadOnly = false,
  issuer: named,
  proxyTo = () => undefined,
  metricsToken,
}: TeamOptions = {}): Promise<Team> {
  const issuer = named ?? (await startIssuer());
  const clock = standingClock(startOfRuns);
  issuer.now = () => Math.floor(clock.now() / 1_000);
  const stateDir = mkdtempSync(join(tmpdir(), 'team-'));
  const config = sandboxConfig(stateDir);
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const signIn = teamSignIn({
    auth: authOf(issuer.url),
    secretOf: () => Promise.resolve(new Secret(clientSecret)),
    proxyTo,
    clock,
    onError,
  });
  const notices = openNotices();
  const ending = new AbortController();
  const app = createApp(
    {
      desks: [openDesk({ name: 'desk', folder: stateDir, config })],
      notices,
      sessions: signIn.sessions,
      signIn: { kind: 'team', team: signIn.team },
      clock,
      program: 'deskhand 0',
      isReadOnly,
      user: 'root',
      actions: openActions({ command: [process.execPath], env: {} }, stateDir, clock),
    },
    {
      hosts: new Set([host, `other.example.com`]),
      cookie: sessionName,
      isSecure: true,
      isProxied: true,
      assets: { page: '<!doctype html>', files: new Map() },
      ...(table && { table }),
      ...(metricsToken && { metricsToken }),
      signal: ending.signal,
      onError,
    },
  );

  const browser = (address = '192.0.2.1'): Browser => {
    const cookies = new Map<string, string>();
    const set: string[] = [];
    const request: Browser['request'] = async (path, init = {}) => {
      const headers = new Headers(init.headers);
      if (!headers.has('host')) headers.set('host', host);
      headers.set('x-forwarded-for', address);
      if (!headers.has('x-forwarded-proto')) headers.set('x-forwarded-proto', 'https');
      const pairs = [...cookies].map(([name, value]) => `${name}=${value}`);
      if (pairs.length > 0) headers.set('cookie', pairs.join('; '));
      const response = await app.request(path, { ...init, headers });
      set.splice(0, set.length, ...response.headers.getSetCookie());
      for (const cookie of set) {
        const [pair = ''] = cookie.split(';');
        const [name = '', value = ''] = pair.split('=');
        if (cookie.includes('Max-Age=0')) cookies.delete(name);
        else cookies.set(name, value);
      }
      return response;
    };
    const it: Browser = {
      cookies,
      set,
      request,
      post: (path, body = {}, headers = {}) =>
        request(`/api/v1${path}`, {
          method: 'POST',
          headers: { origin, 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        }),
      begin: async (query = '') => {
        const response = await request(`/api/v1/sign-in${query}`);
        return response.headers.get('location') ?? `none: ${response.status}`;
      },
      finish: (back) => request(`${back.pathname}${back.search}`),
      signIn: async (claims) => {
        issuer.claims = claims;
        return it.finish(issuer.authorize(await it.begin()));
      },
    };
    return it;
  };
  return {
    issuer,
    clock,
    errors,
    notices,
    stateDir,
    browser,
    close: async () => {
      ending.abort();
      await issuer.close();
    },
  };
}
