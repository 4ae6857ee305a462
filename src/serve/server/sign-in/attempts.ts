/** Limits attempts to sign in, for each address of a client. */
import { isIPv6 } from 'node:net';
import { second, type Clock, type Millis } from '../../../base/clock.ts';

export interface Attempts {
  /** Counts an attempt. @returns ms until the next one is allowed; 0 if this one is */
  wait(address: string): Millis;
}

const attemptsMax = 20; // at once: a person who signs in needs three
const interval: Millis = 3 * second; // between two attempts after those
const addressesMax = 10_000; // 1 MB; the one that was used longest ago is forgotten first

export function attemptLimit(clock: Clock): Attempts {
  /** Clients with the time when all of their attempts are available again. */
  const clients = new Map<string, Millis>();
  return {
    wait: (address) => {
      const client = clientOf(address);
      const now = clock.now();
      const full = Math.max(clients.get(client) ?? now, now);
      const wait = full + interval - (now + attemptsMax * interval);
      if (wait > 0) return wait;
      clients.delete(client); // to be the newest
      clients.set(client, full + interval);
      for (const oldest of clients.keys()) {
        if (clients.size <= addressesMax) break;
        clients.delete(oldest);
      }
      return 0;
    },
  };
}

/**
 * The client of an address. An IPv6 client has 2^64 addresses, the network of the first four
 * groups.
 */
function clientOf(address: string): string {
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
