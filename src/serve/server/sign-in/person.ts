/** Who a person is, and their role, by what the issuer says about them. */
import { plainText } from '../../../base/text.ts';
import { roles, type Role } from '../../../app/config/role.ts';
import { asciiLower, type AuthSettings } from '../../../app/config/served-team.ts';

/** What an issuer says about a person, in one token or answer. */
export type Claims = Readonly<Record<string, unknown>>;

export interface Person {
  /** The verified e-mail address, or `subject ID`: names that people choose are not used. */
  readonly who: string;
  readonly groups: readonly string[];
  /** The highest; undefined for a person without one. */
  readonly role: Role | undefined;
}

/** @param sources of the same person; the first has `sub` */
export function personOf(
  sources: readonly Claims[],
  { roles: holders, groupsClaim }: Pick<AuthSettings, 'roles' | 'groupsClaim'>,
): Person {
  const emails = sources.flatMap(verifiedEmail);
  const groups = [...new Set(sources.flatMap((claims) => groupsIn(claims, groupsClaim)))];
  const names = new Set([...emails, ...groups]);
  const [email] = emails;
  return {
    who: plainText(email ?? `subject ${String(sources[0]?.['sub'])}`, 200),
    groups,
    role: roles.findLast((role) => holders[role].some((name) => names.has(name))),
  };
}

/** The address, if the same source says that it is verified. */
function verifiedEmail({ email, email_verified: isVerified }: Claims): readonly string[] {
  return typeof email === 'string' && email.includes('@') && isVerified === true
    ? [asciiLower(email)]
    : [];
}

/** A group with `@` could be mistaken for an e-mail address: it is ignored. */
function groupsIn(claims: Claims, name: string): readonly string[] {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((each) => typeof each === 'string').filter((each) => !each.includes('@'));
}
