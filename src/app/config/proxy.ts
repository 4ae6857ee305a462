/** The proxies of a profile: to its exchange, and to other hosts. */
import { isLoopbackName } from '../../base/host.ts';
import { environmentRoute, proxyIn, proxySecretsIn, secretsOfProxy } from '../../base/proxy.ts';
import type { Proxy, Route } from '../../base/proxy.ts';
import type { Secret } from '../../base/secret.ts';
import type { ProxySetting } from './proxy-setting.ts';
import { secretIn, type Environment } from './secrets.ts';

/** A profile, or the part of it that decides about its proxies. */
interface ProxyOwner {
  readonly name: string;
  readonly proxy?: ProxySetting;
}

/** The proxies of a profile. */
export interface ProfileProxies {
  /**
   * The route to the profile's exchange; also for an exchange on this machine, if the profile names a proxy.
   */
  readonly toExchange: (url: URL) => Route;
  /** The route to other hosts, such as receivers of notifications; never for this machine. */
  readonly toOthers: (url: URL) => Route;
  /** The logins in the addresses of the proxies, which are masked in all output. */
  readonly secrets: readonly Secret[];
}

/**
 * Reads the source of the profile's proxy. The functions throw ConfigError for a variable that is
 * not an address.
 * @throws CredentialError for a source without a value; ConfigError for what is not an address
 */
export async function proxiesOf(
  { name, proxy: setting }: ProxyOwner,
  env: Environment,
): Promise<ProfileProxies> {
  const where = `profiles.${name}.proxy`;
  if (setting === undefined) {
    const route = (url: URL): Route => environmentRoute(url, env);
    return { toExchange: route, toOthers: route, secrets: proxySecretsIn(env) };
  }
  const text = await addressOf(setting, where, env);
  const own: Route =
    text === undefined
      ? { kind: 'direct', because: `${where} is none` }
      : { kind: 'proxy', proxy: proxyIn(text, where) };
  return {
    toExchange: () => own,
    toOthers: (url) =>
      isLoopbackName(url.hostname)
        ? { kind: 'direct', because: `${url.hostname} is this machine` }
        : own,
    secrets: [...proxySecretsIn(env), ...secretsOfProxy(text ?? '')],
  };
}

/** The proxy of a route, if it has one. */
export function proxyOn(route: Route): Proxy | undefined {
  return route.kind === 'proxy' ? route.proxy : undefined;
}

async function addressOf(
  setting: ProxySetting,
  where: string,
  env: Environment,
): Promise<string | undefined> {
  if (setting.kind === 'none') return undefined;
  return setting.kind === 'given' ? setting.url : (await secretIn(setting, where, env)).reveal();
}
