/** The team mode of `serve`: `--listen`, and `serve` of deskhand.yaml. */
import { resolve } from 'node:path';
import process from 'node:process';
import { ConfigError, messageOf, UsageError } from '../../base/error.ts';
import { readRegular } from '../../base/read-file.ts';
import { environmentProxy, type Proxy } from '../../base/proxy.ts';
import type { Secret } from '../../base/secret.ts';
import type { Config } from '../../app/config/load.ts';
import { secretIn, type Environment } from '../../app/config/secrets.ts';
import type { ServeSettings } from '../../app/config/served-team.ts';
import type { TeamMode } from '../../serve/server/listen.ts';

/**
 * The team mode of `serve`.
 * @param listen `HOST:PORT`, or `unix:PATH` for a proxy
 * @throws UsageError, ConfigError without an issuer, or without TLS on a port; CredentialError
 */
export async function teamMode(
  listen: string,
  config: Config,
  env: Environment,
): Promise<TeamMode> {
  const place = placeIn(listen);
  const { serve: settings, file = 'deskhand.yaml' } = config;
  if (settings === undefined) {
    throw new ConfigError(
      `--listen requires people to sign in, and ${file} has no serve.auth`,
      'see docs/serve.md, or leave out --listen to serve this machine only',
    );
  }
  const secretOf = secretReader(settings, env);
  const proxyTo = (url: URL): Proxy | undefined => environmentProxy(url, env);
  await secretOf(); // a missing secret is reported now
  const { metricsToken: source } = settings;
  const metricsToken = source && (await secretIn(source, 'the token of serve.metrics-token', env));
  const common = {
    kind: 'team',
    settings,
    secretOf,
    proxyTo,
    ...(metricsToken && { metricsToken }),
  } as const;
  if (place.kind === 'socket') return { ...common, place };
  const { tls } = settings;
  if (tls === undefined) {
    throw new ConfigError(
      `--listen ${listen} requires serve.tls in ${file}: without TLS, sessions could be read on the way`,
      'set serve.tls, or use --listen unix:PATH behind a proxy on this machine',
    );
  }
  const certificate = async (): Promise<{ readonly cert: string; readonly key: string }> => ({
    cert: await readCertificate(tls.cert),
    key: (await secretIn({ kind: 'file', path: tls.key }, 'the key of serve.tls', env)).reveal(),
  });
  return { ...common, place: { ...place, certificate } };
}

async function readCertificate(path: string): Promise<string> {
  try {
    return (await readRegular(path)).toString('utf8');
  } catch (error) {
    throw new ConfigError(`serve.tls.cert cannot be read: ${path}`, messageOf(error));
  }
}

function secretReader(
  { auth: { clientSecret } }: ServeSettings,
  env: Environment,
): () => Promise<Secret | undefined> {
  if (clientSecret === undefined) return () => Promise.resolve(undefined);
  return () => secretIn(clientSecret, 'the client secret of serve.auth', env);
}

type ListenPlace =
  | { readonly kind: 'tls'; readonly host: string; readonly port: number }
  | { readonly kind: 'socket'; readonly path: string };

function placeIn(listen: string): ListenPlace {
  const [, path] = /^unix:(.+)$/.exec(listen) ?? [];
  if (path !== undefined) return { kind: 'socket', path: resolve(process.cwd(), path) };
  const [, bracketed, plain, port] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]]+)):(.+)$/.exec(listen) ?? [];
  const host = bracketed ?? plain;
  if (host !== undefined && port !== undefined) {
    return { kind: 'tls', host, port: portIn(port, '--listen') };
  }
  throw new UsageError(
    `--listen is HOST:PORT or unix:PATH, not ${JSON.stringify(listen)}`,
    'for example --listen 0.0.0.0:8443, --listen [::]:8443, --listen unix:/run/deskhand/serve.sock',
  );
}

/** The port in a text. @throws UsageError naming the flag */
export function portIn(text: string, flag: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new UsageError(
    `${flag}: the port is a whole number up to 65535, not ${JSON.stringify(text)}`,
  );
}
