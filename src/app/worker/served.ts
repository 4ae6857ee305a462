/** The profiles whose keys a worker has. */
import { DeskhandError, exits, UsageError } from '../../base/error.ts';
import { listed, plainText } from '../../base/text.ts';
import type { Config } from '../config/load.ts';
import type { Profile } from '../config/profile.ts';
import { CredentialError } from '../config/credential-error.ts';
import { credentialsIn, openSecrets, type Environment } from '../config/secrets.ts';
import type { Destination } from '../../engine/journal/entry.ts';
import { realWords } from '../approval/real-words.ts';
import { ApprovalError } from '../../engine/approval/approval-error.ts';
import type { AppContext } from '../app-context.ts';

/**
 * The profiles that a worker serves.
 * @param asked by name; default: every profile of an exchange with a key here
 * @throws UsageError when there is none; CredentialError for an asked profile without a key
 */
export async function servedProfiles(
  { profiles }: Config,
  asked: readonly string[] | undefined,
  { env }: AppContext,
): Promise<readonly string[]> {
  const unknown = asked?.find((name) => !profiles.has(name));
  if (unknown !== undefined) {
    throw new UsageError(`unknown profile ${unknown}`, `known: ${listed([...profiles.keys()])}`);
  }
  const served: string[] = [];
  for (const [name, profile] of profiles) {
    if (profile.baseUrl === undefined || (asked && !asked.includes(name))) continue;
    const missing = await missingKey(profile, env);
    if (missing === undefined) served.push(name);
    else if (asked !== undefined) throw missing;
  }
  if (served.length > 0) return served;
  throw new UsageError(
    'no profile has a base-url and a key here, so this worker could execute nothing',
    'set the key of a profile: in its environment variables, a file or a program',
  );
}

/** Why the key of a profile is not available here; undefined if it is. */
export async function missingKey(
  { name, secrets }: Profile,
  env: Environment,
): Promise<CredentialError | undefined> {
  try {
    credentialsIn(await openSecrets(secrets, env), name);
    return undefined;
  } catch (error) {
    if (error instanceof CredentialError) return error;
    throw error;
  }
}

/**
 * Refuses accounts that this worker does not serve, and demo and live accounts whose profile requires no signatures:
 * only a signature proves that a person approved what the queue has.
 * @throws UnservedError, ApprovalError
 */
export function refuseUnserved(
  accounts: readonly Destination[],
  { served, config }: { readonly served: readonly string[]; readonly config: Config },
): void {
  refuseOtherProfiles(
    accounts.map(({ profile }) => profile),
    served,
  );
  refuseUnsigned(accounts, config);
}

/** The error when this worker does not have the key of an account. */
export class UnservedError extends DeskhandError {
  constructor(profile: string) {
    super(`this worker does not serve profile ${plainText(profile, 60)}`, {
      code: 'job',
      actor: 'operator',
      exit: exits.heldBack,
      hint: 'start a worker with its key',
    });
  }
}

/** @throws UnservedError for a profile that this worker does not serve */
export function refuseOtherProfiles(profiles: readonly string[], served: readonly string[]): void {
  for (const profile of profiles) if (!served.includes(profile)) throw new UnservedError(profile);
}

/** @throws ApprovalError for a demo or live account whose profile has no rules for approvals */
export function refuseUnsigned(accounts: readonly Destination[], config: Config): void {
  const unsigned = unsignedAmong(accounts, config);
  if (unsigned === undefined) return;
  throw new ApprovalError(
    `workers write to ${realWords({ destination: unsigned })} only with signed approvals`,
    'add approve: to its profile and get the plan approved, or run it without --queue',
  );
}

/** The first demo or live account without rules for approvals. */
export function unsignedAmong(
  accounts: readonly Destination[],
  { profiles }: Config,
): Pick<Destination, 'profile' | 'target'> | undefined {
  const known = accounts.map(({ profile, target }) => {
    const own = profiles.get(profile);
    // An account that was on a sandbox counts with the present target of its profile.
    const now = target === 'sandbox' ? (own?.target ?? 'live') : target;
    return { profile, target: now, approval: own?.approval };
  });
  return known.find(({ target, approval }) => target !== 'sandbox' && approval === undefined);
}
