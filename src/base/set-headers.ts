/** Headers of a request, which often have a login or a token. */
import type { ClientRequest } from 'node:http';

/**
 * Sets headers after the request was created: Node passes the options of a request on to its
 * connection, and prints them there with NODE_DEBUG=net.
 * @throws TypeError for a value that no header may have; the request is destroyed
 */
export function setHeaders(
  request: ClientRequest,
  headers: Readonly<Record<string, string | number>>,
): void {
  try {
    for (const [name, value] of Object.entries(headers)) request.setHeader(name, value);
  } catch (error) {
    request.destroy(); // it would connect, and wait for its end
    throw error;
  }
}
