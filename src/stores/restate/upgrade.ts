/** Registers the service with a Restate server. */
import { second, type Millis } from '../../base/clock.ts';
import { addressIn } from './address.ts';
import { adminOf, askAdmin, hasService } from './admin.ts';
import { ingressAt } from './ingress.ts';
import { serviceVersion } from './objects/names.ts';

export interface UpgradeOptions {
  /** The URL of the ingress. */
  readonly url: string;
  /** The URL at which the server reaches the service. */
  readonly service: string;
  readonly admin?: string;
  readonly timeoutMs?: Millis;
}

export interface Registered {
  /** Whether the server did not know the service before. */
  readonly isNew: boolean;
  readonly version: number;
}

/** Registers the service. @throws ConfigError; StoreError, also when another version is served */
export async function upgradeRestate(options: UpgradeOptions): Promise<Registered> {
  const { url, service, timeoutMs = 20 * second } = options;
  const admin = adminOf(url, options.admin);
  const isNew = !(await hasService(admin));
  // `force`: the address stays the same when another version is served there.
  const body = JSON.stringify({ uri: service, force: true });
  await askAdmin(admin, { method: 'POST', path: '/deployments', body }, timeoutMs);
  const ingress = ingressAt({ address: addressIn(url), timeoutMs });
  try {
    await ingress.check();
  } finally {
    await ingress.close();
  }
  return { isNew, version: serviceVersion };
}
