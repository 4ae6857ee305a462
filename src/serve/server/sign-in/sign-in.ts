/** The interface to sign people of a team in and out; `team.ts` implements it. */

import type { Role } from '../../../app/config/role.ts';

export interface SignedIn {
  readonly who: string;
  readonly role: Role;
}

export interface TeamSignIn {
  /**
   * Begins a sign-in.
   * @returns where the browser goes, and the value of its cookie for the way back
   */
  begin(options: {
    /** The host that the browser uses. */
    readonly host: string;
    /** The path to show after the sign-in. */
    readonly to: string;
    /**
     * Whether to ask for a password although the issuer knows the person, to sign in as another
     * one.
     */
    readonly asksAgain: boolean;
  }): Promise<{ readonly url: string; readonly secret: string }>;
  /**
   * Finishes a sign-in.
   * @param search the query that the issuer sent
   * @param secret the browser's cookie
   * @throws Refusal
   */
  finish(options: {
    readonly host: string;
    readonly search: string;
    readonly secret: string | undefined;
  }): Promise<{ readonly session: string; readonly person: SignedIn; readonly to: string }>;
  /** The address to sign out of the issuer, too; undefined if the issuer has none. */
  signOutUrl(host: string): Promise<string | undefined>;
}
