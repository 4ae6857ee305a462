/** Limits attempts to sign in, for each address of a client. */
import { second, type Clock, type Millis } from '../../../base/clock.ts';
import { clientOf } from '../client.ts';

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
