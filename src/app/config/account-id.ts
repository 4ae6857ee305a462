/** `account-id` of a profile and related keys: the identity of the account with any key. */
import { canonicalHost } from '../../base/host.ts';
import { ConfigError } from '../../base/error.ts';
import { escapeControls } from '../../base/text.ts';
import { idKey } from '../../engine/journal/account.ts';
import type { AccountDecisions } from '../../engine/journal/account-decisions.ts';
import { changed, inside, wrong, type Given, type Part, type Place } from './part.ts';
import type { Profile } from './profile.ts';
import { texts } from './scalars.ts';

/** Keys of a profile that identify its account; their numbers are names. */
export const accountKeys = ['account-id', 'former-keys', 'other-keys', 'former-ids'] as const;

const longest = 100; // characters; a uid has about ten

/** A text that YAML may write as a number. */
const name = { type: ['string', 'number'] } as const;

/** The permanent text of the account, in which numbers keep their digits, and what a person decided about it. */
export const accountParts = {
  'account-id': {
    json: { ...name, description: 'Permanent name of the account: its uid, or any text' },
    read: idIn,
  },
  'former-keys': fingerprints('Fingerprints of earlier keys of this account'),
  'other-keys': fingerprints('Fingerprints of keys of other accounts'),
  'former-ids': changed(
    texts({ description: 'Earlier or mistaken account-ids of this account' }, { json: name }),
    (ids, place) => ids.map((id) => idIn(id, place)),
  ),
} as const satisfies Readonly<Record<(typeof accountKeys)[number], Part<unknown>>>;

function fingerprints(description: string): Part<readonly string[]> {
  return changed(texts({ description }, { json: name }), (keys, place) => {
    return keys.map((key) => keptFingerprint(key, place));
  });
}

/** The account id in an environment variable. @throws ConfigError */
export function accountIdIn(text: string, variable: string): string {
  return idIn(text, { file: 'the environment', path: variable });
}

function idIn(value: unknown, place: Place): string {
  if (typeof value !== 'string') throw wrong(place, 'must be text, such as the uid of the account');
  const id = value.trim();
  if (id === '') throw wrong(place, 'must be text, such as the uid of the account; it is empty');
  if (id.length > longest) throw wrong(place, `must have at most ${longest} characters`);
  if (/\p{C}/u.test(id) || escapeControls(id) !== id) {
    throw wrong(place, 'has invisible characters');
  }
  return id;
}

/** A person's decisions about the keys and ids of an account. @throws ConfigError */
export function decidedOf(given: Given<typeof accountParts>, place: Place): AccountDecisions {
  const {
    'former-keys': formerKeys = [],
    'other-keys': otherKeys = [],
    'former-ids': formerIds = [],
  } = given;
  if (formerKeys.length > 0 && given['account-id'] === undefined) {
    const former = inside(place, 'former-keys');
    throw wrong(former, 'requires account-id: the account of these keys');
  }
  const both = formerKeys.find((key) => otherKeys.includes(key));
  if (both === undefined) return { formerKeys, otherKeys, formerIds };
  throw wrong(inside(place, 'other-keys'), `holds ${both}, and so does former-keys`);
}

/** @throws ConfigError for a text that is not a fingerprint */
export function keptFingerprint(text: string, place: Place): string {
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
 * @param keyOf what two profiles with one key have in common; undefined: the key is not known here
 * @param ownKey where each gets a key that is not that of the other
 * @throws ConfigError
 */
export function refuseAlike(
  profiles: readonly Profile[],
  file: string,
  keyOf: (profile: Profile) => unknown,
  ownKey: string,
): void {
  const seen = new Map<string, Profile>();
  const keys = new Map<string, Profile>();
  for (const profile of profiles) {
    const { accountId, name, baseUrl } = profile;
    if (accountId === undefined) continue;
    const alike = seen.get(idKey(accountId));
    if (alike !== undefined && alike.accountId !== accountId) {
      throw new ConfigError(
        `${file}: profiles ${alike.name} and ${name} have account-ids that differ only in case or spaces`,
        'use the same spelling for the same account',
      );
    }
    seen.set(idKey(accountId), profile);
    const own = keyOf(profile);
    if (baseUrl === undefined || own === undefined) continue;
    const key = JSON.stringify([own, canonicalHost(baseUrl.host)]);
    const twin = keys.get(key);
    if (twin?.accountId !== undefined && idKey(twin.accountId) !== idKey(accountId)) {
      throw new ConfigError(
        `${file}: profiles ${twin.name} and ${name} have one key and two account-ids`,
        `a key belongs to one account: give both the same account-id, or each ${ownKey}`,
      );
    }
    keys.set(key, profile);
  }
}
