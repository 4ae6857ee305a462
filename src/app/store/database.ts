/** The database of a project. */
import { ConfigError } from '../../base/error.ts';
import { Secret } from '../../base/secret.ts';
import { secretsOfDatabase } from '../config/database-secrets.ts';
import type { Config } from '../config/load.ts';
import { secretIn } from '../config/secrets.ts';
import { isDatabase, type DatabaseSettings, type UrlSource } from '../../stores/settings.ts';
import type { SharedPaces } from '../../stores/shared/shared-paces.ts';
import type { AppContext } from '../app-context.ts';

/** The database of a project. @throws ConfigError for a project without one */
export function requireDatabase({ state }: Config): DatabaseSettings {
  if (isDatabase(state)) return state;
  throw new ConfigError(
    `the state of this project is not in a database (state.store: ${state.store})`,
    'set state: { store: postgres, url: { env: NAME } }, or restate, in deskhand.yaml, or DESKHAND_STORE',
  );
}

/** The rate limits that the machines of a project share; undefined if each keeps its own. */
export async function sharedPaces(
  { state }: Config,
  context: AppContext,
): Promise<SharedPaces | undefined> {
  if (!isDatabase(state) || state.sharesPace !== true) return undefined;
  const url = await databaseUrl(state.url, context);
  const { openPaces } = await import('../../stores/databases.ts');
  return openPaces(state.store, { url: url.reveal(), lease: state.lease });
}

/** The address of the database. No message shows it, nor the password in it. @throws CredentialError */
export async function databaseUrl(source: UrlSource, context: AppContext): Promise<Secret> {
  if (source.kind === 'given') return new Secret(source.url); // without a password
  const url = await secretIn(source, 'the address of the database (state.url)', context.env);
  context.secrets.push(url, ...secretsOfDatabase(url.reveal()));
  return url;
}
