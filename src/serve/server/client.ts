/** The client that sent a request, by its connection or by the proxy in front of the server. */
import { isIP } from 'node:net';

/** The data that Node has about a request; a test without a socket has no `incoming`. */
export interface NodeRequest {
  readonly incoming?: Incoming;
}

interface Incoming {
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** The IP address of a client that is connected directly; empty without a connection. */
export function addressOf(incoming: Incoming | undefined): string {
  return incoming?.socket.remoteAddress ?? '';
}

/**
 * The IP address that the proxy in front of the server names: in the last entry of
 * `X-Forwarded-For`, because the client may have sent the others.
 */
export function forwardedAddress(header: string | undefined): string {
  const last = header?.split(',').at(-1)?.trim() ?? '';
  return isIP(last) === 0 ? '' : last;
}
