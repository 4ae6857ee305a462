/** The server while it runs: it listens, and keeps the desks up to date until it is closed. */
import { millisecond, second, systemClock, type Clock, type Millis } from '../../base/clock.ts';
import type { Secret } from '../../base/secret.ts';
import type { ServeSettings } from '../../app/config/served-team.ts';
import { createApp } from './app.ts';
import type { AppOptions } from './app-options.ts';
import type { Assets } from './assets.ts';
import type { OwnProgram } from '../../app/machine/own-program.ts';
import { openActions } from './actions/open.ts';
import { checkedCertificate, renewing, type Certificate } from './certificate.ts';
import type { ServerContext } from './route-context.ts';
import { openDesk, type Desk, type DeskPlace } from './desk.ts';
import { listen, type ClientLimits, type Handlers, type ListenAddress } from './listener.ts';
import { openNotices } from './notices.ts';
import { callerOf } from './caller.ts';
import { cookieName, loopbackHosts, teamCookieName } from './protection.ts';
import { openSessions } from './link-sessions.ts';
import { teamSignIn } from './sign-in/team.ts';
import type { ProxyTo } from './sign-in/issuer.ts';

export interface ServerOptions {
  readonly desks: readonly [DeskPlace, ...DeskPlace[]];
  readonly mode: LinkMode | TeamMode;
  readonly assets: Assets;
  readonly isReadOnly: boolean;
  readonly program: string;
  /** The user of the system that runs the server: in link mode, the person. */
  readonly user: string;
  /** The command that starts this program again. */
  readonly start: OwnProgram;
  readonly clock?: Clock;
  readonly onError: (error: unknown) => void;
  /** Called when a passkey was made on the page, with its line for the file of passkeys. */
  readonly onEnrolled?: (line: string) => void;
  /** Limits of clients; default: those of a server that people use. */
  readonly limits?: ClientLimits;
}

/** The mode in which the person at this machine signs in by a link. */
export interface LinkMode {
  readonly kind: 'link';
  /** The port on loopback; 0 picks a free one. */
  readonly port: number;
  /**
   * The host name in the server's links: browsers have no passkeys for an address; default: the
   * address.
   */
  readonly name?: 'localhost';
  /** The page that links open; default: the runs. */
  readonly path?: string;
  /** Called when a link was used, with the next one. */
  readonly onLink: (link: string) => void;
}

/** The mode for people whom an issuer knows. */
export interface TeamMode {
  readonly kind: 'team';
  readonly settings: Pick<ServeSettings, 'hosts' | 'auth'>;
  readonly place:
    | {
        readonly kind: 'tls';
        readonly host: string;
        readonly port: number;
        /** Reads the files of the certificate. */
        readonly certificate: () => Promise<Certificate>;
      }
    | { readonly kind: 'socket'; readonly path: string };
  /** Reads the secret of the client at the issuer; undefined for a public client. */
  readonly secretOf: () => Promise<Secret | undefined>;
  /** The proxy to an address of the issuer. @throws ConfigError */
  readonly proxyTo: ProxyTo;
  /** The token that a monitor must send for `/metrics`; default: none. */
  readonly metricsToken?: Secret;
}

export interface RunningServer {
  readonly url: string;
  /** The port; 0 for a unix socket. */
  readonly port: number;
  close(): Promise<void>;
}

const pollInterval: Millis = 400 * millisecond;
const fetchInterval: Millis = 5 * second;
const boardInterval: Millis = second;
const keepInterval: Millis = 10 * second;

/**
 * Starts the server.
 * @throws ConfigError for an unusable certificate, or the error of the system when the port is
 * taken
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { mode, isReadOnly, program, clock = systemClock, onError, limits } = options;
  const ending = new AbortController();
  const desks = options.desks.map((place) => openDesk(place, clock));
  const { stateDir } = options.desks[0].config;
  const shared = {
    desks,
    notices: openNotices(),
    clock,
    program,
    isReadOnly,
    user: options.user,
    ...(options.onEnrolled && { onEnrolled: options.onEnrolled }),
    actions: openActions(options.start, stateDir, clock),
  };
  for (const { runs } of desks) await runs.open().catch(onError);
  let handlers = notReady;
  const { place, certificate } = await placeOf(mode);
  const later: Handlers = {
    handle: (request, node) => handlers.handle(request, node),
    caller: (request) => handlers.caller(request),
  };
  const listener = await listen(place, later, limits);
  const begun = await begin(mode, { ...options, clock, port: listener.port });
  const server: ServerContext = { ...shared, ...begun.people };
  const { assets } = options;
  const app = createApp(server, { ...begun.app, assets, signal: ending.signal, onError });
  handlers = {
    handle: (request, node) => app.fetch(request, node),
    caller: (request) => callerOf(request, begun.app.cookie, begun.people.sessions),
  };
  begun.start();
  const watching = Promise.all([
    watch(server, ending.signal, onError),
    ...desks.map((desk) => fetching(desk, server, ending.signal)),
    ...(certificate === undefined
      ? []
      : [
          renewing(certificate.first, {
            read: certificate.read,
            renew: (next) => listener.renew(next),
            onError,
            clock,
            signal: ending.signal,
          }),
        ]),
    ...desks.map((desk) => watchSchedules(desk, server, ending.signal)),
  ]);
  return {
    url: begun.url,
    port: listener.port,
    close: async () => {
      ending.abort(new Error('the server ends'));
      await watching;
      for (const { runs } of desks) runs.keep(true);
      await listener.close();
    },
  };
}

const notReady: Handlers = {
  handle: () => new Response(undefined, { status: 503 }),
  caller: () => undefined,
};

interface Begun {
  readonly url: string;
  readonly people: Pick<ServerContext, 'sessions' | 'signIn'>;
  readonly app: Pick<AppOptions, 'hosts' | 'cookie' | 'isSecure' | 'isProxied' | 'metricsToken'>;
  /** Starts the mode; called when the server answers. */
  readonly start: () => void;
}

async function begin(
  mode: LinkMode | TeamMode,
  {
    desks,
    user,
    port,
    clock,
    onError,
  }: Pick<ServerOptions, 'desks' | 'user' | 'onError'> & {
    readonly port: number;
    readonly clock: Clock;
  },
): Promise<Begun> {
  if (mode.kind === 'link') {
    const url = new URL(`http://${mode.name ?? '127.0.0.1'}:${port}`).origin;
    const show = (): void => mode.onLink(`${url}${mode.path ?? '/'}#token=${sessions.link()}`);
    const sessions = openSessions(desks[0].config.stateDir, user, clock, show);
    return {
      url,
      people: { sessions, signIn: { kind: 'link', links: sessions } },
      app: { hosts: loopbackHosts(port), cookie: cookieName(port) },
      start: show,
    };
  }
  const { settings, secretOf, proxyTo, place, metricsToken } = mode;
  const { team, sessions } = teamSignIn({
    auth: settings.auth,
    secretOf,
    proxyTo,
    clock,
    onError,
  });
  return {
    url: `https://${settings.hosts[0] ?? ''}`,
    people: { sessions, signIn: { kind: 'team', team } },
    app: {
      hosts: new Set(settings.hosts),
      cookie: teamCookieName,
      isSecure: true,
      isProxied: place.kind === 'socket',
      ...(metricsToken && { metricsToken }),
    },
    start: () => undefined,
  };
}

async function placeOf(mode: LinkMode | TeamMode): Promise<{
  readonly place: ListenAddress;
  readonly certificate?: {
    readonly first: Certificate;
    readonly read: () => Promise<Certificate>;
  };
}> {
  if (mode.kind === 'link') {
    return { place: { kind: 'loopback', port: mode.port, isNamed: mode.name !== undefined } };
  }
  if (mode.place.kind === 'socket') return { place: mode.place };
  const { host, port, certificate: read } = mode.place;
  const first = await checkedCertificate(read);
  return { place: { kind: 'tls', host, port, certificate: first }, certificate: { first, read } };
}

/** Publishes changes; an error of one round is reported and the next round tries again. */
async function watch(
  { desks, notices, clock }: ServerContext,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> {
  let keptAt = clock.now();
  // The first page shows what the catalogue has; the files are looked at afterwards.
  await clock.sleep(pollInterval, signal).catch(() => undefined);
  while (!signal.aborted) {
    const isToKeep = Math.abs(clock.now() - keptAt) >= keepInterval;
    if (isToKeep) keptAt = clock.now();
    for (const desk of desks) {
      try {
        if (isToKeep) desk.runs.keep(false);
        for (const run of await desk.runs.poll()) {
          const seq = desk.runs.row(run)?.seq ?? 0;
          notices.publish({ kind: 'run', desk: desk.name, run, seq });
        }
      } catch (error) {
        onError(error);
      }
    }
    const isBehind = desks.some(({ runs }) => runs.isBehind());
    await clock.sleep(isBehind ? 0 : pollInterval, signal).catch(() => undefined);
  }
}

/**
 * Publishes changes of schedules, independent of `watch`: other machines may keep the schedules,
 * too.
 */
async function watchSchedules(
  { board, name, config }: Desk,
  { notices, clock }: ServerContext,
  signal: AbortSignal,
): Promise<void> {
  if (board === undefined) return;
  const interval = config.state.store === 'local' ? boardInterval : fetchInterval;
  while (!signal.aborted) {
    // A store that cannot be reached is shown by the pages that read it.
    const isChanged = await board.isChanged().catch(() => false);
    if (isChanged) {
      board.forget();
      notices.publish({ kind: 'schedules', desk: name });
    }
    await clock.sleep(interval, signal).catch(() => undefined);
  }
}

/**
 * Fetches changes of other machines, independent of `watch`: a slow store delays nothing that
 * happens on this machine.
 */
async function fetching(
  desk: Desk,
  { clock, notices }: ServerContext,
  signal: AbortSignal,
): Promise<void> {
  if (desk.config.state.store === 'local') return;
  while (!signal.aborted) {
    const [, isChanged] = await Promise.all([desk.fetch(), desk.queue?.fetch()]);
    if (isChanged === true) notices.publish({ kind: 'queue', desk: desk.name });
    await clock.sleep(fetchInterval, signal).catch(() => undefined);
  }
}
