/** Connections for Node's requests: directly to the server, or through a proxy. */
import { Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import type { Proxy } from './proxy.ts';
import { openTunnel, withoutBrackets } from './tunnel.ts';

/** @param url of the only server that it connects to; without a proxy, directly */
export function agentFor(
  url: URL,
  proxy: Proxy | undefined,
  options: AgentOptions = {},
): HttpAgent {
  const agent = url.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
  if (proxy === undefined) return agent;
  return Object.assign(agent, {
    createConnection: (_: unknown, connected: Connected): undefined => {
      connectThrough(url, proxy).then(
        (socket) => connected(null, socket),
        (error: unknown) => connected(error),
      );
    },
  });
}

type Connected = (error: unknown, socket?: Duplex) => void;

function connectThrough({ protocol, hostname, port }: URL, proxy: Proxy): Promise<Duplex> {
  const isTls = protocol === 'https:';
  const host = withoutBrackets(hostname);
  const server = { host, port: Number(port || (isTls ? 443 : 80)) };
  const servername = isIP(host) === 0 ? host : '';
  return openTunnel(server, proxy, (socket) =>
    isTls ? connect({ socket, host, servername }) : socket,
  );
}
