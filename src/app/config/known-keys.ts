/** The known keys of profiles with an account-id, without prompts or programs. */
import type { Destination } from '../../engine/journal/entry.ts';
import type { KeyUse } from '../../engine/journal/standing.ts';
import type { Profile } from './profile.ts';
import { CredentialError } from './credential-error.ts';
import { fingerprintOf, openSecrets, type Environment } from './secrets.ts';

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

async function destinationOf(profile: Profile, env: Environment): Promise<Destination | undefined> {
  const { name, target, baseUrl, accountId, secrets, credentials } = profile;
  if (baseUrl === undefined || accountId === undefined) return undefined;
  if (secrets.kind === 'exec' && credentials === undefined) return undefined;
  try {
    const key = credentials?.apiKey ?? (await openSecrets(secrets, env)).find('API_KEY');
    if (key === undefined) return undefined;
    const keyFingerprint = fingerprintOf(key);
    return { profile: name, target, host: baseUrl.host, keyFingerprint, accountId };
  } catch (error) {
    if (error instanceof CredentialError) return undefined; // reported when that profile is used
    throw error;
  }
}
