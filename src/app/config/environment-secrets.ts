/** Secrets in the environment, by the names that people give them: masked in every error and problem. */
import { existsSync } from 'node:fs';
import { proxySecretsIn } from '../../base/proxy.ts';
import { shortestMasked } from '../../base/secret-parts.ts';
import { Secret } from '../../base/secret.ts';
import type { Environment } from './secrets.ts';

const sensitive = /(?:KEY|SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)$/i;
const given = /^DESKHAND_(?:SECRET_|API_(?:KEY|SECRET|PASSPHRASE)$)/; // of a playbook, or a key

/**
 * The secrets in the environment, also those of other programs, because any text may contain them. A variable
 * that contains the path of a file is not a secret.
 */
export function environmentSecrets(env: Environment): readonly Secret[] {
  const named = Object.entries(env).flatMap(([name, value = '']) => {
    const isLong = value.length >= shortestMasked; // a short one of another program may be any word
    const isSecret = given.test(name) || (sensitive.test(name) && isLong);
    return isSecret && value !== '' && !existsSync(value) ? [new Secret(value)] : [];
  });
  return [...named, ...proxySecretsIn(env)];
}
