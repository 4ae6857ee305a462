/** What the routes have at hand. */
import type { Clock } from '../base/clock.ts';
import { UsageError } from '../base/error.ts';
import type { Desk } from './desk.ts';
import type { Notices } from './notices.ts';
import type { Sessions } from './session.ts';

export interface ServerContext {
  readonly desks: readonly Desk[];
  readonly notices: Notices;
  readonly sessions: Sessions;
  readonly clock: Clock;
  /** `deskhand 0.1.0`. */
  readonly program: string;
  readonly isReadOnly: boolean;
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

/** The address names something that does not exist. */
export class NotFoundError extends UsageError {}
