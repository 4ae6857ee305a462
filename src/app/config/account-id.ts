/** `account-id` of a profile and related keys: the identity of the account with any key. */
import { canonicalHost } from '../../base/host.ts';
import { ConfigError } from '../../base/error.ts';
import { escapeControls } from '../../base/text.ts';
import { idKey } from '../../engine/journal/account.ts';
import type { AccountDecisions } from '../../engine/journal/account-decisions.ts';
import { inside, textsIn, wrong, type Fields } from './fields.ts';
import type { Profile } from './profile.ts';

/** Keys of a profile that identify its account; their numbers are names. */
export const accountKeys = ['account-id', 'former-keys', 'other-keys', 'former-ids'] as const;

const longest = 100; // characters; a uid has about ten

/** The account id of a profile: a permanent text, in which numbers keep their digits. @throws ConfigError */
export function accountIdOf(profile: Fields): string | undefined {
  const value = profile.values['account-id'];
  return value === undefined ? undefined : idIn(value, inside(profile, 'account-id'));
}

/** The account id in an environment variable. @throws ConfigError */
export function accountIdIn(text: string, variable: string): string {
  return idIn(text, { file: 'the environment', path: variable });
}

function idIn(value: unknown, place: { readonly file: string; readonly path: string }): string {
  if (typeof value !== 'string') throw wrong(place, 'must be text, such as the uid of the account');
  const id = value.trim();
  if (id === '') throw wrong(place, 'must be text, such as the uid of the account; it is empty');
  if (id.length > longest) throw wrong(place, `must have at most ${longest} characters`);
  if (/\p{C}/u.test(id) || escapeControls(id) !== id) {
    throw wrong(place, 'has invisible characters');
  }
  return id;
}

/** A person's decisions about keys: `former-keys`, `other-keys` and `former-ids`. @throws ConfigError */
export function decidedOf(profile: Fields): AccountDecisions {
  const formerKeys = keysIn(profile, 'former-keys');
  if (formerKeys.length > 0 && profile.values['account-id'] === undefined) {
    throw wrong(inside(profile, 'former-keys'), 'requires account-id: the account of these keys');
  }
  const otherKeys = keysIn(profile, 'other-keys');
  const both = formerKeys.find((key) => otherKeys.includes(key));
  if (both !== undefined) {
    throw wrong(inside(profile, 'other-keys'), `holds ${both}, and so does former-keys`);
  }
  const formerIds = (textsIn(profile, 'former-ids') ?? []).map((id) =>
    idIn(id, inside(profile, 'former-ids')),
  );
  return { formerKeys, otherKeys, formerIds };
}

function keysIn(profile: Fields, key: 'former-keys' | 'other-keys'): readonly string[] {
  const values = textsIn(profile, key) ?? [];
  return values.map((value) => keptFingerprint(value, inside(profile, key)));
}

/** @throws ConfigError for a text that is not a fingerprint */
export function keptFingerprint(
  text: string,
  place: { readonly file: string; readonly path: string },
): string {
  const fingerprint = fingerprintIn(text);
  if (fingerprint !== undefined) return fingerprint;
  throw wrong(place, 'must be fingerprints of keys: 8 hex digits each, as shown in plans');
}

/** A fingerprint: eight hex digits, as plans and runs show them; undefined for any other text. */
export function fingerprintIn(text: string): string | undefined {
  const fingerprint = text.trim().toLowerCase();
  return /^[0-9a-f]{8}$/.test(fingerprint) ? fingerprint : undefined;
}

/**
 * Refuses profiles whose ids differ only in case or spaces, or that give one key two ids.
 * @throws ConfigError
 */
export function refuseAlike(profiles: readonly Profile[], file: string): void {
  const seen = new Map<string, Profile>();
  const keys = new Map<string, Profile>();
  for (const profile of profiles) {
    const { accountId, name, baseUrl, secrets } = profile;
    if (accountId === undefined) continue;
    const alike = seen.get(idKey(accountId));
    if (alike !== undefined && alike.accountId !== accountId) {
      throw new ConfigError(
        `${file}: profiles ${alike.name} and ${name} have account-ids that differ only in case or spaces`,
        'use the same spelling for the same account',
      );
    }
    seen.set(idKey(accountId), profile);
    if (baseUrl === undefined) continue;
    const key = JSON.stringify([secrets, canonicalHost(baseUrl.host)]);
    const twin = keys.get(key);
    if (twin?.accountId !== undefined && idKey(twin.accountId) !== idKey(accountId)) {
      throw new ConfigError(
        `${file}: profiles ${twin.name} and ${name} have one key and two account-ids`,
        'a key belongs to one account: give both the same account-id, or each its own key',
      );
    }
    keys.set(key, profile);
  }
}
