/** Headers of a request, which often have a login or a token. */
import { validateHeaderName, validateHeaderValue, type ClientRequest } from 'node:http';

/**
 * Creates a request, and sets its headers afterwards: Node passes the options of a request on to its
 * connection, and prints them there with NODE_DEBUG=net.
 * @throws TypeError for a name or a value that no header may have, before there is a connection
 */
export function withHeaders(
  headers: Readonly<Record<string, string | number>>,
  create: () => ClientRequest,
): ClientRequest {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  for (const [name, value] of texts) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  const request = create();
  for (const [name, value] of texts) request.setHeader(name, value);
  return request;
}
