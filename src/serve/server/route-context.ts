/** The environment of the routes: the desks, the sessions, and the server's functions. */
import type { Clock } from '../../base/clock.ts';
import type { OwnProgram } from '../../app/machine/own-program.ts';
import type { Presses } from './actions/presses.ts';
import type { Starters } from './actions/starters.ts';
import type { Turns } from './actions/turns.ts';
import type { Audit } from './audit.ts';
import type { Desk } from './desk.ts';
import { NotFoundError } from './failure.ts';
import type { Notices } from './notices.ts';
import type { LinkSessions } from './link-sessions.ts';
import type { Sessions } from './session.ts';
import type { TeamSignIn } from './sign-in/sign-in.ts';

export interface ServerContext {
  readonly desks: readonly Desk[];
  readonly notices: Notices;
  readonly sessions: Sessions;
  readonly signIn:
    | { readonly kind: 'link'; readonly links: LinkSessions }
    | { readonly kind: 'team'; readonly team: TeamSignIn };
  readonly clock: Clock;
  /** The program's name and version, as `deskhand 0.1.0`. */
  readonly program: string;
  readonly isReadOnly: boolean;
  /** The user of the system that runs the server: commands it starts record this name. */
  readonly user: string;
  readonly actions: Actions;
  /** Called when a passkey was made on the page, with its line for the file of passkeys. */
  readonly onEnrolled?: (line: string) => void;
}

/** The functions for routes that start processes. */
export interface Actions {
  readonly program: OwnProgram;
  readonly presses: Presses;
  readonly starters: Starters;
  readonly turns: Turns;
  /** Turns of searches in journals: one at once, so that others are answered meanwhile. */
  readonly searches: Turns;
  readonly audit: Audit;
}

/** The desk with a name, which is required if there are several. @throws NotFoundError */
export function deskNamed({ desks }: ServerContext, name: string | undefined): Desk {
  const found = desks.filter((desk) => name === undefined || desk.name === name);
  const [desk] = found;
  if (desk !== undefined && found.length === 1) return desk;
  throw new NotFoundError(name === undefined ? 'name the desk' : `no desk ${name}`);
}

/**
 * The desk that has a run.
 * @param name of the desk, if the client knows it
 * @throws NotFoundError
 */
export function deskOf({ desks }: ServerContext, run: string, name?: string): Desk {
  const found = desks.find((desk) => (name === undefined || desk.name === name) && desk.has(run));
  if (found !== undefined) return found;
  throw new NotFoundError(`no run ${run}`, 'see `deskhand runs list`');
}
