/** How people of a team sign in and out; `team.ts` does it. */

import type { Role } from '../../../app/config/role.ts';

export interface SignedIn {
  readonly who: string;
  readonly role: Role;
}

export interface TeamSignIn {
  /** @returns where the browser goes, and the value of its cookie for the way back */
  begin(options: {
    /** The host that the browser uses. */
    readonly host: string;
    /** The path to show afterwards. */
    readonly to: string;
    /** Asks for a password although the issuer knows the person, to sign in as another one. */
    readonly asksAgain: boolean;
  }): Promise<{ readonly url: string; readonly secret: string }>;
  /**
   * @param search the query that the issuer sent
   * @param secret the browser's cookie
   * @throws Refusal
   */
  finish(options: {
    readonly host: string;
    readonly search: string;
    readonly secret: string | undefined;
  }): Promise<{ readonly session: string; readonly person: SignedIn; readonly to: string }>;
  /** Where a person signs out of the issuer, too; undefined if it does not have that. */
  signOutUrl(host: string): Promise<string | undefined>;
}
