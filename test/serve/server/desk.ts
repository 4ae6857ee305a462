/** A server over a temporary state folder, called without a socket. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { standingClock, type StandingClock } from '../../../src/base/clock.ts';
import { openActions } from '../../../src/serve/server/actions/open.ts';
import { loadConfig } from '../../../src/app/config/load.ts';
import { createApp } from '../../../src/serve/server/app.ts';
import type { App } from '../../../src/serve/server/app-options.ts';
import type { ServerContext } from '../../../src/serve/server/route-context.ts';
import { openDesk, type Desk } from '../../../src/serve/server/desk.ts';
import { openNotices } from '../../../src/serve/server/notices.ts';
import { cookieName, loopbackHosts } from '../../../src/serve/server/protection.ts';
import type { RouteTable } from '../../../src/serve/server/routes/index.ts';
import type { DeskServices, QueueService } from '../../../src/serve/server/services.ts';
import type { Claim } from '../../../src/stores/store.ts';
import { openSessions, type LinkSessions } from '../../../src/serve/server/link-sessions.ts';
import { envOf } from '../../cli/deskhand.ts';
import { startOfRuns } from '../../support/tape.ts';

export const port = 8787;
export const origin = `http://127.0.0.1:${port}`;

export interface Served {
  readonly app: App;
  readonly links: LinkSessions;
  readonly clock: StandingClock;
  readonly desk: Desk;
  readonly server: ServerContext;
  readonly stateDir: string;
  readonly errors: unknown[];
  /** Looks at the state folder and publishes what changed, as the server does all the time. */
  readonly poll: () => Promise<void>;
  /** A request of the page, signed in. */
  readonly get: (path: string, headers?: Headers) => Promise<Response>;
  readonly post: (path: string, body: unknown, headers?: Headers) => Promise<Response>;
  readonly close: () => void;
}

type Headers = Readonly<Record<string, string>>;

export interface ServedOptions {
  readonly stateDir?: string;
  readonly isReadOnly?: boolean;
  readonly table?: RouteTable;
  /** A repository; default: a state folder alone. */
  readonly folder?: string;
  /** Default: none, as on a server of several repositories. */
  readonly services?: DeskServices;
  /** Work for workers; default: there are none. */
  readonly queue?: QueueService;
  /** Claims of runs in a shared store; default: the state is not shared. */
  readonly sync?: () => Promise<readonly Claim[]>;
  /** The environment of commands that the server starts. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: a clock of its own. */
  readonly clock?: StandingClock;
  /** Default: 8787. */
  readonly ownPort?: number;
  /** What it starts instead of the command line. */
  readonly command?: readonly [string, ...string[]];
}

export async function served(options: ServedOptions = {}): Promise<Served> {
  const { folder, env = {}, isReadOnly = false, table, services, ownPort = port } = options;
  const { queue, sync, clock = standingClock(startOfRuns) } = options;
  const { stateDir = mkdtempSync(join(tmpdir(), 'serve-')) } = options;
  const config =
    folder === undefined
      ? ({
          stateDir,
          state: { store: 'local' },
          profiles: new Map(),
          initial: 'sandbox',
        } as const)
      : await loadConfig({ cwd: folder, env });
  const place = { name: 'desk', folder: folder ?? stateDir, config };
  const others = { ...(services && { services }), ...(queue && { queue }), ...(sync && { sync }) };
  const desk = openDesk({ ...place, ...others }, clock);
  const sessions = openSessions(config.stateDir, 'ann', clock);
  const notices = openNotices();
  const server = {
    desks: [desk],
    notices,
    sessions,
    signIn: { kind: 'link', links: sessions } as const,
    clock,
    program: 'deskhand 0',
    isReadOnly,
    user: 'ann',
    actions: openActions(
      // Only tests that start the command line have a launcher.
      {
        command: options.command ?? [process.execPath, inject('launcher') ?? ''],
        env: envOf({ cwd: desk.folder, env }),
      },
      config.stateDir,
      clock,
    ),
  };
  const ending = new AbortController();
  const errors: unknown[] = [];
  const app = createApp(server, {
    hosts: loopbackHosts(ownPort),
    cookie: cookieName(ownPort),
    ...(table && { table }),
    assets: { page: '<!doctype html>', files: new Map() },
    signal: ending.signal,
    onError: (error) => errors.push(error),
  });
  const secret = await sessions.exchange(sessions.link());
  const own = { host: `127.0.0.1:${ownPort}`, cookie: `${cookieName(ownPort)}=${secret}` };
  return {
    app,
    links: sessions,
    clock,
    desk,
    server,
    stateDir: config.stateDir,
    errors,
    poll: async () => {
      for (const run of await desk.runs.poll()) {
        const seq = desk.runs.row(run)?.seq ?? 0;
        notices.publish({ kind: 'run', desk: desk.name, run, seq });
      }
    },
    get: async (path, headers = {}) =>
      app.request(`/api/v1${path}`, { headers: { ...own, ...headers } }),
    post: async (path, body, headers = {}) =>
      app.request(`/api/v1${path}`, {
        method: 'POST',
        headers: { ...own, origin, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    close: () => ending.abort(),
  };
}
