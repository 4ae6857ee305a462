/** The admin API of a Restate server: its version, its nodes, and the services it knows. */
import { deadline, second, type Millis } from '../../base/clock.ts';
import { fieldOf } from '../../base/json.ts';
import { plainText } from '../../base/text.ts';
import { StoreError } from '../store.ts';
import { addressIn } from './address.ts';
import { failureOf, refusalOf, timeoutOf } from './failure.ts';
import { httpClient, type HttpRequest } from './http.ts';
import { registryObject } from './objects/names.ts';

const defaultPort = '9070';

/** The URL of the admin API. @param url of the ingress @throws ConfigError */
export function adminOf(url: string, admin?: string): string {
  if (admin !== undefined) return admin;
  const [{ url: node, token }] = addressIn(url).nodes;
  const usual = new URL(node.origin);
  usual.port = defaultPort;
  if (token !== undefined) usual.username = encodeURIComponent(token);
  return usual.href;
}

/**
 * Sends one request. @param admin URL of the admin API @returns the response as JSON
 * @throws ConfigError, StoreError
 */
export async function askAdmin(
  admin: string,
  request: Omit<HttpRequest, 'signal'>,
  timeoutMs: Millis = 5 * second,
): Promise<unknown> {
  const address = addressIn(admin);
  const client = httpClient();
  const limit = deadline(timeoutMs, () => timeoutOf(timeoutMs, address));
  try {
    const response = await client.send(address.nodes[0], { ...request, signal: limit.signal });
    const { status, text } = response;
    if (request.path === '/deployments' && status >= 400) throw notRegistered(text, address.shown);
    if (status < 200 || status >= 300) throw refusalOf(status, text, address);
    return text === '' ? undefined : JSON.parse(text);
  } catch (error) {
    throw failureOf(error, address);
  } finally {
    limit.cancel();
    client.close();
  }
}

export async function hasService(admin: string): Promise<boolean> {
  const services = fieldOf(await askAdmin(admin, { method: 'GET', path: '/services' }), 'services');
  return Array.isArray(services) && services.some((one) => fieldOf(one, 'name') === registryObject);
}

export interface RestateHealth {
  /** The version of the server: `1.7.12`. */
  readonly server: string;
  /** Number of nodes that have the server's metadata. */
  readonly nodes: number;
}

/** Reads the facts about a server. @throws ConfigError, StoreError */
export async function inspectRestate(admin: string): Promise<RestateHealth> {
  const server = fieldOf(await askAdmin(admin, { method: 'GET', path: '/version' }), 'version');
  const health = await askAdmin(admin, { method: 'GET', path: '/cluster-health' });
  const members = fieldOf(fieldOf(health, 'metadata_cluster_health'), 'members');
  return { server: String(server), nodes: Array.isArray(members) ? members.length : 1 };
}

function notRegistered(text: string, shown: string): StoreError {
  return new StoreError(
    `Restate at ${shown} could not register the service: ${plainText(messageIn(text), 300)}`,
    'check that `deskhand store serve` runs, and that the server reaches it (state.service)',
  );
}

function messageIn(text: string): string {
  try {
    return String(fieldOf(JSON.parse(text), 'message'));
  } catch {
    return text;
  }
}
