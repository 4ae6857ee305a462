/** The remedy for a profile without an account-id. */
import { plainText } from '../../base/text.ts';

/** The profile of DESKHAND_BASE_URL and related variables. */
export const ofEnvironment = 'environment';

/** The instruction for setting a profile's account-id. */
export function idHint(profile: string): string {
  const what = 'its uid on the exchange, or any permanent text';
  return profile === ofEnvironment
    ? `set DESKHAND_ACCOUNT_ID to ${what}`
    : `add account-id: "…" under profiles.${plainText(profile, 64)}: ${what}`;
}
