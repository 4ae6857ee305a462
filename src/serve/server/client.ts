/** The client that sent a request, by its connection or by the proxy in front of the server. */
import { isIP, isIPv6 } from 'node:net';

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

/**
 * The client of an address. An IPv6 client has 2^64 addresses, the network of the first four
 * groups.
 */
export function clientOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.toLowerCase().split('%')[0]?.split('::') ?? [];
  const groups = head.split(':').filter(Boolean);
  const after = tail?.split(':').filter(Boolean) ?? [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length);
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...after];
  return all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
