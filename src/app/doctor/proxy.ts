/** The proxy to the exchange of a profile: which one is in effect, and whether it opens a tunnel. */
import type { Route } from '../../base/proxy.ts';
import { ProxyError, shownProxy, unknownExemptions } from '../../base/proxy.ts';
import { plainText } from '../../base/text.ts';
import { openTunnel, withoutBrackets } from '../../base/tunnel.ts';
import { proxiesOf } from '../config/proxy.ts';
import type { Profile } from '../config/profile.ts';
import type { Environment } from '../config/secrets.ts';
import { failure, ok, warning, type Finding } from './finding.ts';

const what = 'proxy';

/**
 * Checks the proxy of a profile, without a request to the exchange.
 * @throws CredentialError, ConfigError for a proxy that is named wrongly
 */
export async function proxyFindings(
  profile: Profile,
  env: Environment,
  isOffline: boolean,
): Promise<readonly Finding[]> {
  const { baseUrl } = profile;
  if (baseUrl === undefined) return [];
  const route = (await proxiesOf(profile, env)).toExchange(baseUrl);
  const unread = profile.proxy === undefined ? unexempt(env) : [];
  return [await findingOf(baseUrl, route, isOffline), ...unread];
}

async function findingOf(baseUrl: URL, route: Route, isOffline: boolean): Promise<Finding> {
  if (route.kind === 'direct') return ok(what, `none to ${baseUrl.host}: ${route.because}`);
  const { proxy } = route;
  const shown = shownProxy(proxy);
  if (isOffline) return ok(what, `${shown} to ${baseUrl.host}; not checked (--offline)`);
  const { hostname, protocol } = baseUrl;
  const port = Number(baseUrl.port || (protocol === 'https:' ? 443 : 80));
  try {
    await openTunnel({ host: withoutBrackets(hostname), port }, proxy, (socket) =>
      socket.destroy(),
    );
  } catch (error) {
    if (!(error instanceof ProxyError)) throw error;
    return failure(what, error.message, error.hint ?? 'check the proxy', error.exit);
  }
  return ok(what, `${shown} opens a tunnel to ${baseUrl.host}`);
}

/** Warns of misspelled ranges: their hosts are reached through the proxy. */
function unexempt(env: Environment): readonly Finding[] {
  const { name, entries } = unknownExemptions(env);
  const [first] = entries;
  if (first === undefined) return [];
  const fix = 'write a range as 10.0.0.0/8 or 2001:db8::/32';
  return [warning(what, `${name} has ${plainText(first, 60)}, which exempts nothing`, fix)];
}
