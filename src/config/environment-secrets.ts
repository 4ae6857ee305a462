/** Secrets in the environment, by the names that people give them: masked in every error and problem. */
import { existsSync } from 'node:fs';
import { proxySecretsIn } from '../base/proxy.ts';
import { Secret } from '../base/secret.ts';
import type { Environment } from './secrets.ts';

const sensitive = /(?:KEY|SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)$/i;
const given = /^DESKHAND_SECRET_/; // what a playbook uses as secrets.NAME

/** Also of other programs: a text may contain what they have. A variable with the path of a file is none. */
export function environmentSecrets(env: Environment): readonly Secret[] {
  const named = Object.entries(env).flatMap(([name, value = '']) => {
    const isSecret = given.test(name) || sensitive.test(name);
    return isSecret && value !== '' && !existsSync(value) ? [new Secret(value)] : [];
  });
  return [...named, ...proxySecretsIn(env)];
}
