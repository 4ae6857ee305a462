/** Secrets that no tool may return, and the files that contain them. No external program is started. */
import { existsSync, realpathSync } from 'node:fs';
import { secretsOfProxy } from '../../base/proxy.ts';
import type { Secret } from '../../base/secret.ts';
import type { SecretSource } from '../../base/secret-source.ts';
import type { Config } from '../../app/config/load.ts';
import { CredentialError } from '../../app/config/credential-error.ts';
import { secretsOfDatabase } from '../../app/config/database-secrets.ts';
import { environmentSecrets } from '../../app/config/environment-secrets.ts';
import { openSecrets, secretIn, type Environment } from '../../app/config/secrets.ts';
import { isDatabase } from '../../stores/settings.ts';

export interface KnownSecrets {
  readonly values: readonly Secret[];
  /** The real paths of files with secrets. */
  readonly files: ReadonlySet<string>;
}

/**
 * Every secret of the environment and of private files that the configuration names. The secrets
 * that a program prints are masked by the command that starts it.
 */
export async function knownSecrets(config: Config, env: Environment): Promise<KnownSecrets> {
  const stores = [...config.profiles.values()].map(({ secrets }) => secrets);
  const database = databaseSources(config);
  const single = singleSources(config);
  const valueOf = async (
    source: SecretSource,
    inside: (text: string) => readonly Secret[],
  ): Promise<readonly Secret[]> => {
    if (source.kind === 'exec') return [];
    const value = await tried(() => secretIn(source, 'a secret', env));
    return value === undefined ? [] : [value, ...inside(value.reveal())];
  };
  const values = await Promise.all([
    ...stores.map(async (source) =>
      source.kind === 'exec' ? [] : ((await tried(() => openSecrets(source, env)))?.all() ?? []),
    ),
    ...database.map((source) => valueOf(source, secretsOfDatabase)),
    ...single.map((source) => valueOf(source, secretsOfProxy)), // the password of any address
  ]);
  return {
    values: [...values.flat(), ...environmentSecrets(env)],
    files: new Set([...stores, ...database, ...single].flatMap((source) => filesOf(source, env))),
  };
}

function databaseSources({ state }: Config): readonly SecretSource[] {
  const url = isDatabase(state) ? state.url : undefined;
  return url === undefined || url.kind === 'given' ? [] : [url];
}

function singleSources({ serve, profiles }: Config): readonly SecretSource[] {
  const { auth, metricsToken, tls } = serve ?? {};
  const notices = [...profiles.values()].flatMap(({ notify }) => notify);
  const proxies = [...profiles.values()].flatMap(({ proxy }) => proxy ?? []);
  return [
    ...(auth?.clientSecret === undefined ? [] : [auth.clientSecret]),
    ...(metricsToken === undefined ? [] : [metricsToken]),
    ...(tls === undefined ? [] : [{ kind: 'file', path: tls.key } as const]),
    ...proxies.flatMap((proxy) => ('url' in proxy || proxy.kind === 'none' ? [] : [proxy])),
    ...notices.flatMap(({ url: to, signWith }) => [
      ...(typeof to === 'string' ? [] : [to]),
      ...(signWith === undefined ? [] : [signWith]),
    ]),
  ];
}

/**
 * The value of a source; undefined if it cannot be read: the command that needs it reports that.
 */
async function tried<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof CredentialError) return undefined;
    throw error;
  }
}

function filesOf(source: SecretSource, env: Environment): readonly string[] {
  const named =
    source.kind === 'file'
      ? [source.path]
      : Object.keys(env)
          .filter((name) => name.endsWith('_FILE'))
          .flatMap((name) => env[name] ?? []);
  return named.filter((path) => existsSync(path)).map((path) => realpathSync(path));
}
