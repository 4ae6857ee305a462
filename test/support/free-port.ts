/** Ports of loopback for servers that are started afterwards, and again on the same one. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { isCode } from '../../src/base/error.ts';

/** Systems choose others for connections, and for servers that do not name a port. */
const [first, last] = [10_000, 30_000];

/** One that nothing takes meanwhile, unless it is asked for by its number. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(first, last);
    const server = createServer();
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      server.close();
      await once(server, 'close');
      return port;
    } catch (error) {
      if (!isCode(error, 'EADDRINUSE')) throw error;
    }
  }
}
