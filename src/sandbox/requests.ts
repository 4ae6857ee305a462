/** The latest requests and their results, to debug a client. */
import type { Millis } from '../base/clock.ts';

export interface RequestNote {
  readonly at: Millis;
  readonly method: string;
  /** Path and query of the request, without headers and body. */
  readonly target: string;
  readonly operation?: string | undefined;
  readonly uid?: string | undefined;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  /** The fault applied to the request. */
  readonly fault?: string | undefined;
}

export interface RequestLog {
  note(request: RequestNote): void;
  /** The recorded requests, oldest first. */
  notes(): readonly RequestNote[];
}

const kept = 1_000;

export function requestLog(): RequestLog {
  const notes: RequestNote[] = [];
  let next = 0; // index of the oldest note once the list is full
  return {
    note: (request) => {
      notes[next] = request;
      next = (next + 1) % kept;
    },
    notes: () =>
      notes.length < kept ? [...notes] : [...notes.slice(next), ...notes.slice(0, next)],
  };
}
