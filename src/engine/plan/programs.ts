/** The programs that the steps of a playbook may run. */
import { ConfigError } from '../../base/error.ts';

/** The allowed programs: none, any, or the named ones; decided by a profile, never by a playbook. */
export type Programs = boolean | readonly string[];

/** @throws ConfigError when the profile does not allow the program */
export function checkAllowed(name: string, allowed: Programs, profile: string): void {
  if (allowed === true || (Array.isArray(allowed) && allowed.includes(name))) return;
  throw new ConfigError(
    `profile ${profile} does not allow shell/run to start ${JSON.stringify(name)}`,
    `the owner of deskhand.yaml can allow it: profiles.${profile}.allow: { shell: [${name}] }`,
  );
}
