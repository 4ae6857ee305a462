/** The service that executes the handlers. It has no state, so that several may run. */
import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { systemClock, type Clock } from '../../base/clock.ts';
import { files } from './objects/files-object.ts';
import { lines } from './objects/lines.ts';
import { output } from './objects/output.ts';
import { pace } from './objects/pace.ts';
import { plan } from './objects/plan-object.ts';
import { queue } from './objects/queue-object.ts';
import { registry } from './objects/registry.ts';
import { run } from './objects/run-object.ts';
import { summary } from './objects/summary-object.ts';
import { endpointOf } from './sdk.ts';
import { listenForStreams, type StreamListener } from './stream/listener.ts';

export interface ServeOptions {
  readonly host: string;
  /** The port to listen on; 0 for a free one. */
  readonly port: number;
  /** The address to which processes that have runs connect. Default: a free port of loopback. */
  readonly stream?: { readonly host: string; readonly port: number };
  /** Public keys of accepted servers, as for `endpointOf`. */
  readonly identityKeys?: readonly string[];
  readonly clock?: Clock;
  readonly onProblem?: (message: string) => void;
}

export interface Service {
  readonly port: number;
  /** Closes the service. Calls in progress are executed again by another process. */
  close(): Promise<void>;
}

/** Starts the service. @throws StoreError without the package; errors of the system when it cannot listen */
export async function serve(options: ServeOptions): Promise<Service> {
  const { host, port, identityKeys = [], clock = systemClock, onProblem } = options;
  const { stream = { host: '127.0.0.1', port: 0 } } = options;
  const streams = await listenForStreams(stream.host, stream.port);
  try {
    const handler = await endpointOf({
      objects: [run, lines, registry, queue, plan, files, output, pace, summary],
      clock,
      streams,
      identityKeys,
      onProblem: onProblem ?? (() => undefined),
    });
    return await listening(createServer(handler), host, port, streams);
  } catch (error) {
    streams.close();
    throw error;
  }
}

async function listening(
  server: Http2Server,
  host: string,
  port: number,
  streams: StreamListener,
): Promise<Service> {
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: portOf(server),
    close: async () => {
      streams.close();
      server.close();
      for (const session of sessions) session.destroy();
    },
  };
}

function portOf(server: Http2Server): number {
  const { port } = server.address() as AddressInfo;
  return port;
}
