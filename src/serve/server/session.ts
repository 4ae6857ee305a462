/** Sessions of browsers: which person a cookie identifies. Only digests of cookies are kept. */
import { randomBytes } from 'node:crypto';
import type { Millis } from '../../base/clock.ts';
import { sha256 } from '../../base/json.ts';
import { roles, type Role } from '../../app/config/role.ts';

export interface Session {
  /** The name of the person in the records of their actions. */
  readonly who: string;
  readonly role: Role;
  readonly until: Millis;
}

export interface Sessions {
  /** The session of a secret; undefined for an unknown or expired secret. */
  find(secret: string): Session | undefined;
  end(secret: string): Promise<void>;
}

/** Whether a person's role includes another. */
export function mayAct({ role }: Session, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

/** A new secret of 256 random bits. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function digestOf(secret: string): Buffer {
  return Buffer.from(sha256(secret), 'hex');
}
