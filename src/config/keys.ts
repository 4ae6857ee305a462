/** The known keys of profiles with an account-id, without prompts or programs. */
import type { Destination } from '../journal/entry.ts';
import type { KeyUse } from '../journal/standing.ts';
import type { Profile } from './profile.ts';
import { CredentialError, fingerprintOf, openSecrets, type Environment } from './secrets.ts';

/** Keys from the environment and from private files; no program is started. */
export async function configuredKeys(
  profiles: Iterable<Profile>,
  env: Environment,
): Promise<readonly KeyUse[]> {
  const uses: KeyUse[] = [];
  for (const profile of profiles) {
    const destination = await destinationOf(profile, env);
    if (destination !== undefined) uses.push({ destination });
  }
  return uses;
}

async function destinationOf(
  { name, target, baseUrl, accountId, secrets }: Profile,
  env: Environment,
): Promise<Destination | undefined> {
  if (baseUrl === undefined || accountId === undefined || secrets.kind === 'exec') return undefined;
  try {
    const key = (await openSecrets(secrets, env)).find('API_KEY');
    if (key === undefined) return undefined;
    const keyFingerprint = fingerprintOf(key);
    return { profile: name, target, host: baseUrl.host, keyFingerprint, accountId };
  } catch (error) {
    if (error instanceof CredentialError) return undefined; // reported when that profile is used
    throw error;
  }
}
