/** Listens on loopback, and keeps the desks up to date until it is closed. */
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { serve } from '@hono/node-server';
import { millisecond, second, systemClock, type Clock, type Millis } from '../base/clock.ts';
import { createApp } from './app.ts';
import type { Assets } from './assets.ts';
import type { Program } from './actions/launch.ts';
import { openActions } from './actions/open.ts';
import type { ServerContext } from './context.ts';
import { openDesk, type Desk, type DeskPlace } from './desk.ts';
import { openNotices } from './notices.ts';
import { cookieName, loopbackHosts } from './protection.ts';
import { openSessions } from './session.ts';

export interface ServerOptions {
  readonly desks: readonly [DeskPlace, ...DeskPlace[]];
  /** Port on loopback; 0 picks a free one. */
  readonly port: number;
  readonly assets: Assets;
  readonly isReadOnly: boolean;
  /** The person at this machine. */
  readonly who: string;
  readonly program: string;
  /** How this program is started again. */
  readonly start: Program;
  readonly clock?: Clock;
  readonly onError: (error: unknown) => void;
  /** A link was used: the next one. */
  readonly onLink: (link: string) => void;
}

export interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

const address = '127.0.0.1';
const pollInterval: Millis = 400 * millisecond;
const fetchInterval: Millis = 5 * second;

/** @throws the error of the system when the port is taken */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { port, assets, isReadOnly, who, program, clock = systemClock, onError, onLink } = options;
  const ending = new AbortController();
  const desks = options.desks.map((place) => openDesk(place));
  const notices = openNotices();
  let url = '';
  const sessions = await openSessions(options.desks[0].config.stateDir, who, clock, () => show());
  const show = (): void => onLink(`${url}/#token=${sessions.link()}`);
  const { stateDir } = options.desks[0].config;
  const server: ServerContext = {
    desks,
    notices,
    sessions,
    clock,
    program,
    isReadOnly,
    user: who,
    actions: openActions(options.start, stateDir, clock),
  };
  let handle = (_request: Request): Response | Promise<Response> =>
    new Response(undefined, { status: 503 });
  const { http, bound } = await listening((request) => handle(request), port);
  url = `http://${address}:${bound}`;
  const app = createApp(server, {
    hosts: loopbackHosts(bound),
    cookie: cookieName(bound),
    assets,
    signal: ending.signal,
    onError,
  });
  handle = (request) => app.fetch(request);
  show();
  const watching = Promise.all([
    watch(server, ending.signal, onError),
    ...desks.map((desk) => fetching(desk, clock, ending.signal)),
  ]);
  return {
    url,
    close: async () => {
      ending.abort(new Error('the server ends'));
      await watching;
      await new Promise<void>((resolve) => {
        http.close(() => resolve());
        if ('closeAllConnections' in http) http.closeAllConnections();
      });
    },
  };
}

function listening(
  fetch: (request: Request) => Response | Promise<Response>,
  port: number,
): Promise<{ readonly http: Server; readonly bound: number }> {
  return new Promise((resolve, reject) => {
    const http = serve({ fetch, port, hostname: address }, ({ port: bound }: AddressInfo) =>
      resolve({ http: http as Server, bound }),
    );
    http.once('error', reject);
  });
}

/** Publishes what changed; an error of one round is reported and the next round tries again. */
async function watch(
  { desks, notices, clock }: ServerContext,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    for (const desk of desks) {
      try {
        for (const run of await desk.runs.poll()) {
          const seq = desk.runs.row(run)?.seq ?? 0;
          notices.publish({ kind: 'run', desk: desk.name, run, seq });
        }
      } catch (error) {
        onError(error);
      }
    }
    const isBehind = desks.some(({ runs }) => runs.progress().done < runs.progress().of);
    await clock.sleep(isBehind ? 0 : pollInterval, signal).catch(() => undefined);
  }
}

/** Beside `watch`: a slow store delays nothing that happens on this machine. */
async function fetching(desk: Desk, clock: Clock, signal: AbortSignal): Promise<void> {
  if (desk.config.state.store === 'local') return;
  while (!signal.aborted) {
    await desk.fetch();
    await clock.sleep(fetchInterval, signal).catch(() => undefined);
  }
}
