/** A person's identity and role, by the statements of the issuer about them. */
import { plainText } from '../../../base/text.ts';
import { roles, type Role } from '../../../app/config/role.ts';
import { asciiLower, type AuthSettings } from '../../../app/config/served-team.ts';

/** Statements of an issuer about a person, in one token or answer. */
export type Claims = Readonly<Record<string, unknown>>;

export interface Person {
  /** The verified e-mail address, or `subject ID`: names that people choose are not used. */
  readonly who: string;
  readonly groups: readonly string[];
  /** The highest role of the person; undefined for a person without one. */
  readonly role: Role | undefined;
}

/**
 * The person in statements of the issuer.
 * @param sources of the same person; the first has `sub`
 */
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

/** The e-mail address, if the same source says that it is verified. */
function verifiedEmail({ email, email_verified: isVerified }: Claims): readonly string[] {
  return typeof email === 'string' && email.includes('@') && isVerified === true
    ? [asciiLower(email)]
    : [];
}

/**
 * The groups in a statement. A group with `@` could be mistaken for an e-mail address: it is
 * ignored.
 */
function groupsIn(claims: Claims, name: string): readonly string[] {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((each) => typeof each === 'string').filter((each) => !each.includes('@'));
}
